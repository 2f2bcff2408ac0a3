"""One websocket to a voice server: what is written keeps its order, and nobody waits for a dead peer."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from typing import Final, Protocol

from actors.voice.media.lean import without

# They come with HTTP, e-mail and ZIP: two of twenty megabytes. A proxy is named here, never looked for.
with without(importlib_metadata=(), urllib_request=("getproxies", "proxy_bypass")):
    from websockets.asyncio.client import ClientConnection, connect
    from websockets.exceptions import ConnectionClosed, WebSocketException

OPEN_SECONDS: Final = 5.0
CLOSE_SECONDS: Final = 1
LARGEST: Final = 1 << 20
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
MOST_UNSENT: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """How voice servers are reached, and every websocket of which something is left.

    `proxy` is not used for this very machine.
    """

    tls: ssl.SSLContext
    proxy: str | None
    webs: set[Web]


class WebListener(Protocol):
    """Whoever is told what happens on the websocket."""

    def connected(self) -> None:
        """It is open."""

    def text(self, message: str) -> None:
        """A text frame came."""

    def binary(self, message: bytes) -> None:
        """A binary frame came."""

    def closed(self, code: int | None) -> None:
        """It is closed, or never opened; the code is the peer's, None if there was none."""


class Web:
    """Opens at once, in the background; on the loop's thread only."""

    def __init__(self, endpoint: str, network: Network, listener: WebListener) -> None:
        """Is in the network's `webs` as long as something of it is left."""
        host = endpoint.removeprefix("wss://").rstrip("/")
        self._url = f"wss://{host}/?v=8"
        self._proxy = None if host.rpartition(":")[0] in LOOPBACK else network.proxy
        self._tls = network.tls
        self._listener: WebListener | None = listener
        self._socket: ClientConnection | None = None
        self._goodbye: asyncio.Task[None] | None = None
        self._unsent: asyncio.Queue[str | bytes] = asyncio.Queue(MOST_UNSENT)
        self.task = asyncio.get_running_loop().create_task(self._run())
        network.webs.add(self)
        self.task.add_done_callback(lambda _task: network.webs.discard(self))

    def send(self, message: str | bytes) -> None:
        """Write this frame after those before it; whoever reads nothing for so long is not there any more."""
        try:
            self._unsent.put_nowait(message)
        except asyncio.QueueFull:
            listener = self._listener
            self.abort()
            if listener is not None:
                listener.closed(None)

    def close(self) -> None:
        """Say goodbye; nothing is told from now on, and within CLOSE_SECONDS it is over."""
        self._listener = None
        if self._socket is None:
            self.task.cancel()
        else:
            self._goodbye = self.task.get_loop().create_task(self._socket.close(1000))

    def abort(self) -> None:
        """Drop it without a goodbye; nothing is told from now on."""
        self._listener = None
        if self._socket is not None:
            self._socket.transport.abort()
        self.task.cancel()

    async def _run(self) -> None:
        code: int | None = None
        try:
            self._socket = await connect(
                self._url,
                ssl=self._tls,
                proxy=self._proxy,
                ping_interval=None,
                compression=None,
                open_timeout=OPEN_SECONDS,
                close_timeout=CLOSE_SECONDS,
                max_size=LARGEST,
            )
            code = await self._talk(self._socket)
        except (OSError, WebSocketException, TimeoutError, ValueError):
            code = None
        if self._listener is not None:
            self._listener.closed(code)

    async def _talk(self, socket: ClientConnection) -> int | None:
        if self._listener is not None:
            self._listener.connected()
        writing = asyncio.get_running_loop().create_task(self._write(socket))
        try:
            while True:
                message = await socket.recv()
                if self._listener is None:
                    continue
                if isinstance(message, str):
                    self._listener.text(message)
                else:
                    self._listener.binary(message)
        except ConnectionClosed as closed:
            return None if closed.rcvd is None else closed.rcvd.code
        finally:
            writing.cancel()

    async def _write(self, socket: ClientConnection) -> None:
        try:
            while True:
                await socket.send(await self._unsent.get())
        except ConnectionClosed:
            return
