"""The bell beside the window: it rings on the console's own thread, and the answer comes back to this one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from actors.console.live.admission import Refused
from actors.console.port import ConsoleEvent
from actors.net.loop import IoLoop

T = TypeVar("T")


class Bell:
    """Asks the console something and waits; for the thread of all sockets."""

    def __init__(self, loop: IoLoop, events: Callable[[ConsoleEvent], None]) -> None:
        self._loop, self._events = loop, events

    async def ring(self, question: Callable[[Callable[[T], None]], ConsoleEvent], seconds: float) -> T:
        """The answer to a question that is made with the way back; raises Refused after so many seconds."""
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def settle(said: T) -> None:
            if not answer.done():
                answer.set_result(said)

        self._events(question(lambda said: void(self._loop.call(settle, said))))
        try:
            return await asyncio.wait_for(answer, seconds)
        except TimeoutError:
            raise Refused(503, "the console does not answer; look into its log, or restart it") from None


def void(_: object) -> None:
    """Nothing, whatever it is given: a way back tells nobody whether somebody still waits there."""
