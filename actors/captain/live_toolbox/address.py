"""A server that is an address: its token goes there and nowhere else, and what comes back has a measure."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import httpx2
from mcp.client.streamable_http import streamable_http_client

from actors.captain.live_toolbox.gate import BAD_FRAME, SERVER_GONE, Watch
from actors.captain.live_toolbox.gauge import LONGEST_MESSAGE, TOO_LARGE, Gauge, Measure
from actors.captain.settings import McpServer
from actors.net.reasons import TIMEOUT, of_status
from actors.net.ways import authorities, proxy_for, why_unreached

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

CONNECT_SECONDS: Final = 5.0
GRACE_SECONDS: Final = 10.0
"""How much longer than a tool may take one waits for the end of an answer."""
FAREWELL_SECONDS: Final = 0.5
LISTEN_SECONDS: Final = 1.0
"""News is listened for so often at most, whatever the server would like."""
MOST_CONNECTIONS: Final = 40
"""For as many uses as there may be at once, as many that nobody waits for any longer, and the news."""
REDIRECTED: Final = "redirected"
_EVENTS: Final = "text/event-stream"


class _Metered(httpx2.AsyncByteStream):
    """A body that ends in an error where a message in it is unbearable, or where it takes for ever."""

    def __init__(self, body: httpx2.AsyncByteStream, gauge: Gauge, *, events: bool, seconds: float) -> None:
        self._body, self._gauge = body, gauge
        self._events, self._seconds = events, seconds

    async def __aiter__(self) -> AsyncIterator[bytes]:
        measure, until = Measure(events=self._events), time.monotonic() + self._seconds
        try:
            async for chunk in self._body:
                if not measure.fits(chunk):
                    raise self._error(TOO_LARGE)
                if time.monotonic() > until:
                    raise self._error(TIMEOUT)
                await self._gauge.spend(chunk)
                yield chunk
        except httpx2.TransportError:
            if self._events:
                raise
            raise self._error(SERVER_GONE) from None

    def _error(self, reason: str) -> Exception:
        """One that the library takes for the end of this answer, and not of them all."""
        return httpx2.SSEError(reason) if self._events else httpx2.StreamError(reason)

    async def aclose(self) -> None:
        await self._body.aclose()


class Post(httpx2.AsyncBaseTransport):
    """The way to one server: it follows nothing, unpacks nothing, and notes why it was refused."""

    def __init__(self, way: httpx2.AsyncBaseTransport, watch: Watch, gauge: Gauge, *, seconds: float) -> None:
        self._way, self._watch, self._gauge = way, watch, gauge
        self._seconds = seconds
        self._listened = float("-inf")

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Ask once."""
        listens = request.method == "GET"
        if listens:
            await self._not_too_often()
            request.extensions["timeout"] = {**request.extensions.get("timeout", {}), "read": None}
        try:
            async with asyncio.timeout(FAREWELL_SECONDS if request.method == "DELETE" else None):
                response = await self._way.handle_async_request(request)
        except TimeoutError:
            raise httpx2.ReadTimeout("no answer to a farewell", request=request) from None
        except httpx2.ReadTimeout:
            # Nobody waits any longer for this one, and others may be answered yet.
            return httpx2.Response(504, request=request)
        except Exception as failure:
            self._watch.lose(_why(failure, str(request.url)))
            raise
        return await self._checked(request, response)

    async def _checked(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
        status, body = response.status_code, response.stream
        if request.method == "DELETE":
            await response.aclose()
            return httpx2.Response(status, request=request)
        packed = response.headers.get("content-encoding", "identity") != "identity"
        if 300 <= status < 400 or packed:
            await response.aclose()
            self._watch.lose(BAD_FRAME if packed else REDIRECTED)
            return httpx2.Response(502, request=request)
        if request.method == "POST" and status >= 400:
            self._note(request, status)
        if isinstance(body, httpx2.AsyncByteStream):
            events = response.headers.get("content-type", "").startswith(_EVENTS)
            seconds = math.inf if request.method == "GET" else self._seconds
            response.stream = _Metered(body, self._gauge, events=events, seconds=seconds)
        return response

    def _note(self, request: httpx2.Request, status: int) -> None:
        """A server that does not know us any longer is gone until it is asked anew."""
        self._watch.refused = of_status(status)
        if status == 404 and "mcp-session-id" in request.headers:
            self._watch.lose(SERVER_GONE)
        elif status == 401:
            self._watch.lose(self._watch.refused)

    async def _not_too_often(self) -> None:
        wait = self._listened + LISTEN_SECONDS - time.monotonic()
        self._listened = time.monotonic() + max(0.0, wait)
        if wait > 0:
            await asyncio.sleep(wait)

    async def aclose(self) -> None:
        """Let go of every connection."""
        await self._way.aclose()


def _why(failure: Exception, url: str) -> str:
    match failure:
        case httpx2.TimeoutException():
            return TIMEOUT
        case httpx2.RemoteProtocolError() | httpx2.ReadError() | httpx2.WriteError():
            return SERVER_GONE
        case _:
            return why_unreached(failure, url, httpx2.ProxyError)


def client_for(
    server: McpServer, token: str, watch: Watch, gauge: Gauge, *, seconds: float
) -> httpx2.AsyncClient:
    """A client for this server alone; raises NoWay."""
    way = httpx2.AsyncHTTPTransport(
        verify=authorities(),
        proxy=proxy_for(server.url),
        trust_env=False,
        limits=httpx2.Limits(max_connections=MOST_CONNECTIONS),
    )
    headers = {"Accept-Encoding": "identity", "User-Agent": "clankie"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return httpx2.AsyncClient(
        transport=Post(way, watch, gauge, seconds=seconds + GRACE_SECONDS),
        headers=headers,
        trust_env=False,
        follow_redirects=False,
        timeout=httpx2.Timeout(seconds + GRACE_SECONDS, connect=CONNECT_SECONDS),
    )


@asynccontextmanager
async def posted(
    server: McpServer, token: str, watch: Watch, gauge: Gauge, *, seconds: float
) -> AsyncGenerator[TransportStreams]:
    """Streams to and from an address as long as this context."""
    async with (
        client_for(server, token, watch, gauge, seconds=seconds) as client,
        streamable_http_client(server.url, http_client=client, max_sse_event_size=LONGEST_MESSAGE) as streams,
    ):
        yield streams
