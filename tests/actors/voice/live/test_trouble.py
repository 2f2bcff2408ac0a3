"""Whatever happens to the line, the server or the process: sound comes back, or the reason is told."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from itertools import pairwise

import pytest

from actors.voice.settings import VoiceSettings
from messages.ids import RoomId
from messages.voice import LinkDown, LinkFaltered, LinkPulse, LinkShut, LinkUp, SoundDrained, SoundStarted
from tests.actors.voice.live.world import ONE, TWO, U, V, World, world
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.voice.tones import pitch, tone
from tests.loopback.discord.voice.wire import XCHACHA


@pytest.fixture
def here() -> Iterator[World]:
    with world() as made:
        yield made


@pytest.fixture
def ada(here: World) -> Participant:
    ada = here.person("Ada")
    here.connect()
    ada.wait_for_group(here.discord.user)
    return ada


def he_is_heard(here: World, ada: Participant, before: int = 0) -> None:
    here.say(tone(660, 0.2), V)
    here.news.expect(SoundDrained, 10.0)
    ada.wait_for_sound(here.discord.user, before + 10)


@pytest.mark.usefixtures("ada")
def test_a_process_that_is_killed_is_told_and_the_next_one_is_quick(here: World) -> None:
    here.say(tone(660, 2.0))
    here.news.expect(SoundStarted, 5.0)
    first = here.pid()
    began = time.monotonic()
    os.kill(first, signal.SIGKILL)
    assert here.news.expect(LinkDown) == LinkDown(connection=ONE, reason="media_process", terminal=False)
    here.link.disconnect(ONE)
    assert here.news.expect(LinkShut).connection == ONE
    here.connect(TWO)
    here.say(tone(660, 0.2), V, TWO)
    assert here.news.expect(SoundStarted, 5.0).utterance == V
    assert time.monotonic() - began < 10.0
    assert here.pid() != first
    assert here.link.describe()["media_processes"] == 2


@pytest.mark.usefixtures("ada")
def test_a_process_that_stands_still_is_ended(here: World) -> None:
    os.kill(here.pid(), signal.SIGSTOP)
    assert here.news.expect(LinkDown, 6.0).reason == "media_process"


def test_ctrl_c_in_the_terminal_is_not_for_the_process(here: World, ada: Participant) -> None:
    os.kill(here.pid(), signal.SIGINT)
    os.kill(here.pid(), signal.SIGTERM)
    he_is_heard(here, ada)


@pytest.mark.parametrize("code", [1006, 4015])
def test_a_line_that_breaks_is_resumed_and_nobody_is_told(here: World, ada: Participant, code: int) -> None:
    here.discord.voice.drop(here.discord.user, code)
    he_is_heard(here, ada)
    assert not any(isinstance(one, LinkDown | LinkFaltered) for one in here.news.received())
    here.discord.wait(lambda: here.link.describe()["resumed"] == 1)


def test_a_line_on_which_nothing_passes_any_more_is_noticed_and_resumed(here: World) -> None:
    here.discord.voice.faults.heartbeat_ms = 200.0
    ada = here.person("Ada")
    here.connect()
    ada.wait_for_group(here.discord.user)
    here.discord.voice.half_open(here.discord.user)
    here.say(tone(660, 1.0))
    assert here.news.expect(SoundDrained, 10.0).frames == 50
    ada.wait_for_sound(here.discord.user, 45)
    here.discord.wait(lambda: here.link.describe()["resumed"] == 1)


def test_a_server_that_refuses_everybody_for_a_while_is_found_again(here: World, ada: Participant) -> None:
    here.discord.voice.refuse_connections()
    here.discord.voice.drop(here.discord.user, 1006)
    here.news.expect(LinkPulse)
    here.discord.voice.accept_connections()
    he_is_heard(here, ada)
    assert not any(isinstance(one, LinkDown) for one in here.news.received())


def test_an_address_that_is_told_late_and_the_other_encryption_are_no_trouble(here: World) -> None:
    here.discord.voice.faults.modes = (XCHACHA,)
    here.discord.voice.faults.lose_discoveries = 1
    ada = here.person("Ada")
    here.connect()
    ada.wait_for_group(here.discord.user)
    he_is_heard(here, ada)


def test_sound_that_gets_nowhere_is_told_while_he_goes_on_trying(here: World) -> None:
    here.discord.voice.faults.lose_discoveries = 5
    assert here.connect() == LinkUp(connection=ONE, encryption="dave")
    assert LinkFaltered(connection=ONE, reason="udp_unreachable") in here.news.received()


@pytest.mark.parametrize("code", [4006, 4009])
def test_a_session_that_is_invalid_is_dialled_anew(here: World, ada: Participant, code: int) -> None:
    sink = here.hear(ada)
    asked = len(here.discord.calls.requests)
    here.discord.voice.drop(here.discord.user, code)
    here.news.expect(LinkFaltered)
    assert here.news.expect(LinkUp).encryption == "dave"
    assert len(here.discord.calls.requests) == asked + 2
    he_is_heard(here, ada)
    ada.speak(tone(440, 0.2))
    sink.wait(10)
    assert not any(isinstance(one, LinkDown) for one in here.news.received())


@pytest.mark.parametrize("code", [4017, 4021])
@pytest.mark.usefixtures("ada")
def test_a_refusal_for_good_is_terminal(here: World, code: int) -> None:
    here.discord.voice.drop(here.discord.user, code)
    down = here.news.expect(LinkDown)
    assert down.terminal
    assert down.reason in {"dave_required", "disconnected_rate_limited"}


def test_a_server_that_moves_is_followed_while_he_speaks(here: World, ada: Participant) -> None:
    here.say(tone(660, 2.0))
    here.news.expect(SoundStarted, 5.0)
    here.guild.bot.new_server()
    assert here.news.expect(SoundDrained, 10.0).frames == 100
    ada.wait_for_sound(here.discord.user, 90)
    assert pitch(ada.pcm(here.discord.user)) == pytest.approx(660, abs=5)


def test_people_who_come_and_go_cost_nobody_a_word(here: World, ada: Participant) -> None:
    sink = here.hear(ada)
    here.say(tone(660, 2.0))
    said = ada.speak(tone(440, 2.0))
    here.news.expect(SoundStarted, 5.0)
    bert = here.person("Bert")
    bert.wait_for_group(ada.id, here.discord.user)
    bert.leave()
    ada.wait_for_group(here.discord.user)
    assert here.news.expect(SoundDrained, 10.0).frames == 100
    withheld = said.result(10.0)
    heard = sink.wait(95 - withheld)
    ada.wait_for_sound(here.discord.user, 95)
    times = [packet.at for packet in ada.heard_from(here.discord.user)]
    assert max(later - earlier for earlier, later in pairwise(times)) < 1.0
    assert pitch(b"".join(frame.pcm for frame in heard)) == pytest.approx(440, abs=5)
    assert (ada.plain_frames, bert.plain_frames) == (0, 0)


def test_whoever_is_left_alone_stays_on_the_line_until_somebody_comes_back() -> None:
    with world(VoiceSettings(secure_seconds=0.5)) as here:
        ada = here.person("Ada")
        here.connect()
        ada.wait_for_group(here.discord.user)
        asked = len(here.discord.calls.requests)
        ada.leave()
        for _ in range(3):
            here.news.expect(LinkPulse)
        assert not any(isinstance(one, LinkDown | LinkFaltered) for one in here.news.received())
        assert len(here.discord.calls.requests) == asked
        bert = here.person("Bert")
        bert.wait_for_group(here.discord.user)
        he_is_heard(here, bert)


def test_in_another_room_nobody_is_heard_until_asked_and_he_need_not_come_in_twice(
    here: World, ada: Participant
) -> None:
    bert = here.person("Bert", here.attic)
    sink, other = here.hear(ada), here.hear(bert)
    asked = len(here.discord.calls.requests)
    here.discord.move_bot(here.guild, here.attic)
    here.link.disconnect(ONE)
    here.news.expect(LinkShut)
    here.connect(TWO, here.attic)
    bert.wait_for_group(here.discord.user)
    bert.speak(tone(440, 0.2)).result(5.0)
    ada.speak(tone(440, 0.2)).result(5.0)
    here.news.expect(LinkPulse)
    assert (sink.frames, other.frames) == ([], [])
    again = here.hear(bert)
    bert.speak(tone(440, 0.2))
    again.wait(10)
    assert len(here.discord.calls.requests) == asked


@pytest.mark.usefixtures("ada")
def test_somebody_who_is_put_out_is_not_told_that_the_link_broke(here: World) -> None:
    here.discord.kick_bot(here.guild)
    here.news.expect(LinkPulse)
    here.news.expect(LinkPulse)
    assert not any(isinstance(one, LinkDown) for one in here.news.received())


def test_an_account_that_is_not_ready_says_so(here: World) -> None:
    here.link.connect(ONE, RoomId("12"))
    assert here.news.expect(LinkDown).reason == "account_not_ready"


def test_a_server_that_takes_nobody_in_is_given_up_in_time(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("actors.voice.live.call.BACKOFF", (0.0, 0.05, 0.1))
    here.discord.voice.faults.refuse_identify = [4006] * 20
    here.link.connect(ONE, RoomId(str(here.room.id)))
    assert here.news.expect(LinkDown, 15.0).reason == "session_invalid"
    assert not any(isinstance(one, LinkUp) for one in here.news.received())
    assert U not in here.link.describe()
