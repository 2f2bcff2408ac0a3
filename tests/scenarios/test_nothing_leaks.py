"""Whatever is said, and whatever a provider says of it, is in no log, receipt, status or environment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from actors.audio.pcm import RATE, read_wav
from messages.evidence import HeardWords, Response, SpokenWords
from supervisors.commands.status import show
from supervisors.rehearsal.kinds import Plain
from tests.loopback.discord.evening import PATIENCE_SECONDS
from tests.loopback.elevenlabs.session import Session as Voice
from tests.loopback.openai.conversation import Conversation
from tests.loopback.openai.faults import Fault
from tests.loopback.openai.mind import HELD
from tests.scenarios.whispers import (
    KEYS,
    KEYWORD,
    PROSE,
    SAID,
    WORDS,
    Night,
    Providers,
    complaint,
    confession,
    night,
)
from tests.speech.clips import HUMAN

VOICE = read_wav(HUMAN[8].path) + bytes(RATE)
SOCKETS: dict[str, dict[str, Plain]] = {
    "capture": {"provider": "openai"},
    "realtime": {"provider": "openai"},
    "tts": {"provider": "elevenlabs"},
    "log": {"level": "DEBUG", "format": "text"},
}
REQUESTS: dict[str, dict[str, Plain]] = {
    "capture": {"provider": "openai"},
    "realtime": {"provider": "chat", "model": "gpt-realtime-2.1"},
    "tts": {"provider": "openai"},
    "log": {"level": "DEBUG", "format": "json"},
}

TALK_FAULTS: tuple[tuple[str, Callable[[Conversation], None]], ...] = (
    ("bad_frame", lambda talk: talk.send_text(f'{{"type": "{confession()}')),
    ("closed_1008", lambda talk: talk.close(1008, confession()[:120])),
    ("quota", lambda talk: talk.send({"type": "error", "error": complaint("insufficient_quota")})),
)
VOICE_FAULTS: tuple[tuple[str, Callable[[Voice], None]], ...] = (
    ("bad_frame", lambda voice: voice.send_text(f'{{"audio": "{confession()}')),
    ("quota", lambda voice: voice.fail("quota_exceeded", confession())),
)


def socket_faults(one: Night, providers: Providers) -> None:
    """Each of the three sockets goes wrong while it is in use, then whoever comes back is not let in."""
    openai, elevenlabs = providers.openai, providers.elevenlabs
    providers.pause = HELD
    for place, (reason, stumble) in enumerate(TALK_FAULTS):
        one.write()
        talk = openai.conversation(place)
        talk.wait_held()
        talk.complain_of(confession())
        stumble(talk)
        one.fails("conversation_session", reason)
    one.write()
    talk = openai.conversation(len(TALK_FAULTS))
    talk.wait_held()
    openai.ground.refuse_next(401, {"error": complaint("invalid_api_key")})
    talk.abort()
    one.fails("conversation_session", "aborted")
    one.write()
    one.fails("conversation_session", "unauthorized")
    providers.pause = 0.0
    one.record.skip(SpokenWords)
    one.write()
    one.record.expect(SpokenWords)
    elevenlabs.manners.hold_after = 0
    for reason, stumble_at in VOICE_FAULTS:
        one.write()
        for _ in range(2):  # it is tried once more
            elevenlabs.wait_until(lambda: not elevenlabs.session().over and elevenlabs.session().contexts)
            voice = elevenlabs.session()
            stumble_at(voice)
            voice.wait_over()
        one.fails("speech_synthesis", reason)
    elevenlabs.manners.hold_after = None
    speaking, listener = one.person.speak(VOICE), openai.listener()
    openai.until(lambda: listener.buffered_ms)
    listener.send_text(f'{{"type": "{confession()}')
    one.fails("transcription_session", "bad_frame")
    speaking.result(PATIENCE_SECONDS)
    openai.habits.failing_transcripts.append(confession())
    one.person.speak(VOICE).result(PATIENCE_SECONDS)
    one.fails("transcription_session", "provider_error")


def request_faults(one: Night, providers: Providers) -> None:
    """A chat completion, and a request for speech, are refused in every way, and break off."""
    chat, openai = providers.chat, providers.openai
    for status, code, reason in (
        (401, "invalid_api_key", "unauthorized"),
        (429, "rate_limit_exceeded", "rate_limited"),
        (418, confession(), "http_418"),
        (500, confession(), "provider_down"),
    ):
        chat.ground.refuse_next(status, {"error": complaint(code)})
        one.write()
        one.fails("conversation_session", reason)
    chat.rest.next(Fault(garbage_after=1))
    one.write()
    one.fails("conversation_session", "bad_frame")
    for status, code, reason in ((403, confession(), "forbidden"), (400, confession(), "http_400")):
        openai.ground.refuse_next(status, {"error": complaint(code)}, times=2)
        one.write()
        one.fails("speech_synthesis", reason)


@pytest.mark.timeout(150)
@pytest.mark.parametrize(("settings", "go_wrong"), [(SOCKETS, socket_faults), (REQUESTS, request_faults)])
def test_no_word_and_no_key_is_written_down(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, dict[str, Plain]],
    go_wrong: Callable[[Night, Providers], None],
) -> None:
    monkeypatch.setenv("OPENAI_LOG", "debug")
    providers = Providers(settings, tmp_path)
    with night(tmp_path, providers.lend) as one:
        one.come()
        one.person.speak(VOICE).result(PATIENCE_SECONDS)
        assert SAID in one.record.expect(HeardWords).text
        one.write()
        one.record.expect(Response, lambda receipt: receipt.trigger == "handoff_result")
        listener = providers.openai.listener()
        assert KEYWORD in str(listener.wait_for("session.update"))
        go_wrong(one, providers)
        for actor in ("realtime", "tts", f"ears/{one.person.id}"):
            one.house.crash(actor)
        for as_json in (True, False):
            show(tmp_path / "config.toml", one.port(), as_json=as_json)
        written = [capsys.readouterr().out, one.shown()]
    files = (tmp_path / "clankie.log", *(tmp_path / "evidence").iterdir())
    written += [file.read_text("utf-8") for file in files]
    for text in written:
        assert [secret for secret in (*WORDS, *KEYS.values(), PROSE) if secret.lower() in text.lower()] == []
    assert "child ended: crashed: Poisoned" in written[2]
    assert (written[2].startswith("{")) == (settings["log"]["format"] == "json")
    assert "Whisper" not in written[2], "nobody waits for a model that a provider stands in for"
