"""Of all that a server may say, answers pass, a few questions are declined, and the rest is counted."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Final, Protocol, Self

import anyio
from loguru import logger
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest

from actors.captain.live_toolbox.gauge import REQUEST_COST, Gauge

if TYPE_CHECKING:
    from mcp.client._transport import ReadStream

LIST_CHANGED: Final = "notifications/tools/list_changed"
SERVER_GONE: Final = "server_gone"
BAD_FRAME: Final = "bad_frame"


class Watch:
    """What the owner of a connection waits for: its end, or that the tools have changed."""

    def __init__(self) -> None:
        self.stirred = asyncio.Event()
        self._ended = asyncio.Event()
        self.changed = False
        self.lost = ""
        """Why the connection is over, as a code; empty while it stands."""
        self.refused = ""
        """How the last refusal is called, whatever came of it."""

    def change(self) -> None:
        """The tools are to be listed again."""
        self.changed = True
        self.stirred.set()

    def take_change(self) -> bool:
        """Whether they have changed since this was asked last."""
        changed, self.changed = self.changed, False
        return changed

    def lose(self, reason: str) -> None:
        """It is over; the first reason counts."""
        self.lost = self.lost or reason
        self._ended.set()
        self.stirred.set()

    async def settle(self, seconds: float) -> None:
        """Let so much time pass, if it does not end meanwhile."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()


class Source(Protocol):
    """Where messages come from."""

    async def receive(self) -> SessionMessage | Exception:
        """The next one; raises EndOfStream after the last."""
        ...

    async def aclose(self) -> None:
        """Let no more come."""
        ...


class Gate:
    """A stream of messages without the ones that nobody here wants; its end is told to the watch."""

    def __init__(self, source: Source, watch: Watch, gauge: Gauge) -> None:
        self._source, self._watch, self._gauge = source, watch, gauge
        self._passed_over = 0

    async def receive(self) -> SessionMessage | Exception:
        """The next message that counts; raises EndOfStream after the last one."""
        while True:
            try:
                item = await self._source.receive()
            except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
                self._watch.lose(SERVER_GONE)
                raise anyio.EndOfStream from None
            if isinstance(item, SessionMessage) and await self._passes(item):
                return item

    async def _passes(self, item: SessionMessage) -> bool:
        match item.message:
            case JSONRPCNotification(method=method):
                if method == LIST_CHANGED:
                    self._watch.change()
                else:
                    self._passed_over += 1
                return False
            case JSONRPCRequest():
                await asyncio.sleep(self._gauge.cost(REQUEST_COST))
                return True
            case _:
                return True

    async def aclose(self) -> None:
        """Close the source."""
        if self._passed_over:
            logger.debug("{} notices of a server of tools were passed over", self._passed_over)
            self._passed_over = 0
        await self._source.aclose()

    def __aiter__(self) -> ReadStream[SessionMessage | Exception]:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()
