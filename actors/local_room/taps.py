"""Whoever listens in is told in the thread of whoever makes the noise, and holds nobody up but that one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Taps(Generic[T]):
    """Those who listen in to one thing; any thread may add one, take one out, and go through all of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Replaced as a whole, so that nobody has to wait who goes through them.
        self._taps: tuple[T, ...] = ()

    def __iter__(self) -> Iterator[T]:
        """Those who listen in now."""
        return iter(self._taps)

    def add(self, tap: T) -> Callable[[], None]:
        """One more; call the result to take him out."""
        with self._lock:
            self._taps = (*self._taps, tap)
        return lambda: self._take_out(tap)

    def _take_out(self, tap: T) -> None:
        with self._lock:
            self._taps = tuple(other for other in self._taps if other is not tap)
