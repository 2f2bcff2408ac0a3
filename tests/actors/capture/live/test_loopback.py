"""The lent ear against an OpenAI on this machine, over real sockets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

from actors.capture.decisions import Ask
from actors.capture.live.listeners import Listeners
from actors.capture.live.transcriber import LiveTranscriber
from actors.capture.settings import CaptureSettings
from actors.net.guarded import GuardedDial
from actors.net.loop import IoLoop
from messages.audio import FRAME_BYTES
from messages.capture import (
    CapturePortEvent,
    ListenerLost,
    ListenerSpent,
    TranscriptFailed,
    TranscriptReady,
)
from messages.ids import Connection, SegmentId
from tests.loopback.openai.hearing import in_turn
from tests.loopback.openai.server import OpenAi
from tests.probe import Probe

ONE, TWO = Connection(1), Connection(2)
FIRST, SECOND = SegmentId("ear.1"), SegmentId("ear.2")


@pytest.fixture
def loop() -> Iterator[IoLoop]:
    running = IoLoop()
    running.start()
    yield running
    assert running.stop(5)


@pytest.fixture
def openai() -> Iterator[OpenAi]:
    with OpenAi(hear=in_turn(["Hello there.", "How are you?"])) as server:
        yield server


class Ear:
    """A transcriber on real sockets."""

    def __init__(
        self,
        loop: IoLoop,
        openai: OpenAi,
        settings: CaptureSettings | None = None,
        listeners: Listeners | None = None,
    ) -> None:
        self.loop, self.told = loop, Probe[CapturePortEvent]()
        self.listeners = listeners or Listeners(25)
        self.port = LiveTranscriber(
            loop,
            GuardedDial(loop),
            openai.service,
            settings or CaptureSettings(keywords=("Pykka",)),
            self.listeners,
            ("Clankie",),
        )
        self.port.open(self.told.tell)
        self.port.connect(ONE)

    def say(self, segment: SegmentId = FIRST, connection: Connection = ONE, frames: int = 30) -> bytes:
        """A segment of so many frames, whose final is awaited."""
        sound = [bytes([number, 0]) * (FRAME_BYTES // 2) for number in range(frames)]
        self.port.begin(connection, segment)
        for pcm in sound:
            self.port.append(segment, pcm)
        self.port.ask(segment, Ask.FINAL, False)
        return b"".join(sound)

    def final(self) -> TranscriptReady:
        while not (ready := self.told.expect(TranscriptReady, 5)).final:
            pass
        return ready

    def until_open(self, lines: int) -> None:
        """Let the I/O thread have its turns until so many lines are open."""
        deadline = time.monotonic() + 5
        while self.listeners.open != lines:
            self.loop.submit(asyncio.sleep(0)).result(5)
            assert time.monotonic() < deadline


@pytest.fixture
def ear(loop: IoLoop, openai: OpenAi) -> Iterator[Ear]:
    made = Ear(loop, openai)
    yield made
    made.port.close()
    made.until_open(0)


def test_the_first_word_is_whole_though_it_was_said_before_the_line_stood(openai: OpenAi, ear: Ear) -> None:
    heard = list[bytes]()

    def hear(sound: bytes) -> str:
        heard.append(sound)
        return "Hello there."

    openai.hearing.hear = hear
    said = ear.say()
    assert ear.final() == TranscriptReady(
        connection=ONE, segment=FIRST, text="Hello there.", final=True, speechless=False
    )
    assert heard == [said]
    assert openai.listener().model == "gpt-live-transcribe"
    assert openai.violations == []


def test_words_so_far_come_while_somebody_speaks(openai: OpenAi, ear: Ear) -> None:
    ear.port.begin(ONE, FIRST)
    ear.port.append(FIRST, bytes(30 * FRAME_BYTES))
    listener = openai.listener()
    openai.until(lambda: listener.buffered_ms > 0)
    listener.delta("Hel")
    assert ear.told.expect(TranscriptReady, 5).text == "Hel"
    listener.delta("lo")
    assert ear.told.expect(TranscriptReady, 5).text == "Hello"
    ear.port.ask(FIRST, Ask.FINAL, False)
    assert ear.final().text == "Hello there."
    assert openai.violations == []


def test_a_pause_is_written_down_and_the_silence_after_it_is_cleared(openai: OpenAi, ear: Ear) -> None:
    ear.port.begin(ONE, FIRST)
    ear.port.append(FIRST, bytes(30 * FRAME_BYTES))
    ear.port.ask(FIRST, Ask.GUESS, False)
    ear.port.append(FIRST, bytes(10 * FRAME_BYTES))
    ear.port.ask(FIRST, Ask.GUESS, False)
    ear.port.append(FIRST, bytes(15 * FRAME_BYTES))
    ear.port.ask(FIRST, Ask.FINAL, True)
    assert ear.final().text == "Hello there. How are you?"
    listener = openai.listener()
    assert len(listener.committed) == 2
    openai.until(lambda: listener.buffered_ms == 0)
    assert openai.violations == []


def test_finals_find_their_segments_in_whatever_order_they_come(openai: OpenAi, ear: Ear) -> None:
    openai.habits.hold_transcripts = True
    ear.say(FIRST)
    ear.say(SECOND)
    listener = openai.listener()
    openai.until(lambda: len(listener.held) == 2)
    listener.release(1, 0)
    finals = [ear.final(), ear.final()]
    assert [(ready.segment, ready.text) for ready in finals] == [
        (SECOND, "How are you?"),
        (FIRST, "Hello there."),
    ]


def test_words_that_fail_fail_with_a_reason_and_the_line_lives_on(openai: OpenAi, ear: Ear) -> None:
    openai.habits.failing_transcripts.append("insufficient_quota")
    ear.say(FIRST)
    assert ear.told.expect(TranscriptFailed, 5) == TranscriptFailed(
        connection=ONE, segment=FIRST, reason="quota"
    )
    ear.say(SECOND)
    assert ear.final().segment == SECOND
    assert len(openai.listeners) == 1


def test_a_session_that_expires_at_rest_is_replaced_without_a_word(openai: OpenAi, ear: Ear) -> None:
    ear.say(FIRST)
    ear.final()
    openai.listener().close(1001, "prose that must not surface")
    ear.until_open(0)
    ear.say(SECOND)
    assert ear.final().text == "How are you?"
    assert len(openai.listeners) == 2
    assert all(isinstance(event, TranscriptReady | ListenerSpent) for event in ear.told.received())


def test_a_session_that_expires_in_mid_word_is_one_loss(openai: OpenAi, ear: Ear) -> None:
    openai.habits.session_seconds = 0.2
    ear.port.begin(ONE, FIRST)
    assert ear.told.expect(ListenerLost, 5) == ListenerLost(connection=ONE, reason="session_expired")
    ear.port.connect(TWO)
    openai.habits.session_seconds = 60.0
    ear.say(SECOND, TWO)
    assert ear.final().connection == TWO
    assert [type(event) for event in ear.told.received()].count(ListenerLost) == 1


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (401, {"error": {"code": "invalid_api_key", "message": "prose"}}, "unauthorized"),
        (429, {"error": {"code": "insufficient_quota", "message": "prose"}}, "quota"),
        (503, {}, "provider_down"),
    ],
)
def test_a_line_that_is_refused_is_a_loss_with_its_reason(
    openai: OpenAi, ear: Ear, status: int, body: object, reason: str
) -> None:
    openai.ground.refuse_next(status, body)
    ear.say()
    assert ear.told.expect(ListenerLost, 5).reason == reason
    assert ear.listeners.open == 0


def test_a_model_that_does_not_exist_is_a_loss_and_not_a_silence(loop: IoLoop, openai: OpenAi) -> None:
    ear = Ear(loop, openai, CaptureSettings(model="gpt-of-tomorrow"))
    ear.say()
    assert ear.told.expect(ListenerLost, 5).reason == "invalid_value"
    assert [type(event) for event in ear.told.received()] == [ListenerLost]


@pytest.mark.parametrize("model", ["gpt-live-transcribe", "gpt-realtime-whisper", "gpt-transcribe"])
def test_every_model_is_set_up_as_it_bears(loop: IoLoop, openai: OpenAi, model: str) -> None:
    settings = CaptureSettings(model=model, languages=("de", "en"), keywords=("Pykka",))
    ear = Ear(loop, openai, settings)
    ear.say()
    assert ear.final().text == "Hello there."
    assert openai.violations == []
    ear.port.close()
    ear.until_open(0)


def test_a_commit_that_nobody_answers_costs_its_segment_and_no_other(openai: OpenAi, ear: Ear) -> None:
    openai.habits.unanswered.add("input_audio_buffer.commit")
    ear.say(FIRST)
    openai.listener().wait_for("input_audio_buffer.commit")
    openai.habits.unanswered.clear()
    ear.port.drop(FIRST)
    ear.say(SECOND)
    assert ear.final().segment == SECOND
    assert len(openai.listeners) == 2


def test_whoever_was_idle_for_longest_gives_up_his_line(loop: IoLoop, openai: OpenAi) -> None:
    chairs = Listeners(1)
    anna, ben = Ear(loop, openai, listeners=chairs), Ear(loop, openai, listeners=chairs)
    anna.say()
    anna.final()
    ben.say()
    assert ben.final().text == "How are you?"
    assert openai.listener(0).wait_closed_by_client() == 1000
    assert chairs.open == 1
    for ear in (anna, ben):
        ear.port.close()
    ben.until_open(0)
