"""The embedded listener hears real people, and is never asked twice for the same words."""

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from actors.audio.pcm import RATE, frames, read_wav
from actors.audio.pool import ModelPool
from actors.audio.vad import Silero
from actors.audio.whisper import Transcript, Whisper
from actors.base import Life
from actors.capture.actor import Capture
from actors.capture.decisions import Ask
from actors.capture.local import HearingModels, LocalActivity, LocalTranscriber
from actors.capture.settings import CaptureSettings
from messages.audio import FRAME_SECONDS, Frame
from messages.capture import (
    CapturePortEvent,
    ListenClosely,
    ListenerSpent,
    TranscriptFailed,
    TranscriptReady,
)
from messages.evidence import EvidenceMessage
from messages.floor import FloorMessage, VoiceBegan, VoiceEnded, WordsHeard
from messages.ids import CaptureId, Connection, PersonId, SegmentId, StayId
from messages.people import Person
from messages.stay import EarOpened, StayMessage
from messages.usage import Spending
from tests import models
from tests.actors.capture.fake import letters
from tests.clock import ManualClock
from tests.probe import Probe
from tests.speech.clips import FOLDER, HUMAN, Clip, error_rate

ANNA = Person(id=PersonId("anna"), label="Anna")
ONE, SEGMENT = Connection(1), SegmentId("s")
SILENCE = bytes(2 * RATE)


class Loaded(HearingModels):
    """The models that all tests share."""

    def silero(self) -> Silero:
        return models.silero()

    def whisper(self) -> Whisper:
        return models.whisper()


@contextmanager
def room() -> Generator[tuple[Capture, Callable[[bytes], None], Probe[FloorMessage]]]:
    """An unstarted Capture with the real models, and a way to feed it sound at once."""
    pool = ModelPool()
    hearing = Loaded(pool)
    stay, floor, clock = Probe[StayMessage](), Probe[FloorMessage](), ManualClock(10.0)
    actor = Capture(
        Life.alone(),
        stay_id=StayId("stay"),
        person=ANNA,
        capture_id=CaptureId("ear"),
        stay=stay,
        floor=floor,
        evidence=Probe[EvidenceMessage](),
        clock=clock,
        activity=LocalActivity(hearing),
        port=LocalTranscriber(hearing),
        settings=CaptureSettings(),
    )
    actor.opened()
    sink = stay.expect(EarOpened).sink

    def feed(sound: bytes) -> None:
        for frame in frames(sound):
            clock.advance(FRAME_SECONDS)
            sink.put(Frame(person=ANNA.id, capture=CaptureId("ear"), pcm=frame, at=clock.now()))
            while not letters(actor).empty():
                actor.receive(letters(actor).get().message)

    try:
        yield actor, feed, floor
    finally:
        assert pool.close(20)


def final(actor: Capture, floor: Probe[FloorMessage]) -> WordsHeard:
    """The next final, while transcripts come back from the pool."""
    while True:
        heard = [m for m in floor.received() if isinstance(m, WordsHeard) and m.final]
        if heard:
            return heard[0]
        actor.receive(letters(actor).get(timeout=20).message)


@pytest.mark.parametrize("clip", [HUMAN[1], HUMAN[5]], ids=lambda clip: clip.name)
def test_a_person_in_20_ms_frames_becomes_the_words_that_were_said(clip: Clip) -> None:
    with room() as (actor, feed, floor):
        feed(SILENCE + read_wav(clip.path) + SILENCE)
        words = final(actor, floor)
        began, ended = floor.expect(VoiceBegan), floor.expect(VoiceEnded)
    assert error_rate([(clip.words, words.text)]) <= 0.3
    assert began.segment == ended.segment == words.segment
    assert began.at < words.ended == ended.at


def test_stop_is_known_before_the_segment_has_ended_while_he_speaks() -> None:
    with room() as (actor, feed, floor):
        actor.receive(ListenClosely(on=True))
        feed(b"".join(models.voice().stream("Stop!")) + bytes(2 * RATE // 4))
        while not any(isinstance(message, WordsHeard) for message in floor.received()):
            actor.receive(letters(actor).get(timeout=20).message)
        heard = floor.expect(WordsHeard)
        assert not any(isinstance(message, VoiceEnded) for message in floor.received())
    assert "stop" in heard.text.lower()
    assert not heard.final


def test_noise_wakes_nobody() -> None:
    with room() as (_, feed, floor):
        for name in ("syn_keys", "syn_door", "syn_white"):
            feed(read_wav(HUMAN[0].path.parents[1] / "noise" / f"{name}.wav") + SILENCE)
    assert floor.received() == []


# --- the transcriber alone --------------------------------------------------------------------------


class Slow(Whisper):
    """Says how many bytes it heard, when it is allowed to."""

    def __init__(self) -> None:
        self.heard: list[int] = []
        self.go, self.fails = threading.Event(), False
        self.begun = threading.Semaphore(0)

    def transcribe(self, sound: object) -> Transcript:
        assert isinstance(sound, bytes)
        self.heard.append(len(sound))
        self.begun.release()
        assert self.go.wait(10)
        if self.fails:
            raise RuntimeError
        return Transcript(text=str(len(sound)), no_speech=0.0, score=0.0, seconds=1.0, babbled=False)


class Bench(HearingModels):
    """A transcriber whose model can be held back."""

    def __init__(self) -> None:
        super().__init__(ModelPool())
        self.model = Slow()
        self.probe = Probe[CapturePortEvent]()
        self.port = LocalTranscriber(self)
        self.port.open(self.probe.tell)
        self.port.connect(ONE)
        self.port.begin(ONE, SEGMENT)

    def whisper(self) -> Whisper:
        return self.model

    def ready(self) -> tuple[str, bool]:
        ready = self.probe.expect(TranscriptReady)
        return ready.text, ready.final


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.model.go.set()
    assert bench.pool.close(10)


def test_a_settled_guess_that_is_back_is_the_final_at_once(bench: Bench) -> None:
    bench.model.go.set()
    bench.port.append(SEGMENT, bytes(10))
    bench.port.ask(SEGMENT, Ask.GUESS, settled=False)
    assert bench.ready() == ("10", False)
    bench.port.append(SEGMENT, bytes(10))
    bench.port.ask(SEGMENT, Ask.FINAL, settled=True)
    assert bench.ready() == ("10", True)
    assert bench.model.heard == [10]


def test_a_segment_that_was_listened_to_again_and_again_was_written_down_once(bench: Bench) -> None:
    bench.model.go.set()
    bench.port.append(SEGMENT, bytes(4_800))
    bench.port.ask(SEGMENT, Ask.PARTIAL, settled=False)
    assert bench.ready() == ("4800", False)
    bench.port.ask(SEGMENT, Ask.FINAL, settled=False)
    assert bench.ready() == ("4800", True)
    spent = Spending(provider="local", model="whisper-tiny.en", audio_ms=100)
    told = [event for event in bench.probe.received() if isinstance(event, ListenerSpent)]
    assert told == [ListenerSpent(connection=ONE, spent=spent)]


def test_a_settled_guess_on_its_way_will_be_the_final(bench: Bench) -> None:
    bench.port.ask(SEGMENT, Ask.GUESS, settled=False)
    assert bench.model.begun.acquire(timeout=5)
    bench.port.append(SEGMENT, bytes(10))
    bench.port.ask(SEGMENT, Ask.FINAL, settled=True)
    bench.model.go.set()
    assert bench.ready() == ("0", True)
    assert bench.model.heard == [0]


def test_a_guess_from_before_more_voice_is_no_final(bench: Bench) -> None:
    bench.port.ask(SEGMENT, Ask.GUESS, settled=False)
    assert bench.model.begun.acquire(timeout=5)
    bench.port.append(SEGMENT, bytes(10))
    bench.port.ask(SEGMENT, Ask.GUESS, settled=False)
    bench.port.ask(SEGMENT, Ask.FINAL, settled=True)
    bench.model.go.set()
    assert [bench.ready(), bench.ready()] == [("0", False), ("10", True)]


def test_a_newer_partial_replaces_one_that_waits_and_a_final_replaces_both(bench: Bench) -> None:
    bench.port.ask(SEGMENT, Ask.PARTIAL, settled=False)
    assert bench.model.begun.acquire(timeout=5)
    for _ in range(3):
        bench.port.append(SEGMENT, bytes(10))
        bench.port.ask(SEGMENT, Ask.PARTIAL, settled=False)
    bench.port.ask(SEGMENT, Ask.FINAL, settled=False)
    bench.port.ask(SEGMENT, Ask.PARTIAL, settled=False)
    bench.model.go.set()
    assert [bench.ready(), bench.ready()] == [("0", False), ("30", True)]
    assert bench.model.heard == [0, 30]


def test_a_model_that_fails_is_a_failed_final_and_no_failed_partial(bench: Bench) -> None:
    bench.model.fails = True
    bench.model.go.set()
    bench.port.ask(SEGMENT, Ask.PARTIAL, settled=False)
    assert bench.model.begun.acquire(timeout=5)
    bench.port.ask(SEGMENT, Ask.FINAL, settled=False)
    failed = bench.probe.expect(TranscriptFailed)
    assert (failed.segment, failed.reason) == (SEGMENT, "transcriber_failed")


@pytest.mark.parametrize("forget", [lambda bench: bench.port.drop(SEGMENT), lambda bench: bench.port.close()])
def test_what_was_dropped_or_closed_is_not_spoken_of(bench: Bench, forget: Callable[[Bench], None]) -> None:
    bench.port.ask(SEGMENT, Ask.FINAL, settled=False)
    assert bench.model.begun.acquire(timeout=5)
    forget(bench)
    bench.model.go.set()
    bench.port.append(SEGMENT, bytes(10))
    bench.port.ask(SEGMENT, Ask.FINAL, settled=False)
    bench.port.disconnect(ONE)
    assert bench.pool.close(10)
    assert bench.probe.received() == []


def test_sound_is_kept_within_bounds(bench: Bench) -> None:
    bench.model.go.set()
    for _ in range(40):
        bench.port.append(SEGMENT, SILENCE)
    bench.port.ask(SEGMENT, Ask.FINAL, settled=False)
    assert bench.ready() == (str(35 * len(SILENCE)), True)


def test_a_model_that_cannot_be_loaded_fails_the_words_and_not_the_opening() -> None:
    pool = ModelPool()
    port, probe = LocalTranscriber(HearingModels(pool, Path("nowhere"))), Probe[CapturePortEvent]()
    port.open(probe.tell)
    port.begin(ONE, SEGMENT)
    port.ask(SEGMENT, Ask.FINAL, settled=False)
    assert probe.expect(TranscriptFailed).reason == "transcriber_failed"
    assert pool.close(10)


def test_a_closed_ear_hears_nothing() -> None:
    assert LocalActivity(HearingModels.__new__(HearingModels)).hear(b"") == ()


def test_the_models_are_loaded_once_for_all_listeners() -> None:
    pool = ModelPool()
    hearing = HearingModels(pool, names=("Clankie",))
    assert hearing.silero() is hearing.silero()
    assert hearing.whisper() is hearing.whisper()
    LocalTranscriber(hearing).open(Probe[CapturePortEvent]().tell)
    assert pool.close(10)


# --- what is no speech


@pytest.mark.parametrize("name", ["syn_hum_voice", "syn_laugh", "syn_cough"])
def test_no_part_of_a_noise_that_is_like_a_voice_says_anything_to_be_answered(name: str) -> None:
    sound = read_wav(FOLDER / "noise" / f"{name}.wav")
    for begin, end in ((0.0, 1.0), (0.3, 1.0), (0.3, 4.25), (0.0, 2.5), (0.5, 2.0), (3.0, 4.0)):
        part = sound[round(begin * RATE) * 2 : round(end * RATE) * 2]
        transcript = models.whisper_that_knows_clankie().transcribe(part)
        assert transcript.is_noise or len(transcript.text) <= 2, (begin, end, transcript)


@pytest.mark.parametrize("text", ["Stop.", "Enough.", "Quiet.", "Stop stop stop!", "No no no no no."])
@pytest.mark.parametrize("pitch", [0.72, 1.0, 1.35])
def test_an_order_is_no_noise_however_often_it_is_given(text: str, pitch: float) -> None:
    sound = SILENCE[: RATE // 2] + b"".join(models.voice().stream(text, pitch))
    assert not models.whisper_that_knows_clankie().transcribe(sound).is_noise


def test_whoever_is_heard_next_does_not_wait_until_the_words_have_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loading, released = threading.Event(), threading.Event()

    def slow(_folder: Path | None, **_options: object) -> str:
        loading.set()
        released.wait(10.0)
        return "words"

    monkeypatch.setattr("actors.capture.local.Whisper", slow)
    monkeypatch.setattr("actors.capture.local.Silero", lambda: "voices")
    pool = ModelPool()
    hearing = HearingModels(pool)
    words = threading.Thread(target=hearing.whisper)
    voices = threading.Thread(target=hearing.silero)
    words.start()
    assert loading.wait(5.0)
    voices.start()
    voices.join(5.0)
    assert not voices.is_alive()
    released.set()
    words.join(5.0)
    voices.join(5.0)
    pool.close(1.0)
