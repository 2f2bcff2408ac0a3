"""CPU of a frame on its way through three actors, which only pass it on.

Arguments: frames one after the other, frames a second, and frames at once.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from actors.base import Life, Worker
from messages.audio import SILENT_FRAME, Frame
from messages.ids import CaptureId, PersonId
from messages.lifecycle import Ending
from messages.mailbox import Mailbox
from tests.benchmarks.bench import tell

DEADLINE_SECONDS: Final = 30.0
STOP_SECONDS: Final = 2.0


class Stage(Worker[Frame]):
    """Passes everything on."""

    def __init__(self, life: Life, then: Mailbox[Frame]) -> None:
        super().__init__(life)
        self._then = then

    def receive(self, message: Frame) -> None:
        self._then.tell(message)


class End:
    """Counts what has come through, in the thread of the last stage."""

    def __init__(self) -> None:
        self._left = 0
        self.done = threading.Event()

    def expect(self, frames: int) -> None:
        """From now on so many."""
        self._left = frames
        self.done.clear()

    def tell(self, _frame: Frame, /) -> None:
        """One more."""
        self._left -= 1
        if self._left == 0:
            self.done.set()


@contextmanager
def chain(end: End) -> Generator[Mailbox[Frame]]:
    """Three of them; the mailbox of the first one."""
    last = Stage(Life.alone("last"), end)
    middle = Stage(Life.alone("middle"), last.here)
    stages = (Stage(Life.alone("first"), middle.here), middle, last)
    for stage in stages:
        stage.life.begin(stage)
        assert stage.life.wait_opened(STOP_SECONDS)
    yield stages[0].here
    for stage in stages:
        stage.life.ask_to_stop(Ending.SHUTDOWN, STOP_SECONDS)
        stage.life.wait_gone(STOP_SECONDS)


def measured(first: Mailbox[Frame], end: End, frames: int, pause: float) -> float:
    """Microseconds of CPU of each of so many frames."""
    person, never = PersonId("p"), threading.Event()
    end.expect(frames)
    began, due = time.process_time(), time.monotonic()
    for number in range(frames):
        first.tell(Frame(person=person, capture=CaptureId("c"), pcm=SILENT_FRAME, at=float(number)))
        if pause:
            due += pause
            never.wait(max(0.0, due - time.monotonic()))
    assert end.done.wait(DEADLINE_SECONDS), "the frames did not come through"
    return 1e6 * (time.process_time() - began) / frames


def main(woken: int, per_second: int, hot: int) -> None:
    """Measure once."""
    end = End()
    with chain(end) as first:
        measured(first, end, hot // 4, 0.0)
        values = {
            "woken_us": measured(first, end, woken, 1.0 / per_second),
            "hot_us": measured(first, end, hot, 0.0),
        }
    tell(values)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
