"""A server may say much, or say it fast, but never so much so fast that the house has no time for others."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import Final

LONGEST_MESSAGE: Final = 12 * 2**20
"""Bytes of one message: files of 8 MiB as base64, and what stands around them."""
BURST: Final = 16 * 2**20
PER_SECOND: Final = 2 * 2**20
LINE_COST: Final = 1 << 10
"""What a line costs besides its bytes: the shortest message is work, too."""
REQUEST_COST: Final = 64 << 10
"""What a request costs that has to be declined."""
FINEST: Final = 50_000
"""How many pieces one message may have; an object, which has to be checked, is worth ten."""
TOO_LARGE: Final = "too_large"
_ENDS: Final = re.compile(rb"\r?\n\r?\n|\r\r")
"""An empty line, with which an event ends."""


def pieces(part: bytes) -> int:
    """About how many pieces a part of a message has: small ones take time out of proportion to their size."""
    return 10 * part.count(b"{") + part.count(b"[") + part.count(b",")


class Measure:
    """Of a body that comes in chunks: whether each of its messages is bearable."""

    def __init__(self, *, events: bool) -> None:
        self._events = events
        self._size = self._grain = 0
        self._tail = b""

    def fits(self, chunk: bytes) -> bool:
        """Take note of a chunk; a body that is no stream of events is one message."""
        if not self._events:
            return self._add(chunk)
        read = self._tail + chunk
        self._tail = read[len(read.rstrip(b"\r\n")) :][-3:]
        rest, *others = _ENDS.split(read)
        fit = self._add(rest)
        for other in others:
            self._size = self._grain = 0
            fit = self._add(other) and fit
        return fit

    def _add(self, part: bytes) -> bool:
        self._size, self._grain = self._size + len(part), self._grain + pieces(part)
        return self._size <= LONGEST_MESSAGE and self._grain <= FINEST


class Gauge:
    """What one server has said of late; who is over the measure is read later, not less."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._left, self._at = float(BURST), now()

    def cost(self, size: int) -> float:
        """Take note of so much, and return the seconds for which to read nothing more."""
        now = self._now()
        self._left = min(float(BURST), self._left + (now - self._at) * PER_SECOND) - size
        self._at = now
        return max(0.0, -self._left / PER_SECOND)

    async def spend(self, chunk: bytes) -> None:
        """Take note of a chunk of lines, and wait as long as that costs."""
        if (pause := self.cost(len(chunk) + LINE_COST * (chunk.count(b"\n") + chunk.count(b"\r")))) > 0:
            await asyncio.sleep(pause)
