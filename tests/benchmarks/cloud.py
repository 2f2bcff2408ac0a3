"""What we ourselves add to an answer out of the cloud, with providers on this machine who answer at once."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Final

from loguru import logger

from messages.audio import FRAME_BYTES, FRAME_SECONDS, SILENT_FRAME, Frame
from messages.floor import Trigger
from messages.ids import CaptureId, Connection, LineId, SegmentId, TurnId
from messages.people import Line, LineSource
from messages.realtime import TurnAsked
from tests.benchmarks import figures
from tests.benchmarks.bench import Bench, Ours, tell
from tests.benchmarks.figures import Of, Reading, Target
from tests.benchmarks.scene import ANNA, Cloud, Ear, Mouth, Transcriber
from tests.loopback.openai.transcription import Listener

VOICED = b"\1\0" * (FRAME_BYTES // 2)
VOICED_FRAMES, SILENT_FRAMES = 12, 19
"""A word, and the silence that ends a segment."""
BEFORE_FRAMES = 17
"""What the port is given of the time before a word."""
FRAMES_SENT_AT_ONCE = 4
FRAMES_A_SAMPLE = 32
ENOUGH_SECONDS, SHORT_SECONDS = 0.3, 0.1
"""Sentences that are longer and shorter than what is waited for before he begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the table. The budget is for the median, and may be `waited` for on purpose in part."""

    key: str
    name: str
    unit: str
    budget: float
    waited: float = 0.0

    def is_within(self, median: float, times: float) -> bool:
        """Whether what is not waited for on purpose takes at most so many times what it may."""
        return median - self.waited <= times * (self.budget - self.waited)

    @property
    def line(self) -> figures.Line:
        """The same as a line of the table."""
        target = Target(of=Of.OURS, bound=self.budget)
        return figures.Line(name=self.name, unit=self.unit, ours=Reading("ours", self.key), targets=(target,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How often each thing is measured.

    Sound comes from so many `people` at once, in real time; from nobody it comes as fast as it is taken.
    """

    words: int = 60
    answers: int = 60
    waits: int = 4
    frames: int = 96
    people: tuple[int, ...] = (8, 1, 0)


WORDS = Figure(key="words_ms", name="commit to the words at the floor", unit="ms", budget=10)
TEXT = Figure(key="text_ms", name="first text to the synthesizer's provider", unit="ms", budget=10)
SOUND = Figure(
    key="sound_ms", name="first sound of the provider to the first frame at the sender", unit="ms", budget=20
)
SHORT = replace(SOUND, key="short_ms", name=f"{SOUND.name}, 100 ms and no more", budget=140, waited=120)
SLOW = replace(SOUND, key="slow_ms", name=f"{SOUND.name}, as fast as speech", budget=220, waited=200)
APPENDS = {
    people: Figure(
        key=f"append_{people}_us",
        name=f"CPU of 20 ms of sound sent to be heard, {f'{people} in real time' if people else 'flat out'}",
        unit="us",
        budget=50,
    )
    for people in Plan().people
}


def measure(plan: Plan) -> Iterator[tuple[Figure, Sequence[float]]]:
    """Every figure with its samples; the first of each thing, which opens a line, is not counted."""
    with Cloud() as cloud:
        yield WORDS, list(_words(cloud, plan.words + 1))[1:]
    with Cloud() as cloud:
        said = _Answers(cloud)
        said.answer(ENOUGH_SECONDS)
        both = [said.answer(ENOUGH_SECONDS) for _ in range(plan.answers)]
        texts, sounds = zip(*both, strict=True)
        yield TEXT, texts
        yield SOUND, sounds
        yield SHORT, [said.answer(SHORT_SECONDS)[1] for _ in range(plan.waits)]
        cloud.elevenlabs.manners.chunk_bytes = FRAME_BYTES
        cloud.elevenlabs.manners.times_real = 1.0
        yield SLOW, [said.answer(ENOUGH_SECONDS)[1] for _ in range(plan.waits)]
    for people in plan.people:
        with Cloud() as cloud:
            yield APPENDS[people], list(_appends(cloud, plan.frames, people))


# --- ears -------------------------------------------------------------------------------------------


def _words(cloud: Cloud, times: int) -> Iterator[float]:
    """Milliseconds from the commit at the end of a segment to its words in the floor's mailbox."""
    ear, began, places = Ear(cloud), cloud.clock.now(), count()

    def put(*sounds: bytes) -> None:
        for pcm in sounds:
            at = began + next(places) * FRAME_SECONDS
            ear.sink.put(Frame(person=ANNA.id, capture=CaptureId("ear"), pcm=pcm, at=at))

    put(*[SILENT_FRAME] * SILENT_FRAMES)
    # The port may keep back three frames, and the last one has not come.
    sent = 20 * (BEFORE_FRAMES + VOICED_FRAMES + SILENT_FRAMES - FRAMES_SENT_AT_ONCE)
    for _ in range(times):
        put(*[VOICED] * VOICED_FRAMES, *[SILENT_FRAME] * (SILENT_FRAMES - 1))
        cloud.openai.until(partial(_holds, cloud.openai.listener(), sent))
        put(SILENT_FRAME)
        asked = ear.port.asked.wait()
        yield 1_000 * (ear.floor.came.wait() - asked)


def _appends(cloud: Cloud, frames: int, people: int) -> Iterator[float]:
    """Microseconds of CPU for each frame, on the actor's side and on the I/O thread together."""
    port, connection, segment = Transcriber(cloud), Connection(1), SegmentId("ear.1")
    port.open(lambda _: None)
    port.connect(connection)
    port.begin(connection, segment)
    port.append(segment, VOICED * FRAMES_SENT_AT_ONCE)
    listener = cloud.openai.listener()
    cloud.openai.until(partial(_holds, listener, 20 * FRAMES_SENT_AT_ONCE))
    pace, sent = threading.Event(), FRAMES_SENT_AT_ONCE
    for _ in range(frames // FRAMES_A_SAMPLE):
        ours, theirs = 0.0, cloud.on_io(time.thread_time)
        for _ in range(FRAMES_A_SAMPLE):
            began = time.thread_time()
            port.append(segment, VOICED)
            ours += time.thread_time() - began
            sent += 1
            if people:
                pace.wait(FRAME_SECONDS / people)
            elif sent % FRAMES_SENT_AT_ONCE == 0:
                cloud.openai.until(partial(_holds, listener, 20 * sent))
        theirs = cloud.on_io(time.thread_time) - theirs
        yield 1e6 * (ours + theirs) / FRAMES_A_SAMPLE
    port.close()
    listener.wait_over()


def _holds(listener: Listener, milliseconds: int) -> bool:
    return listener.buffered_ms >= milliseconds


# --- mouth ------------------------------------------------------------------------------------------


class _Answers:
    """Turns, one after the other: each is answered with two sentences, of which the second comes later."""

    def __init__(self, cloud: Cloud) -> None:
        self._cloud, self._mouth, self._numbers = cloud, Mouth(cloud), count(1)

    def answer(self, seconds: float) -> tuple[float, float]:
        """Milliseconds from the first text to the provider's ear, and from its first sound to the sender.

        The sound of a sentence takes so many seconds.
        """
        cloud, number = self._cloud, next(self._numbers)
        cloud.speaker.lasts(seconds)
        line = replace(_LINE, id=LineId(f"l{number}"))
        asked = TurnAsked(turn=TurnId(f"t{number}"), trigger=Trigger.ADDRESS, lines=(line,))
        self._mouth.realtime.here.tell(asked)
        conversation = cloud.openai.conversation()
        conversation.wait_held()
        began = time.perf_counter()
        conversation.go_on()
        spoken = cloud.speaker.asked.wait()
        sent = self._mouth.sender.first.wait()
        conversation.go_on(to_the_end=True)
        cloud.speaker.asked.wait()
        self._mouth.floor.came.wait()
        return 1_000 * (spoken - began), 1_000 * (sent - spoken)


_LINE = Line(
    id=LineId("l"), person=ANNA, text="Clankie, hello!", source=LineSource.SPOKEN, began=0.0, ended=1.0
)


def main() -> None:
    """Tell the medians."""
    logger.remove()
    tell({figure.key: statistics.median(samples) for figure, samples in measure(Plan())})


BENCH: Final = Bench(
    name="cloud",
    runs={"ours": Ours("tests.benchmarks.cloud")},
    lines=tuple(figure.line for figure in (WORDS, TEXT, SOUND, SHORT, SLOW, *APPENDS.values())),
)

if __name__ == "__main__":
    main()
