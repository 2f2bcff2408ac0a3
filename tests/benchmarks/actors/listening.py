"""Real listeners that note when each frame has reached them, and a thread beside that never rests."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Final, Self

from actors.base import Life
from actors.capture.actor import Capture
from actors.capture.settings import CaptureSettings
from actors.clock import SystemClock
from messages.audio import Frame, SoundSink
from messages.ids import CaptureId, PersonId, StayId
from messages.lifecycle import Ending
from messages.people import Person
from messages.stay import EarOpened, StayMessage
from supervisors.cli import SWITCH_SECONDS
from tests.actors.capture.fake import FakeTranscriber
from tests.benchmarks.figures import Values, percentile
from tests.probe import Probe

INTERVALS: Final[Mapping[str, float]] = {"house": SWITCH_SECONDS, "python": 0.005}
"""How long a busy thread may make the others wait: as the house has it, and as Python has it of itself."""
OPEN_SECONDS: Final = 5.0
STOP_SECONDS: Final = 2.0


class Noting:
    """Judges nothing, and notes when it was given something to judge."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def open(self) -> None:
        """Nothing is needed."""

    def hear(self, pcm: bytes) -> tuple[float, ...]:
        """Note the time; no window is ever complete."""
        del pcm
        self.times.append(time.monotonic())
        return ()

    def close(self) -> None:
        """Nothing is held."""


class Watched:
    """A sink before the sink: notes when the packet of each frame came in."""

    def __init__(self, sink: SoundSink) -> None:
        self.came: list[float] = []
        self._sink = sink

    def put(self, frame: Frame, /) -> None:
        """Pass it on."""
        self.came.append(frame.at)
        self._sink.put(frame)


class Ear:
    """One person's listener; what it hears goes into `sink`."""

    def __init__(self, person: PersonId, clock: SystemClock) -> None:
        stay: Probe[StayMessage] = Probe()
        self._heard = Noting()
        self.life = Life.alone(f"ear-{person}")
        worker = Capture(
            self.life,
            stay_id=StayId("stay"),
            person=Person(id=person, label="Somebody"),
            capture_id=CaptureId(f"c{person}"),
            stay=stay,
            floor=Probe(),
            evidence=Probe(),
            clock=clock,
            activity=self._heard,
            port=FakeTranscriber(),
            settings=CaptureSettings(),
        )
        self.life.begin(worker)
        self.sink = Watched(stay.expect(EarOpened, OPEN_SECONDS).sink)

    def taken(self) -> list[float]:
        """Seconds from each packet to its listener; what fell out of the pipe unheard is not among them."""
        return [heard - came for came, heard in zip(self.sink.came, self._heard.times, strict=False)]

    def forget(self) -> None:
        """Begin anew, while nothing comes."""
        self.sink.came.clear()
        self._heard.times.clear()

    def close(self) -> None:
        """End it."""
        self.life.ask_to_stop(Ending.SHUTDOWN, STOP_SECONDS)
        self.life.wait_gone(STOP_SECONDS)


class Ears:
    """A context manager of one ear for each of these people."""

    def __init__(self, people: Sequence[PersonId]) -> None:
        self._people = people
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        clock = SystemClock()
        clock.start()
        self._undo.callback(clock.stop, STOP_SECONDS)
        self.each: list[Ear] = []
        for person in self._people:
            ear = Ear(person, clock)
            self._undo.callback(ear.close)
            self.each.append(ear)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.close()

    def figures(self, how: str) -> Values:
        """How long frames were on their way since the last call; a frame that never arrived is missing."""
        taken = [one for ear in self.each for one in ear.taken()]
        came = sum(len(ear.sink.came) for ear in self.each)
        for ear in self.each:
            ear.forget()
        return {
            f"{how}_p50_ms": 1e3 * percentile(taken, 50),
            f"{how}_p99_ms": 1e3 * percentile(taken, 99),
            f"{how}_max_ms": 1e3 * max(taken),
            f"{how}_frames": len(taken),
            f"{how}_missing": came - len(taken),
        }


class Busy:
    """A context manager of a thread that never rests."""

    def __enter__(self) -> Self:
        self._enough = False
        self._thread = threading.Thread(target=self._spin, name="busy", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._enough = True
        self._thread.join(STOP_SECONDS)

    def _spin(self) -> None:
        number = 0
        while not self._enough:
            number = (number * 31 + 7) % 1_000_003
