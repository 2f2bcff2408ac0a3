"""CPU of a packet that wakes the media process, 400 of them a second, while eight people talk."""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from messages.audio import Frame
from messages.ids import PersonId
from tests.benchmarks.bench import tell
from tests.benchmarks.crowd import Crowd
from tests.benchmarks.figures import percentile
from tests.benchmarks.kernel import cpu_seconds
from tests.benchmarks.receive.people import PEOPLE

SECONDS: Final = 3.0
A_SECOND: Final = 50 * PEOPLE
WARM_UP: Final = A_SECOND // 2
GRACE_SECONDS: Final = 5.0


class Gauge:
    """A sink for everybody: when whose frame got here, and what both processes cost meanwhile."""

    def __init__(self, media: int, packets: int) -> None:
        self.came: dict[PersonId, list[float]] = {}
        self.over = threading.Event()
        self._media, self._packets, self._count = media, packets, 0
        self._began: tuple[float, ...] = ()
        self._ended: tuple[float, ...] = ()

    def put(self, frame: Frame, /) -> None:
        """Take one frame; all come on one thread."""
        self._count += 1
        self.came.setdefault(frame.person, []).append(time.monotonic())
        if self._count == WARM_UP:
            self._began = self._read()
        elif self._count == WARM_UP + self._packets:
            self._ended = self._read()
            self.over.set()

    def each(self) -> tuple[float, ...]:
        """Of a packet: microseconds in the media process and in the house, and wakes of the former."""
        readings = zip(self._began, self._ended, strict=True)
        return tuple((after - before) / self._packets for before, after in readings)

    def _read(self) -> tuple[float, float, float]:
        return 1e6 * cpu_seconds(self._media), 1e6 * cpu_seconds("self"), wakes(self._media)


def wakes(pid: int) -> float:
    """Return how often a process has gone to sleep of its own accord."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))


def delays(left: Sequence[Sequence[float]], came: Sequence[Sequence[float]]) -> list[float]:
    """Return the milliseconds from each person's packets to his frames, of which none may be missing."""
    pairs = itertools.chain.from_iterable(map(zip, left, came))
    return [1e3 * (here - there) for there, here in pairs]


def measure(seconds: float) -> dict[str, float]:
    """Return microseconds and wakes, each of one packet, and milliseconds from its sender to the sink."""
    with Crowd(people=PEOPLE, seconds=seconds + GRACE_SECONDS) as crowd:
        (link,) = crowd.links()
        gauge = Gauge(link.pid, round(seconds * A_SECOND))
        for person in link.people:
            link.hear(person, gauge)
        crowd.talk(True)
        assert gauge.over.wait(seconds + GRACE_SECONDS), "they were not heard"
        crowd.talk(False)
        left = crowd.departures()
    media, house, woken = gauge.each()
    waits = delays(left, [gauge.came[person] for person in link.people])
    return {
        "us": media,
        "house_us": house,
        "wakes": woken,
        "p50_ms": percentile(waits, 50),
        "p99_ms": percentile(waits, 99),
    }


def main(arguments: Sequence[str]) -> None:
    """Measure once."""
    tell(measure(float(arguments[0]) if arguments else SECONDS))


if __name__ == "__main__":
    main(sys.argv[1:])
