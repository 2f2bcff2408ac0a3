"""Two workers tell each other one number, back and forth: how long a letter takes, and what it costs."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import Final

from actors.base import Life, Worker
from messages.lifecycle import Ending
from messages.mailbox import Mailbox
from tests.benchmarks.bench import cannot, tell
from tests.benchmarks.figures import Values, percentile

DEADLINE_SECONDS: Final = 30.0
STOP_SECONDS: Final = 2.0
FLOODED: Final = 20_000
"""So many letters are told at once to whoever only counts them."""


class Player(Worker[int]):
    """Sends back the time at which it does so, until enough letters have come."""

    def __init__(self, life: Life, most: int, done: threading.Event) -> None:
        super().__init__(life)
        self.other: Mailbox[int] | None = None
        self.taken: list[int] = []
        self._most, self._done = most, done

    def receive(self, message: int) -> None:
        self.taken.append(time.monotonic_ns() - message)
        if len(self.taken) == self._most:
            self._done.set()
        assert self.other is not None
        if len(self.taken) <= self._most:
            self.other.tell(time.monotonic_ns())


class Counter(Worker[int]):
    """Counts down to the last letter."""

    def __init__(self, life: Life, done: threading.Event) -> None:
        super().__init__(life)
        self._done = done

    def receive(self, message: int) -> None:
        if message == 0:
            self._done.set()


def played(rounds: int) -> Values:
    """A letter to and fro so many times."""
    done = threading.Event()
    first, second = (Player(Life.alone(name), rounds, done) for name in ("first", "second"))
    first.other, second.other = second.here, first.here
    _begin(first, second)
    cpu, began = time.process_time_ns(), time.monotonic_ns()
    first.here.tell(began)
    _wait(done)
    lasted, cpu = time.monotonic_ns() - began, time.process_time_ns() - cpu
    _end(first, second)
    taken = [*first.taken, *second.taken]
    return {
        "p50_us": percentile(taken, 50) / 1e3,
        "p99_us": percentile(taken, 99) / 1e3,
        "cpu_us": cpu / 1e3 / len(taken),
        "per_second": len(taken) * 1e9 / lasted,
    }


def flooded(letters: int) -> Values:
    """How many letters a second one worker takes, and what each costs both sides."""
    done = threading.Event()
    counter = Counter(Life.alone("counter"), done)
    _begin(counter)
    cpu, began = time.process_time_ns(), time.monotonic_ns()
    for number in reversed(range(letters)):
        counter.here.tell(number)
    _wait(done)
    lasted, cpu = time.monotonic_ns() - began, time.process_time_ns() - cpu
    _end(counter)
    return {"flood_per_second": letters * 1e9 / lasted, "flood_cpu_us": cpu / 1e3 / letters}


def _begin(*workers: Worker[int]) -> None:
    for worker in workers:
        worker.life.begin(worker)
        assert worker.life.wait_opened(STOP_SECONDS)


def _wait(done: threading.Event) -> None:
    if not done.wait(DEADLINE_SECONDS):
        raise TimeoutError("the letters did not arrive")


def _end(*workers: Worker[int]) -> None:
    for worker in workers:
        worker.life.ask_to_stop(Ending.SHUTDOWN, STOP_SECONDS)
        worker.life.wait_gone(STOP_SECONDS)


def main(rounds: str, where: str) -> None:
    """Play, on one core (`pinned`) or where the kernel likes it (`free`)."""
    if where == "pinned":
        try:
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        except OSError as error:
            cannot(f"threads cannot be kept on one core here ({error.strerror}): allow sched_setaffinity")
    tell({**played(int(rounds)), **flooded(FLOODED)})


if __name__ == "__main__":
    main(*sys.argv[1:])
