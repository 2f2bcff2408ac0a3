"""A voice behind an address: sound as it comes, one end for each unit, and nothing after it is forgotten."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from actors.net.loop import IoLoop
from actors.net.service import Service
from actors.tts.live import openai
from actors.tts.live.openai import OpenAiVoice, is_plain_sound, manner, whole_samples
from actors.tts.settings import TtsSettings
from messages.ids import Connection, UtteranceId
from messages.tts import SoundMade, SynthesisFailed, TtsPortEvent, UnitSpoken, VoiceSpent
from messages.usage import Spending
from tests.loopback.humming import hum
from tests.loopback.openai.faults import Fault
from tests.loopback.openai.fixtures import KEY
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.rest import Rest
from tests.loopback.openai.speech import BLOCK_BYTES
from tests.loopback.providers import Ground
from tests.probe import Probe

TEXT = "Hello there."
ONE, TWO = Connection(1), Connection(2)
U1, U2 = UtteranceId("u1"), UtteranceId("u2")
PATIENCE = 10.0


@pytest.fixture
def heard() -> Probe[TtsPortEvent]:
    return Probe()


@pytest.fixture
def voice(loop: IoLoop, rest: Rest, heard: Probe[TtsPortEvent]) -> Iterator[OpenAiVoice]:
    voice = OpenAiVoice(loop, Service(base_url=rest.base_url, key=KEY), TtsSettings())
    voice.open(heard.tell)
    yield voice
    voice.close()


def say(voice: OpenAiVoice, utterance: UtteranceId = U1, connection: Connection = ONE, unit: int = 0) -> None:
    voice.speak(connection, utterance, unit, TEXT, False)


def sound(heard: Probe[TtsPortEvent]) -> bytes:
    return b"".join(one.pcm for one in heard.received() if isinstance(one, SoundMade))


def failure(heard: Probe[TtsPortEvent]) -> str:
    reason = heard.expect(SynthesisFailed, PATIENCE).reason
    ends = [one for one in heard.received() if not isinstance(one, SoundMade | VoiceSpent)]
    assert ends == [SynthesisFailed(connection=ONE, utterance=U1, reason=reason)]
    return reason


# --- sound ----------------------------------------------------------------------------------------


def test_sound_comes_in_whole_samples_as_it_is_made_and_then_the_unit_ends(
    voice: OpenAiVoice, rest: Rest, ground: Ground, heard: Probe[TtsPortEvent]
) -> None:
    say(voice, unit=3)
    assert heard.expect(UnitSpoken, PATIENCE) == UnitSpoken(connection=ONE, utterance=U1, unit=3)
    pieces = [one for one in heard.received() if isinstance(one, SoundMade)]
    assert b"".join(one.pcm for one in pieces) == b"".join(hum(TEXT))
    assert BLOCK_BYTES % 2 == 1
    assert all(len(one.pcm) % 2 == 0 and one.unit == 3 and one.text == "" for one in pieces)
    asked = {"model": "gpt-4o-mini-tts", "voice": "marin", "input": TEXT, "response_format": "pcm"}
    assert list(rest.speeches) == [asked]
    assert ground.violations == []


def test_characters_are_paid_for_once_there_is_sound_and_not_where_it_was_refused(
    voice: OpenAiVoice, ground: Ground, heard: Probe[TtsPortEvent]
) -> None:
    say(voice)
    spent = Spending(provider="openai", model="gpt-4o-mini-tts", characters=len(TEXT))
    assert heard.expect(VoiceSpent, PATIENCE) == VoiceSpent(connection=ONE, utterance=U1, spent=spent)
    heard.expect(UnitSpoken, PATIENCE)
    heard.clear()
    ground.refuse_next(429, {"error": {"code": "insufficient_quota"}})
    say(voice)
    assert heard.expect(SynthesisFailed, PATIENCE).reason == "quota"
    assert not any(isinstance(one, VoiceSpent) for one in heard.received())


def test_the_first_sound_does_not_wait_for_the_last(
    voice: OpenAiVoice, rest: Rest, ground: Ground, heard: Probe[TtsPortEvent]
) -> None:
    rest.next(Fault(stall_after=1))
    say(voice)
    assert len(heard.expect(SoundMade, PATIENCE).pcm) == BLOCK_BYTES - 1
    voice.forget(ONE, U1)
    ground.until(lambda: rest.exchanges[0].dropped)
    say(voice, U2)
    assert heard.expect(UnitSpoken, PATIENCE).utterance == U2
    assert {type(one) for one in heard.received()} == {VoiceSpent, SoundMade, UnitSpoken}


def test_utterances_are_made_at_the_same_time_but_only_so_many(
    voice: OpenAiVoice, loop: IoLoop, rest: Rest, heard: Probe[TtsPortEvent]
) -> None:
    rest.next(*[Fault(stall_after=1)] * openai.MOST_AT_ONCE)
    for number in range(openai.MOST_AT_ONCE):
        say(voice, UtteranceId(f"stuck{number}"))
        heard.expect(SoundMade, PATIENCE)
    say(voice)
    somebody_else = OpenAiVoice(loop, Service(base_url=rest.base_url, key=KEY), TtsSettings())
    somebody_else.open(heard.tell)
    say(somebody_else, U2)
    assert heard.expect(UnitSpoken, PATIENCE).utterance == U2
    assert len(rest.speeches) == openai.MOST_AT_ONCE + 1
    somebody_else.close()
    voice.forget(ONE, UtteranceId("stuck0"))
    assert heard.expect(UnitSpoken, PATIENCE).utterance == U1


def test_an_older_connection_is_forgotten_by_itself(
    voice: OpenAiVoice, rest: Rest, heard: Probe[TtsPortEvent]
) -> None:
    rest.next(Fault(stall_after=1))
    say(voice)
    heard.expect(SoundMade, PATIENCE)
    say(voice, connection=TWO)
    voice.forget(ONE, U1)
    assert heard.expect(UnitSpoken, PATIENCE).connection == TWO


def test_after_close_nothing_is_told(
    voice: OpenAiVoice, rest: Rest, ground: Ground, heard: Probe[TtsPortEvent]
) -> None:
    rest.next(Fault(stall_after=1))
    voice.prepare(ONE)
    say(voice)
    heard.expect(SoundMade, PATIENCE)
    voice.close()
    ground.until(lambda: rest.exchanges[0].dropped)
    before = heard.received()
    voice.prepare(ONE)
    say(voice, U2)
    voice.forget(ONE, U2)
    assert heard.received() == before
    assert len(rest.exchanges) == 1


# --- trouble --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "code", "reason"),
    [
        (401, "invalid_api_key", "unauthorized"),
        (429, "rate_limit_exceeded", "rate_limited"),
        (429, "insufficient_quota", "quota"),
        (500, None, "provider_down"),
    ],
)
def test_a_refusal_has_a_reason_and_no_prose(
    voice: OpenAiVoice,
    rest: Rest,
    ground: Ground,
    heard: Probe[TtsPortEvent],
    status: int,
    code: str | None,
    reason: str,
) -> None:
    ground.refuse_next(status, {"error": {"message": PROSE, "code": code}})
    say(voice)
    assert failure(heard) == reason
    assert len(rest.exchanges) == 1


@pytest.mark.parametrize("pieces", [0, 2])
def test_sound_that_breaks_off_has_failed(
    voice: OpenAiVoice, rest: Rest, heard: Probe[TtsPortEvent], pieces: int
) -> None:
    rest.next(Fault(cut_after=pieces))
    say(voice)
    assert failure(heard) == "aborted"
    say(voice, U2)
    assert heard.expect(UnitSpoken, PATIENCE).utterance == U2


def test_a_server_that_falls_silent_in_mid_sentence_is_waited_for_only_so_long(
    loop: IoLoop, rest: Rest, heard: Probe[TtsPortEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai, "READ_SECONDS", 0.1)
    voice = OpenAiVoice(loop, Service(base_url=rest.base_url, key=KEY), TtsSettings())
    voice.open(heard.tell)
    rest.next(Fault(stall_after=1))
    say(voice)
    assert failure(heard) == "timeout"
    voice.close()


def test_sound_that_trickles_ends(
    voice: OpenAiVoice, rest: Rest, heard: Probe[TtsPortEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai, "WHOLE_SECONDS", 0.3)
    rest.next(Fault(between_seconds=0.1))
    say(voice)
    assert failure(heard) == "timeout"


def test_no_sound_at_all_is_a_failure(voice: OpenAiVoice, rest: Rest, heard: Probe[TtsPortEvent]) -> None:
    rest.brains.speak = lambda _: iter(())
    say(voice)
    assert failure(heard) == "no_sound"


def test_an_error_page_is_not_spoken(voice: OpenAiVoice, ground: Ground, heard: Probe[TtsPortEvent]) -> None:
    ground.refuse_next(200, {"detail": PROSE})
    say(voice)
    assert failure(heard) == "bad_frame"
    assert sound(heard) == b""


def test_nobody_there_is_unreachable(loop: IoLoop, heard: Probe[TtsPortEvent]) -> None:
    voice = OpenAiVoice(loop, Service(base_url="http://127.0.0.1:9/v1"), TtsSettings())
    voice.open(heard.tell)
    say(voice)
    assert failure(heard) == "unreachable"
    voice.close()


def test_neither_key_nor_words_get_into_a_log(
    voice: OpenAiVoice,
    ground: Ground,
    heard: Probe[TtsPortEvent],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    say(voice)
    heard.expect(UnitSpoken, PATIENCE)
    ground.refuse_next(500, {"error": {"message": PROSE}})
    say(voice, unit=1)
    heard.expect(SynthesisFailed, PATIENCE)
    logged = caplog.text + "".join(repr(record.args) for record in caplog.records)
    for word in (TEXT, KEY, PROSE):
        assert word not in logged
    assert KEY not in repr(vars(voice))


# --- small things ---------------------------------------------------------------------------------


def test_newer_models_are_told_in_words_how_to_speak_and_others_by_a_number() -> None:
    settings = TtsSettings(instructions="Calmly.", speed=1.1)
    assert manner("gpt-4o-mini-tts", settings) == {"instructions": "Calmly."}
    assert manner("tts-1-hd", settings) == manner("kokoro", settings) == {"speed": 1.1}
    assert manner("gpt-4o-mini-tts", TtsSettings()) == manner("tts-1", TtsSettings()) == {}


def test_samples_are_whole() -> None:
    assert whole_samples(b"") == (b"", b"")
    assert whole_samples(b"a") == (b"", b"a")
    assert whole_samples(b"abc") == (b"ab", b"c")


@pytest.mark.parametrize("kind", ["", "audio/pcm", "application/octet-stream", "audio/L16; rate=24000"])
def test_bare_samples_may_go_by_many_names(kind: str) -> None:
    assert is_plain_sound(kind)


@pytest.mark.parametrize(
    "kind", ["text/html", "application/json", "audio/mpeg", "Audio/WAV", "audio/ogg;x=y"]
)
def test_what_would_be_heard_as_noise_is_no_sound(kind: str) -> None:
    assert not is_plain_sound(kind)
