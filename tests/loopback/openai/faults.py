"""What may go wrong with one answer, and an answer that goes wrong in just that way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from aiohttp import web

from tests.loopback.providers import pause

GARBAGE = b'data: {"choices": [\n\n'
"""A line that promises JSON and holds none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The trouble of one answer; a piece is one event of a stream, or one block of sound."""

    cut_after: int | None = None
    """The connection is aborted after so many pieces."""
    stall_after: int | None = None
    """Nothing more comes after so many pieces, and nothing ends."""
    garbage_after: int | None = None
    """After so many pieces comes a line that is no JSON."""
    end_after: int | None = None
    """It ends in good order after so many pieces, without what should end it."""
    first_seconds: float = 0.0
    """How long the first piece takes."""
    between_seconds: float = 0.0
    """How long each later piece takes."""


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One request, and what became of it."""

    method: str
    path: str
    status: int | None = None
    """What was answered; None until then, and for a client who left before."""
    dropped: bool = False
    """Whether the client left before the answer was whole, or the connection was cut."""
    last_sent: bool = False
    """Whether a streamed answer was sent to its end; a client may leave once he has seen that."""


class Outflow:
    """One streamed answer, piece by piece, with the trouble that was ordered for it."""

    def __init__(
        self, request: web.Request, exchange: Exchange, fault: Fault, headers: Mapping[str, str]
    ) -> None:
        self._request, self._exchange, self._fault = request, exchange, fault
        self._response = web.StreamResponse(headers={"x-request-id": "req_loopback", **headers})
        self._response.enable_chunked_encoding()
        self._sent = 0

    async def send(self, pieces: AsyncIterator[bytes], last: bytes = b"") -> web.StreamResponse:
        """Send all of them and then `last`, or as many as the fault leaves."""
        await pause(self._fault.first_seconds)
        await self._response.prepare(self._request)
        self._exchange.status = self._response.status
        async for piece in pieces:
            if self._sent:
                await pause(self._fault.between_seconds)
            if await self._interrupted():
                return self._response
            await self._response.write(piece)
            self._sent += 1
        if not await self._interrupted():
            # In one write with the end of the response: a client who sees the last piece may leave.
            self._exchange.last_sent = True
            await self._response.write_eof(last)
        return self._response

    async def _interrupted(self) -> bool:
        fault = self._fault
        if fault.garbage_after == self._sent:
            await self._response.write(GARBAGE)
        if fault.cut_after == self._sent:
            if self._request.transport is not None:
                self._request.transport.abort()
            return True
        if fault.stall_after == self._sent:
            await asyncio.Event().wait()
        if fault.end_after == self._sent:
            await self._response.write_eof()
            return True
        return False
