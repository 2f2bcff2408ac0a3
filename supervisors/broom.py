"""What nobody can reach any more leaves the memory within a minute; what is here for good is left alone."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

SWEEP_SECONDS: Final = 60.0


class Broom:
    """Sweeps now and then, as Python itself would not for days.

    It waits until a quarter of all that a program has loaded is there once more. Until then words that were
    said lie in cycles, and small tuples that were given back come to several MiB.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._due = now() + SWEEP_SECONDS

    def settle(self) -> None:
        """Whatever is there now is there for good: to look at the rest takes milliseconds."""
        gc.collect()
        gc.freeze()

    def due(self) -> bool:
        """Whether a minute is over; asks are counted from the last one that was."""
        if self._now() < self._due:
            return False
        self._due = self._now() + SWEEP_SECONDS
        return True

    def sweep(self) -> None:
        """Let go of what only holds itself, and of the room that Python keeps for the next small tuples."""
        gc.collect()
