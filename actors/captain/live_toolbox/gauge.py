"""A server may say much, or say it fast, but never so much so fast that the house has no time for others."""

from __future__ import annotations

import asyncio
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


def pieces(part: bytes) -> int:
    """About how many pieces a part of a message has: small ones take time out of proportion to their size."""
    return 10 * part.count(b"{") + part.count(b"[") + part.count(b",")


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
        if (pause := self.cost(len(chunk) + LINE_COST * chunk.count(b"\n"))) > 0:
            await asyncio.sleep(pause)
