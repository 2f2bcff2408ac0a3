"""How one viewer is shown what he watches: as server-sent events, or over a websocket."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

from actors.console.live.admission import SUBPROTOCOL, Refused
from actors.console.live.questions import NO_STORE
from actors.console.live.routes import STREAMS

if TYPE_CHECKING:
    from aiohttp import web

HEARTBEAT_SECONDS: Final = 5.0
WRITE_SECONDS: Final = 5.0
"""How long one who does not read is waited for."""
LINGER_SECONDS: Final = 0.3
"""How long a peer has to agree that it is over."""
MOST_SAID: Final = 4_096
"""He who watches has nothing to say."""
SEND_BUFFER: Final = 128 * 1024
"""What the machine keeps for one who does not read, so that this is noticed."""
_GOING_AWAY, _NOT_TAKEN = 1001, 1003


class Views(Protocol):
    """What is to be shown to one viewer."""

    looked_away: bool
    """Whether he did not read, or answer, for too long."""

    async def next(self) -> bytes | None:
        """The next view; None after the last one."""
        ...


async def over_stream(request: web.BaseRequest, views: Views) -> web.StreamResponse:
    """Show all of it as server-sent events, with a comment from time to time."""
    from aiohttp import web

    response = web.StreamResponse(headers=NO_STORE)
    response.content_type = STREAMS
    response.force_close()

    async def show(view: bytes) -> None:
        await response.write(b"data: %b\n\n" % view if view else b":\n\n")

    try:
        await response.prepare(request)
        _keep_little(request)
        await _show_all(views, show)
    except (ConnectionError, TimeoutError) as why:
        views.looked_away = isinstance(why, TimeoutError)
        hang_up(request)
    return response


async def over_websocket(request: web.BaseRequest, views: Views) -> web.StreamResponse:
    """Show each view as one text; whoever says something is told that nobody listens."""
    from aiohttp import web

    line = web.WebSocketResponse(
        heartbeat=HEARTBEAT_SECONDS,
        protocols=(SUBPROTOCOL,),
        compress=False,
        max_msg_size=MOST_SAID,
        timeout=LINGER_SECONDS,
    )
    try:
        await line.prepare(request)
    except web.HTTPException:
        raise Refused(400, "this is no handshake of a websocket, version 13; leave Upgrade out") from None
    _keep_little(request)
    try:
        await _shown_and_heard(line, views)
    finally:
        hang_up(request)
    return line


async def _shown_and_heard(line: web.WebSocketResponse, views: Views) -> None:
    """Until there is nothing more to show, or either side has had enough."""
    from aiohttp import WSMsgType

    async def show(view: bytes) -> None:
        # A ping goes out by itself.
        if view:
            await line.send_frame(view, WSMsgType.TEXT)

    showing = asyncio.create_task(_show_all(views, show))
    hearing = asyncio.create_task(line.receive())
    try:
        await asyncio.wait((showing, hearing), return_when=asyncio.FIRST_COMPLETED)
        if hearing.done() and hearing.result().type in {WSMsgType.TEXT, WSMsgType.BINARY}:
            await line.close(code=_NOT_TAKEN, message=b"nobody listens here; POST what you want")
        elif showing.done() and showing.exception() is None:
            await line.close(code=_GOING_AWAY)
    finally:
        # Of an answer that a ping did not get, only the line knows; this task is cancelled for it.
        why = showing.exception() if showing.done() else line.exception()
        views.looked_away = isinstance(why, TimeoutError)
        await _let_go(showing, hearing)


async def _show_all(views: Views, show: Callable[[bytes], Awaitable[None]]) -> None:
    """Raises TimeoutError for one who does not read, and ConnectionError for one who is gone."""
    while True:
        try:
            view = await asyncio.wait_for(views.next(), HEARTBEAT_SECONDS)
        except TimeoutError:
            view = b""
        if view is None:
            return
        async with asyncio.timeout(WRITE_SECONDS):
            await show(view)


async def _let_go(*tasks: asyncio.Task[object]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _keep_little(request: web.BaseRequest) -> None:
    """Have the machine keep no more than SEND_BUFFER for this peer."""
    line = request.get_extra_info("socket")
    if line is not None:
        with suppress(OSError):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)


def hang_up(request: web.BaseRequest) -> None:
    """End this connection at once, whatever waits on it."""
    if request.transport is not None:
        request.transport.abort()
