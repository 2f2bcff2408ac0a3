"""The time that a line bears: a clock that is put back a little does not turn the record around."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from actors.clock import Clock

WAITED_FOR: Final = timedelta(minutes=1)
"""What a time server takes back at most; a clock that is put back further was wrong, and is right now."""


class Stamp:
    """For one thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last: datetime | None = None

    def time(self) -> datetime:
        """The time of the next line."""
        wall = self._clock.wall()
        if self._last is None or not timedelta(0) < self._last - wall <= WAITED_FOR:
            self._last = wall
        return self._last
