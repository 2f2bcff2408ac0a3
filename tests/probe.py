"""A probe is a neighbour that only listens, so that a test can ask what it heard."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

M = TypeVar("M")
K = TypeVar("K")


class Probe(Generic[M]):
    """A mailbox for tests; any thread may tell it anything."""

    def __init__(self) -> None:
        self._came: list[M] = []
        self._taken: set[int] = set()
        self._changed = threading.Condition()

    def tell(self, message: M, /) -> None:
        """Keep the message and wake whoever expects it."""
        with self._changed:
            self._came.append(message)
            self._changed.notify_all()

    def expect(self, kind: type[K], timeout: float = 10.0) -> K:
        """Wait for the next message of `kind` that no earlier `expect` returned.

        Other kinds stay for later calls; after `timeout` seconds an AssertionError lists what came.
        """
        found: list[K] = []
        with self._changed:
            if not self._changed.wait_for(lambda: self._take(kind, found), timeout):
                heard = "\n  ".join(map(repr, self._came)) or "nothing"
                raise AssertionError(f"no {kind.__name__} within {timeout} s; what came:\n  {heard}")
        return found[0]

    def received(self) -> list[M]:
        """Everything that came since the last `clear`, in order, taken by `expect` or not."""
        with self._changed:
            return list(self._came)

    def clear(self) -> None:
        """Forget everything that came."""
        with self._changed:
            self._came.clear()
            self._taken.clear()

    def _take(self, kind: type[K], found: list[K]) -> bool:
        for place, message in enumerate(self._came):
            if place not in self._taken and isinstance(message, kind):
                self._taken.add(place)
                found.append(message)
                return True
        return False
