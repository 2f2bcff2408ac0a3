"""He hears and is heard, encrypted from end to end, through a process of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from loguru import logger

from actors.audio.pcm import FRAME_BYTES, rms_dbfs
from messages.ids import CaptureId, PersonId
from messages.voice import (
    LinkDown,
    LinkFaltered,
    LinkPulse,
    LinkSecured,
    LinkShut,
    LinkUp,
    MicrophoneCount,
    SoundCut,
    SoundDrained,
    SoundFailed,
    SoundSent,
    SoundStarted,
)
from tests.actors.voice.live.world import ONE, TWO, Sink, U, V, World, world
from tests.loopback.discord.voice.tones import packets, pitch, tone


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("CLANKIE_DEBUG", "1")  # else only root may look at the process
    with world() as made:
        yield made


def private_megabytes(pid: int) -> float:
    """What this process alone costs: `ru_maxrss` would say what its parent had."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in rollup if line.startswith("Private_")) / 1024


def test_he_hears_who_may_be_heard_and_everybody_hears_him(here: World) -> None:
    ada = here.person("Ada")
    assert here.connect() == LinkUp(connection=ONE, encryption="dave")
    code = ada.wait_for_group(here.discord.user)
    assert here.news.expect(LinkSecured).privacy_code == code
    assert here.link.describe()["privacy_code"] == code
    sink = here.hear(ada)
    ada.speak(tone(440, 0.6))
    here.say(tone(660, 0.6))
    assert here.news.expect(SoundStarted, 5.0).utterance == U
    assert here.news.expect(SoundDrained, 5.0).frames == 30
    ada.wait_for_sound(here.discord.user, 30)
    sink.wait(30)
    assert pitch(sink.pcm) == pytest.approx(440, abs=5)
    assert pitch(ada.pcm(here.discord.user)) == pytest.approx(660, abs=5)
    assert ada.plain_frames == 0
    pulse = here.news.expect(LinkPulse)
    assert pulse.arrived == pulse.decoded
    assert private_megabytes(here.pid()) < 20.0


def test_who_was_not_asked_is_never_decoded_and_counted(here: World) -> None:
    ada, bert = here.person("Ada"), here.person("Bert")
    here.connect()
    ada.wait_for_group(bert.id, here.discord.user)
    sink = here.hear(ada)
    ada.speak(tone(440, 0.3))
    bert.speak(tone(550, 0.3)).result(5.0)
    heard = sink.wait(15)
    assert {frame.person for frame in heard} == {PersonId(str(ada.id))}
    assert pitch(sink.pcm) == pytest.approx(440, abs=5)
    counts = {one.person: one for one in here.link.close()}
    assert counts[PersonId(str(bert.id))].decoded == 0
    assert counts[PersonId(str(bert.id))].unread >= 15
    assert counts[PersonId(str(ada.id))].decoded >= 15


def test_a_microphone_that_is_open_is_open_in_the_next_media_process_as_well(here: World) -> None:
    ada = here.person("Ada")
    here.connect()
    ada.wait_for_group(here.discord.user)
    sink = here.hear(ada)
    os.kill(here.pid(), signal.SIGKILL)
    assert here.news.expect(LinkDown, 5.0).reason == "media_process"
    here.connect(TWO)
    ada.wait_for_group(here.discord.user)
    ada.speak(tone(440, 0.4))
    assert pitch(b"".join(frame.pcm for frame in sink.wait(15))) == pytest.approx(440, abs=10)


def test_after_a_cut_is_told_nothing_of_it_is_heard(here: World) -> None:
    ada = here.person("Ada")
    here.connect()
    ada.wait_for_group(here.discord.user)
    here.say(tone(660, 2.0))
    here.news.expect(SoundSent, 5.0)
    here.link.cut(ONE, U)
    cut = here.news.expect(SoundCut)
    assert 5 <= cut.frames < 50
    assert cut.frames + cut.dropped == 100
    here.say(tone(440, 0.2), V)
    here.news.expect(SoundDrained, 5.0)
    ada.wait_for_sound(here.discord.user, cut.frames + 10)
    assert len(ada.heard_from(here.discord.user)) == cut.frames + 10


def test_a_pause_and_a_whisper_are_obeyed(here: World) -> None:
    ada = here.person("Ada")
    here.connect()
    ada.wait_for_group(here.discord.user)
    here.link.hold(ONE, V, True)
    here.link.play(ONE, U, tone(660, 0.4))
    here.news.expect(SoundStarted, 5.0)
    here.link.hold(ONE, U, True)
    here.news.expect(LinkPulse)
    here.link.gain(ONE, U, -60.0, 0.0)
    here.link.hold(ONE, U, False)
    here.link.end(ONE, U)
    assert here.news.expect(SoundDrained, 5.0).frames == 20
    ada.wait_for_sound(here.discord.user, 20)
    assert rms_dbfs(ada.pcm(here.discord.user)[-4 * FRAME_BYTES :]) < -60


def test_what_cannot_be_understood_is_seen_in_the_pulse(here: World) -> None:
    ada = here.person("Ada")
    here.connect()
    ada.wait_for_group(here.discord.user)
    sink = here.hear(ada)
    here.news.expect(LinkPulse)
    ada.signal_speaking(on=True)
    for packet in packets(440, 0.4):
        ada.send_plain(packet)
    while (pulse := here.news.expect(LinkPulse, 3.0)).arrived < 10:
        assert pulse.decoded == 0
    assert (pulse.decoded, sink.frames) == (0, [])
    lines: list[str] = []
    log = logger.add(lines.append)
    here.link.disconnect(ONE)
    here.news.expect(LinkShut)
    logger.remove(log)
    assert "UnencryptedWhenPassthroughDisabled" in "".join(lines)


def test_somebody_who_is_no_user_cannot_be_heard(here: World) -> None:
    here.link.microphone(PersonId("anna"), CaptureId("c"), Sink())
    assert here.link.close() == ()


def test_alone_he_is_up_and_what_he_says_waits_until_it_is_certain_that_nobody_is_there() -> None:
    with world() as here:
        here.connect()
        here.say(tone(660, 0.2))
        assert here.news.expect(SoundFailed, 4.0).reason == "nobody_there"
        ada = here.person("Ada")
        ada.wait_for_group(here.discord.user)
        here.say(tone(660, 0.2), V)
        assert here.news.expect(SoundDrained, 5.0).utterance == V
        ada.wait_for_sound(here.discord.user, 10)
        assert ada.plain_frames == 0


@pytest.mark.parametrize("version", [0, 1])
def test_a_call_without_end_to_end_encryption_says_so(here: World, version: int) -> None:
    here.discord.voice.faults.dave = version
    here.person("Ada")
    assert here.connect().encryption == ("dave" if version else "transport")


def test_server_and_state_may_come_in_either_order(here: World) -> None:
    here.discord.calls.server_first = True
    ada = here.person("Ada")
    here.connect()
    ada.wait_for_group(here.discord.user)
    here.link.disconnect(ONE)
    assert here.news.expect(LinkShut).connection == ONE


def test_secrets_are_neither_among_the_arguments_nor_in_the_environment(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLANKIE_DISCORD_TOKEN", "hush")
    here.person("Ada")
    here.connect()
    process = Path("/proc") / str(here.pid())
    shown = process.joinpath("cmdline").read_bytes() + process.joinpath("environ").read_bytes()
    assert b"hush" not in shown
    assert b"actors.voice.media" in shown


def test_no_log_holds_a_token_or_a_session_whatever_happens(
    here: World, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    lines: list[str] = []
    sink = logger.add(lines.append, level=0, backtrace=True, diagnose=True)
    caplog.set_level(0)
    ada = here.person("Ada")
    here.connect()
    ada.wait_for_group(here.discord.user)
    here.discord.voice.say(here.discord.user, 27, b"\x00no proposal")
    here.discord.voice.drop(here.discord.user, 4006)
    here.news.expect(LinkFaltered)
    here.news.expect(LinkUp)
    here.discord.voice.drop(here.discord.user, 4017)
    assert here.news.expect(LinkDown).terminal
    os.kill(here.pid(), 9)
    here.link.disconnect(ONE)
    here.news.expect(LinkShut)
    logger.remove(sink)
    logged = "".join(lines) + "".join(capfd.readouterr()) + caplog.text
    assert "4017" in logged
    assert len(here.account.secrets) >= 3
    assert not [secret for secret in here.account.secrets if secret and secret in logged]


def test_a_link_that_is_closed_leaves_nothing_behind(here: World) -> None:
    ada = here.person("Ada")
    here.connect()
    pid = here.pid()
    here.link.close()
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    here.discord.wait(lambda: here.discord.user not in ada.group)


def test_a_link_that_was_never_connected_has_nothing_to_close(here: World) -> None:
    assert here.link.describe()["media_process"] is None
    assert here.link.close() == ()


def test_the_counts_of_a_process_that_was_killed_are_not_lost(here: World) -> None:
    ada = here.person("Ada")
    here.connect()
    ada.speak(tone(440, 0.3)).result(5.0)
    here.news.expect(LinkPulse)
    here.news.expect(LinkPulse)
    os.kill(here.pid(), 9)
    here.link.disconnect(ONE)
    (count,) = here.news.expect(LinkShut).counts
    assert count == replace(count, person=PersonId(str(ada.id)), decoded=0)
    assert count.unread >= 15
    assert isinstance(count, MicrophoneCount)
