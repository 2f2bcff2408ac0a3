"""How a broken websocket is taken up again: at once, then with patience, and not for ever."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

LIMIT: Final = 5.0
"""Seconds in which a resume must succeed."""
BACKOFF: Final = (0.0, 0.25, 0.5, 1.0)
"""Seconds before each try; after the last there is none."""
CALM: Final = 10.0
"""Seconds after a success before the next break is taken for a first one again."""


class Step(StrEnum):
    """What is due."""

    CONNECT = "connect"
    GIVE_UP = "give_up"


class Comeback:
    """The tries after one break; a line that breaks again and again waits longer before each first try."""

    def __init__(self) -> None:
        self._broke = 0.0
        self._tries = 0
        self._breaks = 0
        self._back: float | None = None
        self._retry: float | None = None
        self._active = False

    @property
    def resting(self) -> bool:
        """Whether no websocket is open or opening."""
        return self._retry is not None

    @property
    def due(self) -> float | None:
        """When `step` is wanted, monotonic seconds."""
        if not self._active:
            return None
        limit = self._broke + LIMIT
        return limit if self._retry is None else min(self._retry, limit)

    def broke(self, now: float) -> None:
        """The websocket that stood is gone."""
        quiet = self._back is None or now - self._back >= CALM
        self._breaks = 0 if quiet else self._breaks + 1
        self._active, self._broke, self._tries = True, now, 0
        self._retry = now + self._wait()

    def failed(self, now: float) -> bool:
        """A try has failed: whether there is another."""
        if self._tries == len(BACKOFF):
            return False
        self._retry = now + self._wait()
        return True

    def step(self, now: float) -> Step | None:
        """What is due now."""
        if not self._active:
            return None
        if now >= self._broke + LIMIT:
            return Step.GIVE_UP
        if self._retry is None or now < self._retry:
            return None
        self._retry = None
        self._tries += 1
        return Step.CONNECT

    def succeeded(self, now: float) -> tuple[int, int]:
        """The line is back: after how many ms and tries."""
        self._active, self._back = False, now
        return round((now - self._broke) * 1000), self._tries

    def _wait(self) -> float:
        return BACKOFF[min(self._tries + self._breaks, len(BACKOFF) - 1)]
