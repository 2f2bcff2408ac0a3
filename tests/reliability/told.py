"""Everything that the lives of one program put on record, each with the second at which it came."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from messages.evidence import PrivateWords, Receipt, Recorded

PATIENCE_SECONDS: Final = 30.0
R = TypeVar("R", bound=Receipt | PrivateWords)
Kept = TypeVar("Kept", bound=Receipt | PrivateWords)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Generic[Kept]):
    """One receipt, or somebody's words; `at` is monotonic and when it came here, `life` counts from 1."""

    what: Kept
    at: float
    life: int


class Told:
    """The record of a whole evening; any thread may ask."""

    def __init__(self) -> None:
        self._came: list[Entry[Receipt | PrivateWords]] = []
        self._given: set[int] = set()
        self._changed = threading.Condition()
        self.on_told: Callable[[Entry[Receipt | PrivateWords]], None] = _unread
        """Told of each as it comes, on the thread that brings it."""

    def put(self, message: Recorded | PrivateWords, life: int) -> None:
        """One more."""
        what = message.receipt if isinstance(message, Recorded) else message
        entry: Entry[Receipt | PrivateWords] = Entry(what=what, at=time.monotonic(), life=life)
        with self._changed:
            self._came.append(entry)
            self._changed.notify_all()
        self.on_told(entry)

    def everything(self) -> list[Entry[Receipt | PrivateWords]]:
        """All of it so far, in the order in which it came."""
        with self._changed:
            return list(self._came)

    def all(self, kind: type[R], *, after: float = 0.0) -> list[Entry[R]]:
        """Every one of this kind that came after this monotonic second."""
        return [
            Entry(what=one.what, at=one.at, life=one.life)
            for one in self.everything()
            if isinstance(one.what, kind) and one.at >= after
        ]

    def expect(
        self,
        kind: type[R],
        wanted: Callable[[R], bool] = lambda _: True,
        seconds: float = PATIENCE_SECONDS,
        *,
        after: float = 0.0,
    ) -> Entry[R]:
        """The next of this kind that is wanted and was not given before; AssertionError in the end."""
        found: list[Entry[R]] = []

        def look() -> bool:
            for place, one in enumerate(self._came):
                if place in self._given or one.at < after or not isinstance(one.what, kind):
                    continue
                if wanted(one.what):
                    self._given.add(place)
                    found.append(Entry(what=one.what, at=one.at, life=one.life))
                    return True
            return False

        with self._changed:
            if not self._changed.wait_for(look, seconds):
                came = "\n  ".join(repr(one.what) for one in self._came[-40:])
                raise AssertionError(f"no such {kind.__name__} within {seconds} s; what came last:\n  {came}")
        return found[0]


def _unread(_entry: Entry[Receipt | PrivateWords]) -> None:
    """Nobody reads along."""
