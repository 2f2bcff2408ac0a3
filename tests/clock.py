"""In a test, time passes when the test says so, and never by itself."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from messages.mailbox import Mailbox

M = TypeVar("M")
_EPOCH = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


class ManualClock:
    """A clock for one thread; begins at `now` seconds, and at noon of 2026-01-01 UTC."""

    def __init__(self, now: float = 0.0) -> None:
        self._began = self._now = now
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()

    def now(self) -> float:
        """Seconds so far."""
        return self._now

    def wall(self) -> datetime:
        """The time people would read."""
        return _EPOCH + timedelta(seconds=self._now - self._began)

    def after(self, seconds: float, mailbox: Mailbox[M], message: M) -> None:
        """Deliver when `advance` passes that moment; equal moments keep their order."""
        heapq.heappush(
            self._due, (self._now + max(seconds, 0.0), next(self._order), lambda: mailbox.tell(message))
        )

    def next_due(self) -> float | None:
        """The moment of the next timer, or None."""
        return self._due[0][0] if self._due else None

    def advance(self, seconds: float) -> None:
        """Let time pass, delivering what falls due on the way at its own moment, new timers included."""
        self.advance_to(self._now + seconds)

    def advance_to(self, end: float) -> None:
        """The same, up to a moment; a sum of floats may miss a timer that its own moment does not."""
        while self._due and self._due[0][0] <= end:
            moment, _, deliver = heapq.heappop(self._due)
            self._now = moment
            deliver()
        self._now = end
