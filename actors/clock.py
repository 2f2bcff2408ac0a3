"""Time, as the house sees it: a number that only grows, and letters that arrive later."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol, TypeVar

from messages.mailbox import Mailbox

M = TypeVar("M")


class Clock(Protocol):
    """What a room knows of time. Timers are messages, not callbacks: ignored rather than cancelled."""

    def now(self) -> float:
        """Monotonic seconds."""
        ...

    def wall(self) -> datetime:
        """The time people read, aware, in UTC."""
        ...

    def after(self, seconds: float, mailbox: Mailbox[M], message: M) -> None:
        """Tell `message` to `mailbox` once `seconds` have passed."""
        ...


class SystemClock:
    """The real clock: one thread, one heap, any number of timers."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._stopped = False
        self._thread = threading.Thread(target=self._keep_time, name="clock", daemon=True)

    def now(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()

    def wall(self) -> datetime:
        """The time people read, aware, in UTC."""
        return datetime.now(UTC)

    def after(self, seconds: float, mailbox: Mailbox[M], message: M) -> None:
        """Tell later; equal times keep their order, and a stopped clock forgets."""
        with self._changed:
            if self._stopped:
                return
            entry = (self.now() + seconds, next(self._order), lambda: mailbox.tell(message))
            heapq.heappush(self._due, entry)
            if self._due[0] is entry:
                self._changed.notify()

    def start(self) -> None:
        """Begin to deliver; timers set before are delivered too."""
        self._thread.start()

    def stop(self, deadline: float) -> bool:
        """Forget every timer and end within `deadline` seconds; false if it was still delivering."""
        with self._changed:
            self._stopped = True
            self._due.clear()
            self._changed.notify()
        if self._thread.ident is not None:
            self._thread.join(deadline)
        return not self._thread.is_alive()

    def _keep_time(self) -> None:
        while (deliver := self._next()) is not None:
            deliver()

    def _next(self) -> Callable[[], None] | None:
        """Wait for the next timer; None once the clock is stopped."""
        with self._changed:
            while not self._stopped:
                wait = self._due[0][0] - self.now() if self._due else None
                if wait is not None and wait <= 0:
                    return heapq.heappop(self._due)[2]
                self._changed.wait(wait)
            return None
