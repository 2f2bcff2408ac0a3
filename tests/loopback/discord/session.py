"""One login at the gateway, which outlives the connections that it is told over."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntFlag
from typing import TypeAlias

from aiohttp import WSCloseCode, WSMsgType, web

from tests.loopback.discord.body import Json, encode

QUEUED_FRAMES = 10_000
"""How many frames may wait for a client that does not read; more is a defect of the test and raises."""


class Intent(IntFlag):
    """What a client may ask to be told, as Discord counts the bits."""

    GUILDS = 1 << 0
    MEMBERS = 1 << 1
    VOICE_STATES = 1 << 7
    PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_REACTIONS = 1 << 10
    DIRECT_MESSAGES = 1 << 12
    DIRECT_REACTIONS = 1 << 13
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.MEMBERS | Intent.PRESENCES | Intent.MESSAGE_CONTENT
ALWAYS = Intent(0)

Told: TypeAlias = Json | Callable[[Intent], Json]
"""What an event says; a function where it depends on the intents of who is told."""


class Connection:
    """One websocket of a client: what is to be sent waits here, in order, closing included."""

    def __init__(self, request: web.Request) -> None:
        self.socket = web.WebSocketResponse(max_msg_size=1 << 20, compress=False, timeout=1.0)
        self.closed_with: int | None = None
        """The code with which this side closed, if it was the first."""
        self._request = request
        self._deflate = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None
        self.half_open = False
        """Whether nothing passes any more although nobody closed it."""
        self._queue: asyncio.Queue[Json | int | bytes] = asyncio.Queue(QUEUED_FRAMES)

    def send(self, op: int, d: object, *, event: str | None = None, seq: int | None = None) -> None:
        """Let the client know something."""
        self._queue.put_nowait({"op": op, "d": d, "s": seq, "t": event})

    def send_raw(self, frame: bytes) -> None:
        """Send bytes as they are, whatever was agreed on."""
        self._queue.put_nowait(frame)

    def stop_reading(self) -> None:
        """Let what the client says back up; what is sent still arrives."""
        if (transport := self._request.transport) is not None:
            transport.pause_reading()

    def close(self, code: int) -> None:
        """Close after everything that waits to be sent."""
        if self.closed_with is None:
            self.closed_with = code
            self._queue.put_nowait(code)

    def abort(self) -> None:
        """Break the connection without a word."""
        self.closed_with = self.closed_with or 1006
        if (transport := self._request.transport) is not None:
            transport.abort()

    async def texts(self) -> AsyncTexts:
        """Shake hands; then what the client says can be iterated over."""
        await self.socket.prepare(self._request)
        return AsyncTexts(self.socket)

    async def write(self) -> None:
        """Send what waits until the connection is closed."""
        while True:
            item = await self._queue.get()
            if self.half_open:
                continue
            try:
                if isinstance(item, int):
                    await self.socket.close(code=item)
                    return
                if isinstance(item, bytes):
                    await self.socket.send_bytes(item)
                    continue
                text = encode(item)
                if self._deflate:
                    await self.socket.send_bytes(
                        self._deflate.compress(text) + self._deflate.flush(zlib.Z_SYNC_FLUSH)
                    )
                else:
                    await self.socket.send_str(text.decode())
            except ConnectionError:
                return


class AsyncTexts:
    """The text frames of a websocket until it closes."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket

    def __aiter__(self) -> AsyncTexts:
        return self

    async def __anext__(self) -> str:
        message = await self._socket.receive()
        if message.type is not WSMsgType.TEXT:
            raise StopAsyncIteration
        return str(message.data)


@dataclass(slots=True, kw_only=True)
class Session:
    """What a client asked to be told, all that it was told, and the connection that it has at present."""

    id: str
    intents: Intent
    connection: Connection | None
    seq: int = 0
    told: list[tuple[int, str, Json]] = field(default_factory=list)

    def tell(self, event: str, d: Json) -> None:
        """Number an event, keep it for a resume, and send it if somebody is connected."""
        self.seq += 1
        self.told.append((self.seq, event, d))
        if self.connection:
            self.connection.send(0, d, event=event, seq=self.seq)

    def missed(self, seq: int) -> Iterator[tuple[int, str, Json]]:
        """What was told after the client's last number."""
        return (entry for entry in self.told if entry[0] > seq)


def ended_by_client(connection: Connection) -> bool:
    """Whether the client closed with a code that ends the session, and did so before this side closed."""
    codes = {WSCloseCode.OK, WSCloseCode.GOING_AWAY}
    return connection.closed_with is None and connection.socket.close_code in codes
