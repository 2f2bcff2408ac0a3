"""What a letter costs among a few actors and among hundreds, and what a receipt costs in a longer record."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from actors.base import Life, Worker
from messages.lifecycle import Ending
from messages.mailbox import Mailbox
from supervisors.report.gathering import gather
from supervisors.report.page import Report, page
from supervisors.report.story import stories
from tests.benchmarks.bench import tell
from tests.benchmarks.figures import Values
from tests.supervisors.report.evening import evening, write

FEW: Final = 2
"""The smallest ring in which every letter wakes somebody else."""
MANY: Final = 300
ROUNDS: Final = 5
SHORT: Final = 10_000
LONG: Final = 50_000
DEADLINE_SECONDS: Final = 30.0


class Passing(Worker[int]):
    """Passes a countdown on to its neighbour."""

    def __init__(self, life: Life, done: threading.Event) -> None:
        super().__init__(life)
        self.neighbour: Mailbox[int] | None = None
        self._done = done

    def receive(self, message: int) -> None:
        if message == 0:
            self._done.set()
        else:
            assert self.neighbour is not None
            self.neighbour.tell(message - 1)


class Ring:
    """So many actors around a table; a letter goes round it."""

    def __init__(self, actors: int) -> None:
        self._done = threading.Event()
        self._actors = [Passing(Life.alone(f"a{number}"), self._done) for number in range(actors)]
        for left, right in zip(self._actors, (*self._actors[1:], self._actors[0]), strict=True):
            left.neighbour = right.here
        for one in self._actors:
            one.life.begin(one)
            assert one.life.wait_opened(DEADLINE_SECONDS)

    def cheapest(self, letters: int) -> float:
        """What each of so many letters costs at the best of times: what disturbs one only ever adds."""
        return min(self._passed(letters) for _ in range(ROUNDS))

    def _passed(self, letters: int) -> float:
        """Microseconds of CPU for each of so many letters, one after the other."""
        self._done.clear()
        began = time.process_time_ns()
        self._actors[0].here.tell(letters)
        if not self._done.wait(DEADLINE_SECONDS):
            raise TimeoutError("the letter was lost on its way round")
        return (time.process_time_ns() - began) / 1e3 / letters

    def close(self) -> None:
        """Let everybody go."""
        for one in self._actors:
            one.life.ask_to_stop(Ending.SHUTDOWN, DEADLINE_SECONDS)
        for one in self._actors:
            one.life.wait_gone(DEADLINE_SECONDS)


def rings(letters: int) -> Values:
    """What a letter costs two alone, the same two among hundreds who sleep, and on its way round hundreds."""
    few = Ring(FEW)
    alone = few.cheapest(letters)
    many = Ring(MANY)
    try:
        among, around = few.cheapest(letters), many.cheapest(letters)
    finally:
        few.close()
        many.close()
    return {
        "alone_us": alone,
        "among_us": among,
        "asleep": among / alone,
        "around_us": around,
        "growth": around / among,
    }


def reported(receipts: int, folder: Path) -> float:
    """Microseconds of CPU for each line of a record of so many, to the page that tells of it."""
    record = write(folder / f"{receipts}.jsonl", evening(receipts))
    began = time.process_time_ns()
    found = gather([record], lambda _: None)
    told = page(Report(found=found, stories=tuple(stories(found)), made=datetime.now(UTC)))
    lasted = time.process_time_ns() - began
    assert found.receipts >= receipts <= len(told)
    return lasted / 1e3 / found.receipts


def main(letters: str = "6000", share: str = "1") -> None:
    """Pass so many letters on; records are a `share` of what they are to be."""
    with tempfile.TemporaryDirectory() as folder:
        short, long = (reported(round(lines * float(share)), Path(folder)) for lines in (SHORT, LONG))
    # Which of two cores the kernel chooses decides more than anything that is measured here.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    tell({**rings(int(letters)), "short_us": short, "long_us": long, "longer": long / short})


if __name__ == "__main__":
    main(*sys.argv[1:])
