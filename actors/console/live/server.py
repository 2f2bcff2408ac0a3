"""A window on 127.0.0.1: who knows where he is may ask how things are, and who has the key may order."""

from __future__ import annotations

import asyncio
import concurrent.futures
import errno
import importlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from actors.console.live.guard import LINGER_SECONDS, SILENT_SECONDS, Guard, Guests
from actors.console.live.key import Key, NoKey
from actors.console.live.window import Seats, Window
from actors.console.port import ConsoleEvent, View
from actors.console.settings import HOST, ConsoleSettings
from actors.net.loop import IoLoop
from messages.console import ServerFailed, ServerReady

if TYPE_CHECKING:
    from aiohttp import web

_LOG: Final = logging.getLogger(__name__)
CLOSE_SECONDS = 2.0
DISK_SECONDS = 1.0
"""How long a disk that takes the key slowly may keep the port from being let go of."""


class LiveConsole:
    """An HTTP server on the loop of the house; a ConsolePort."""

    def __init__(
        self,
        loop: IoLoop,
        settings: ConsoleSettings,
        *,
        room: Seats | None = None,
        metrics: Callable[[], str] | None = None,
    ) -> None:
        """`room` seats people where the house has a room of its own; `metrics` may take its time."""
        self._loop, self._settings, self._seats, self._metrics = loop, settings, room, metrics
        self._key, self._guests = Key(), Guests()
        self._window: Window | None = None
        self._runner: web.ServerRunner | None = None
        self._listener: asyncio.Server | None = None
        self._starting: concurrent.futures.Future[None] | None = None

    def open(self, events: Callable[[ConsoleEvent], None]) -> None:
        """Listen soon."""
        self._events = events
        self._window = Window(
            self._loop, self._key, self._guests, events, seats=self._seats, metrics=self._metrics
        )
        self._starting = self._loop.submit(self._start(self._window))

    def publish(self, view: View, body: str) -> None:
        """Show it to whoever watches."""
        if self._window is not None:
            self._window.viewers.publish(view, body)

    def close(self) -> None:
        """Hang up and let go of the port."""
        if self._starting is not None:
            closing = self._loop.submit(self._stop(self._starting))
            # With the loop gone, or stuck, the sockets are not ours to close any more.
            concurrent.futures.wait([closing], CLOSE_SECONDS)
        self._key.remove()

    async def _start(self, window: Window) -> None:
        # It takes a good part of a second, on a busy machine many, which neither this thread nor a room has.
        await asyncio.to_thread(importlib.import_module, "aiohttp.web")
        from aiohttp import web

        _LOG.addFilter(is_no_bad_request)
        server = web.Server(window.answer, handler_cancellation=True)
        self._runner = web.ServerRunner(server, shutdown_timeout=0.5)
        try:
            await self._runner.setup()
            self._listener = await asyncio.get_running_loop().create_server(
                lambda: Guard(self._guests, lambda: len(server.connections), lambda: _reader(server)),
                HOST,
                self._settings.port,
                reuse_address=True,
            )
        except Exception as failure:
            await self._runner.cleanup()
            self._events(what_failed(failure, self._settings.port))
            return
        port: int = self._listener.sockets[0].getsockname()[1]
        self._events(ServerReady(port=port, trouble=await self._put_key(port)))

    async def _put_key(self, port: int) -> str:
        """Why there is none, if so; the disk is waited for elsewhere than on the thread of all sockets."""
        try:
            await asyncio.to_thread(self._key.put, self._settings.directory, port)
        except NoKey as why:
            return str(why)
        return ""

    async def _stop(self, starting: concurrent.futures.Future[None]) -> None:
        await asyncio.wait([asyncio.wrap_future(starting)], timeout=DISK_SECONDS)
        starting.cancel()
        if self._listener is not None:
            self._listener.close()
        if self._window is not None:
            await self._window.close()
        if self._runner is not None:
            await self._runner.cleanup()


def _reader(server: web.Server) -> asyncio.Protocol:
    from actors.console.live.unreadable import Reader

    how: dict[str, Any] = {
        "access_log": None,
        "logger": _LOG,
        "keepalive_timeout": SILENT_SECONDS,
        "lingering_time": LINGER_SECONDS,
        "auto_decompress": False,
    }
    return Reader(server, loop=asyncio.get_running_loop(), **how)


def is_no_bad_request(record: logging.LogRecord) -> bool:
    """A log filter: what others send that is no HTTP is their affair."""
    from aiohttp.http_exceptions import HttpProcessingError

    return record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError)


def what_failed(failure: Exception, port: int) -> ServerFailed:
    """A failure to listen on `port` in the words of an operator."""
    code = failure.errno if isinstance(failure, OSError) else None
    if code == errno.EADDRINUSE:
        remedy = (
            f"another program (maybe another clankie) listens on {HOST}:{port}; stop it or set [console] port"
        )
    elif code == errno.EACCES:
        remedy = f"this user may not listen on port {port}; set [console] port to one above 1023"
    else:
        remedy = f"see that {HOST} is up, or set [console] port"
    return ServerFailed(reason=errno.errorcode.get(code or 0, type(failure).__name__), remedy=remedy)
