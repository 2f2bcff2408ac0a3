"""Who shows the key may give the captain an order, and is told line by line what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from loguru import logger

from actors.console.live.admission import Refused, json_in
from actors.console.live.guard import Guests
from actors.console.live.questions import NO_STORE
from actors.console.live.routes import LINES
from actors.console.port import ConsoleEvent
from actors.console.wire import LONGEST_REQUEST, Answered, Works, read_line, request_in
from actors.net.loop import IoLoop
from messages.console import OperatorAsked, OperatorHungUp
from messages.ids import HandoffId, new_id

if TYPE_CHECKING:
    from aiohttp import web

MOST_ASKS: Final = 4
MOST_LINES: Final = 64
"""How many lines may wait for one who does not read; of more, the oldest are dropped."""
HEARTBEAT_SECONDS: Final = 5.0
"""So often a line goes out even if there is nothing to tell."""
WRITE_SECONDS: Final = 5.0
"""How long one who does not read is waited for."""
_WORKS: Final = Works(works=True).model_dump_json()


class Asks:
    """Everybody at the window who waits for the captain; for the thread of all sockets."""

    def __init__(self, loop: IoLoop, guests: Guests, events: Callable[[ConsoleEvent], None]) -> None:
        self._loop, self._guests, self._events = loop, guests, events
        self._waiting = 0

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one POST, which ends with the captain's answer, or with whoever asked going away."""
        wanted = request_in(await json_in(request))
        if wanted is None:
            raise Refused(422, f'send {{"request": "…"}}, with 1 to {LONGEST_REQUEST} characters')
        if self._waiting >= MOST_ASKS:
            raise Refused(429, "too many are asking the captain now; ask again later")
        self._waiting += 1
        try:
            return await self._stay(request, wanted)
        finally:
            self._waiting -= 1

    async def _stay(self, request: web.BaseRequest, wanted: str) -> web.StreamResponse:
        from aiohttp import web

        response = web.StreamResponse(headers=NO_STORE)
        response.content_type = LINES
        response.force_close()
        if (transport := request.transport) is None:
            return response
        with self._guests.staying(transport):
            try:
                await response.prepare(request)
                await self._told_all(response, wanted)
            except (ConnectionError, TimeoutError):
                transport.abort()
        return response

    async def _told_all(self, response: web.StreamResponse, wanted: str) -> None:
        """Ask, and write what comes until the answer came; whatever ends this earlier takes it back."""
        handoff, lines, answered = HandoffId(new_id()), Lines(), False

        def news(line: str) -> None:
            self._loop.call(lines.put, line)

        try:
            self._events(OperatorAsked(handoff=handoff, request=wanted, news=news))
            while not answered:
                line = await lines.next()
                async with asyncio.timeout(WRITE_SECONDS):
                    await response.write(f"{line}\n".encode())
                answered = isinstance(read_line(line), Answered)
        finally:
            if not answered:
                self._events(OperatorHungUp(handoff=handoff))
            if lines.dropped:
                logger.warning("{} lines for hand-off {} were not sent", lines.dropped, handoff)


class Lines:
    """What is to be sent to one who asked."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str] = asyncio.Queue(MOST_LINES)
        self.dropped = 0

    def put(self, line: str) -> None:
        """One more; the answer, which comes last, is never the oldest."""
        if self._lines.full():
            self._lines.get_nowait()
            self.dropped += 1
        self._lines.put_nowait(line)

    async def next(self) -> str:
        """The next one, or after HEARTBEAT_SECONDS one that says nothing."""
        try:
            return await asyncio.wait_for(self._lines.get(), HEARTBEAT_SECONDS)
        except TimeoutError:
            return _WORKS
