"""A client that breaks off is no fault of the server that he called."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import ClientConnectionResetError, web


@web.middleware
async def until_broken_off(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Serve a request to its end, or until its client is gone; then nobody hears of it."""
    try:
        return await handler(request)
    except ClientConnectionResetError:
        if (transport := request.transport) is not None:
            transport.abort()
        return web.Response()
