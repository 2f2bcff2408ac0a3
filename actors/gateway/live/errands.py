"""A short task that nobody waits for has an owner all the same, who ends it when nobody wants it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

GRACE_SECONDS = 0.25


class Errands:
    """Short tasks on the loop that nobody waits for, until they are let go."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def run(self, errand: Coroutine[object, object, None]) -> None:
        """Begin one."""
        task = asyncio.get_running_loop().create_task(errand)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def __len__(self) -> int:
        return len(self._running)

    async def let_go(self) -> None:
        """Cancel those that are not done within a moment."""
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=GRACE_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
