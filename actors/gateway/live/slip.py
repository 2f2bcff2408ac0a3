"""The house answers from whatever thread it likes; whoever waits for the answer waits on the loop."""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

from actors.net.loop import IoLoop

T = TypeVar("T")


class Slip(Generic[T]):
    """A mailbox for one answer, which is waited for on the loop."""

    def __init__(self, loop: IoLoop) -> None:
        self._loop = loop
        self._answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def tell(self, message: T, /) -> None:
        """The answer, from any thread; a second one is ignored."""
        self._loop.call(self._settle, message)

    async def wait(self, seconds: float) -> T | None:
        """Return the answer, or None if there is none by then."""
        try:
            async with asyncio.timeout(seconds):
                return await self._answer
        except TimeoutError:
            return None

    def _settle(self, message: T) -> None:
        if not self._answer.done():
            self._answer.set_result(message)
