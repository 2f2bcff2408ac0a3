"""Everything that the house puts on record, with the moment at which it came."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from messages.evidence import PrivateWords, Receipt, Recorded

R = TypeVar("R", bound=Receipt)


class Record:
    """A watcher of the record; any thread may ask."""

    def __init__(self) -> None:
        self._came: list[tuple[float, Receipt]] = []
        self._changed = threading.Condition()

    def tell(self, message: Recorded | PrivateWords, /) -> None:
        """Keep it, and wake whoever waits."""
        if isinstance(message, Recorded):
            with self._changed:
                self._came.append((time.monotonic(), message.receipt))
                self._changed.notify_all()

    def wait(
        self, kind: type[R], after: float, seconds: float, wanted: Callable[[R], bool] = lambda _: True
    ) -> R | None:
        """The first wanted receipt of this kind after a moment; None if none comes."""

        def came() -> list[R]:
            return [one for _, one in self._since(after) if isinstance(one, kind) and wanted(one)]

        with self._changed:
            found = self._changed.wait_for(came, seconds)
        return found[0] if found else None

    def since(self, after: float) -> tuple[Receipt, ...]:
        """Every receipt since a moment."""
        with self._changed:
            return tuple(one for _, one in self._since(after))

    def forget(self) -> None:
        """What was recorded so far is of no interest."""
        with self._changed:
            self._came.clear()

    def _since(self, after: float) -> list[tuple[float, Receipt]]:
        return [(at, one) for at, one in self._came if at >= after]
