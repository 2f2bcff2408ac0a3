"""The voice over real sockets, at an ElevenLabs that keeps the vendor's rules and tells who breaks them."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from loguru import logger

from actors.net.guarded import GuardedDial
from actors.net.loop import IoLoop
from actors.tts.live.elevenlabs import ElevenLabsVoice
from actors.tts.settings import TtsSettings
from messages.ids import Connection, UtteranceId
from messages.tts import SoundMade, SynthesizerLost, TtsPortEvent, UnitSpoken
from tests.actors.tts.live.talk import MODELS, is_dialogue
from tests.loopback.elevenlabs.server import PROSE, ElevenLabs
from tests.loopback.elevenlabs.session import Session
from tests.loopback.humming import hum
from tests.probe import Probe

ONE, TWO, U = Connection(1), Connection(2), UtteranceId("u1")
PATIENCE = 5.0


class Call:
    """A port on a loop of its own, and the server it talks to."""

    def __init__(self, loop: IoLoop, server: ElevenLabs, model: str) -> None:
        self.server, self.model = server, model
        self.news = Probe[TtsPortEvent]()
        self.port = ElevenLabsVoice(loop, GuardedDial(loop), server.service, TtsSettings(model=model))
        self.port.open(self.news.tell)

    def say(self, *units: str, utterance: UtteranceId = U, connection: Connection = ONE) -> None:
        for number, text in enumerate(units):
            self.port.speak(connection, utterance, number, text, number == len(units) - 1)
            spoken = self.news.expect(UnitSpoken, timeout=PATIENCE)
            assert (spoken.utterance, spoken.unit) == (utterance, number)

    def begin(self, utterance: str = "u1", connection: Connection = ONE) -> Session:
        """Have an utterance whose sound does not go on, and return its socket."""
        self.server.manners.hold_after = 0
        self.port.speak(connection, UtteranceId(utterance), 0, "A long sentence.", True)
        session = self.server.session()
        session.wait_for("flush", PATIENCE)
        return session

    def sounds(self) -> list[SoundMade]:
        return [event for event in self.news.received() if isinstance(event, SoundMade)]


@pytest.fixture(params=MODELS)
def call(request: pytest.FixtureRequest) -> Iterator[Call]:
    loop = IoLoop()
    loop.start()
    with ElevenLabs() as server:
        call = Call(loop, server, str(request.param))
        yield call
        call.port.close()
        assert server.violations == []
    assert loop.stop(PATIENCE)


def test_units_come_whole_and_in_order_with_their_words_however_they_are_cut(call: Call) -> None:
    call.server.manners.chunk_bytes = 4_801
    texts = ("Hello there, you two.", "It costs 5.30 today.", "Bye!")
    call.port.prepare(ONE)
    call.say(*texts)
    call.port.forget(ONE, U)
    call.server.session().wait_contexts(0)
    for number, text in enumerate(texts):
        made = [sound for sound in call.sounds() if sound.unit == number]
        words = [sound.text for sound in made if sound.text]
        assert " ".join(words) == text[: len(" ".join(words))]
        assert len(" ".join(words)) >= len(text) // 2
    pcm = b"".join(sound.pcm for sound in call.sounds())
    assert pcm == b"".join(b"".join(hum(f"{text} ")) for text in texts)[: len(pcm)]
    assert len(pcm) > 0.9 * sum(len(b"".join(hum(text))) for text in texts)


def test_twelve_interruptions_take_no_place_for_good(call: Call) -> None:
    call.server.manners.final_seconds = 0.02
    for number in range(12):
        call.port.speak(ONE, UtteranceId(f"u{number}"), 0, "A sentence that is cut.", number % 2 == 0)
        call.port.forget(ONE, UtteranceId(f"u{number}"))
    call.say("At last.", utterance=UtteranceId("u12"))
    call.port.forget(ONE, UtteranceId("u12"))
    call.server.session().wait_contexts(0)
    assert len(call.server.sessions) == 1
    assert {sound.utterance for sound in call.sounds()} == {"u12"}


def test_an_error_of_the_provider_is_told_once_by_its_code(call: Call) -> None:
    session = call.begin()
    session.fail("quota_exceeded", PROSE)
    assert call.news.expect(SynthesizerLost, timeout=PATIENCE) == SynthesizerLost(
        connection=ONE, reason="quota"
    )
    session.wait_over(PATIENCE)
    call.server.manners.hold_after = None
    call.say("Again.", connection=TWO)
    assert len([event for event in call.news.received() if isinstance(event, SynthesizerLost)]) == 1


def test_a_refused_handshake_is_told_by_its_kind(call: Call) -> None:
    call.server.refuse_next(401, "invalid_api_key")
    call.port.speak(ONE, U, 0, "Hello.", True)
    assert call.news.expect(SynthesizerLost, timeout=PATIENCE).reason == "unauthorized"


def test_a_line_that_idled_too_long_is_opened_again_without_a_word(call: Call) -> None:
    call.say("One.")
    call.port.forget(ONE, U)
    first = call.server.session(0)
    first.wait_contexts(0)
    noticed = threading.Event()
    sink = logger.add(lambda _line: noticed.set(), filter=lambda line: "(idle)" in line["message"])
    try:
        first.fall_idle()
        assert noticed.wait(PATIENCE)
    finally:
        logger.remove(sink)
    call.say("Two.", utterance=UtteranceId("u2"))
    assert not any(isinstance(event, SynthesizerLost) for event in call.news.received())


def test_nothing_is_told_after_the_port_was_closed(call: Call) -> None:
    session = call.begin()
    call.port.close()
    session.wait_over(PATIENCE)
    assert not any(isinstance(event, SoundMade | SynthesizerLost) for event in call.news.received())


def test_the_two_dialects_are_spoken_at_two_addresses(call: Call) -> None:
    call.say("One.")
    assert call.server.session().dialect.name == ("DIALOGUE" if is_dialogue(call.model) else "SPEECH")
