"""When each life began and ended, and a clock that the books of the supervisors alone go by."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import pytest

from actors.life import Life, Threads
from messages.lifecycle import Ending

LEAP_SECONDS: Final = 120.0
"""After this, no supervisor remembers a crash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One life has opened (no `ending`) or is gone; `at` is monotonic."""

    path: str
    incarnation: int
    at: float
    ending: Ending | None


class Lives:
    """The turns of all lives in the house, in their order; any thread may ask."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []
        self._leapt = 0.0
        self._changed = threading.Condition()

    def now(self) -> float:
        """The second by which supervisors count failures."""
        return time.monotonic() + self._leapt

    def leap(self) -> None:
        """Let two minutes pass for supervisors, so that the next crash is the first of its time."""
        self._leapt += LEAP_SECONDS

    def note(self, life: Life, ending: Ending | None) -> None:
        """It has opened, or is gone."""
        turn = Turn(path=life.path, incarnation=life.incarnation, at=time.monotonic(), ending=ending)
        with self._changed:
            self._turns.append(turn)
            self._changed.notify_all()

    def since(self, after: float) -> tuple[Turn, ...]:
        """Every turn since a moment."""
        with self._changed:
            return tuple(one for one in self._turns if one.at >= after)

    def wait(self, wanted: Callable[[Turn], bool], after: float, seconds: float) -> float | None:
        """When the first wanted turn after a moment came; None if none does."""

        def came() -> list[float]:
            return [one.at for one in reversed(self._turns) if one.at >= after and wanted(one)]

        with self._changed:
            times = self._changed.wait_for(came, seconds)
        return times[-1] if times else None

    def opened(self, path: str, after: float, seconds: float) -> float | None:
        """When whoever has a path that ends like this opened again."""
        return self.wait(lambda one: one.ending is None and _is(one.path, path), after, seconds)

    def gone(self, path: str, after: float, seconds: float) -> float | None:
        """When whoever has a path that ends like this was gone."""
        return self.wait(lambda one: one.ending is not None and _is(one.path, path), after, seconds)


def _is(path: str, name: str) -> bool:
    return f"/{path}".endswith(f"/{name}")


@contextmanager
def watched() -> Generator[Lives]:
    """Note every life meanwhile."""
    lives, opened, gone = Lives(), Life.mark_opened, Life.mark_gone

    def noting_opened(life: Life) -> None:
        opened(life)
        lives.note(life, None)

    def noting_gone(life: Life, ending: Ending, error: str | None) -> None:
        gone(life, ending, error)
        lives.note(life, ending)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Life, "mark_opened", noting_opened)
        patch.setattr(Life, "mark_gone", noting_gone)
        patch.setattr(Threads, "now", lambda _: lives.now())
        yield lives
