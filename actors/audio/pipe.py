"""Sound waits in a short pipe; the mailbox holds one knock at the door, not a heap of frames."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class FramePipe(Generic[T]):
    """A bounded queue that loses its oldest item when full, and counts it.

    `wake` tells the reader that there is something to drain. It is called on the writer's thread, outside the
    lock, and not again before the reader has drained; so a reader that drains only when woken never has two
    wake-ups in its mailbox. 100 frames are two seconds of sound.
    """

    def __init__(self, wake: Callable[[], None], bound: int = 100) -> None:
        if bound < 1:
            raise ValueError("a pipe holds at least one item")
        self._wake = wake
        self._bound = bound
        self._lock = threading.Lock()
        self._items: deque[T] = deque()
        self._awake = False
        self._dropped = 0

    @property
    def dropped(self) -> int:
        """How many items fell out unread since the pipe was laid."""
        return self._dropped

    def put(self, item: T, /) -> None:
        """Add one item from any thread; never blocks for longer than another put or drain takes."""
        with self._lock:
            if len(self._items) == self._bound:
                self._items.popleft()
                self._dropped += 1
            self._items.append(item)
            wake, self._awake = not self._awake, True
        if wake:
            self._wake()

    def drain(self) -> tuple[T, ...]:
        """Everything that waits, oldest first; the next put wakes the reader again."""
        with self._lock:
            items, self._items = self._items, deque()
            self._awake = False
        return tuple(items)
