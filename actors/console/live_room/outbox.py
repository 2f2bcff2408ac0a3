"""Words wait until they are read, sound does not: who falls behind by two seconds has missed something."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from actors.console.live_room.wire import Told, text_of

if TYPE_CHECKING:
    from aiohttp import web

MOST_FRAMES: Final = 100
MOST_TEXTS: Final = 100
"""Of one who lets so many wait nothing is to be expected any more."""
PING_SECONDS: Final = 5.0
STUCK_SECONDS: Final = 5.0
"""How long one who does not read is waited for."""


class Stuck(Exception):
    """He reads nothing."""


class Outbox:
    """All that is to be sent to one seat; for the thread of all sockets."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque(maxlen=MOST_TEXTS + 1)
        self._sounds: deque[bytes] = deque()
        self._filled = asyncio.Event()
        self.dropped = 0
        """Frames of sound that were not sent."""

    def say(self, told: Told) -> None:
        """One more thing to tell him."""
        self._texts.append(text_of(told))
        self._filled.set()

    def sound(self, frame: bytes) -> None:
        """One more frame of sound; of too many, the oldest is dropped."""
        if len(self._sounds) == MOST_FRAMES:
            self._sounds.popleft()
            self.dropped += 1
        self._sounds.append(frame)
        self._filled.set()

    async def pump(self, line: web.WebSocketResponse) -> None:
        """Send all that comes, and a ping now and then; raises Stuck, and ConnectionError when he is gone."""
        due = time.monotonic() + PING_SECONDS
        while True:
            if (now := time.monotonic()) >= due:
                due = now + PING_SECONDS
                await _in_time(line.ping())
            with suppress(TimeoutError):
                async with asyncio.timeout(due - now):
                    await self._filled.wait()
            self._filled.clear()
            await self._empty(line)

    async def _empty(self, line: web.WebSocketResponse) -> None:
        while self._texts or self._sounds:
            if len(self._texts) > MOST_TEXTS:
                raise Stuck
            if self._texts:
                await _in_time(line.send_str(self._texts.popleft()))
            else:
                await _in_time(line.send_bytes(self._sounds.popleft()))


async def _in_time(sending: Awaitable[None]) -> None:
    try:
        async with asyncio.timeout(STUCK_SECONDS):
            await sending
    except TimeoutError:
        raise Stuck from None
