"""One websocket of one client, from hello to the code that it ends with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from aiohttp import WSMsgType, web

from tests.loopback.discord.voice import wire
from tests.loopback.discord.voice.session import Session
from tests.loopback.discord.voice.wire import Body, Op

WAITING_FRAMES: Final = 10_000
"""How many frames may wait for a client that does not read; then he is cut off."""

Verdict = Session | int
"""Whose connection it is from now on, or the code that it is refused with."""


class Desk(Protocol):
    """Who decides about what clients ask; every method is called on the loop's thread."""

    def greet(self, line: SocketLine) -> None:
        """A connection is open."""
        ...

    def identify(self, line: SocketLine, body: Body) -> Verdict:
        """Op 0."""
        ...

    def resume(self, line: SocketLine, body: Body) -> Verdict:
        """Op 7."""
        ...

    def hear(self, session: Session, op: int, body: Body) -> int | None:
        """Any other op; a code to close with, or None."""
        ...

    def hear_binary(self, session: Session, op: int, body: bytes) -> None:
        """A binary message."""
        ...

    def end(self, session: Session, code: int) -> None:
        """Close a session's connection with a code."""
        ...

    def gone(self, session: Session, code: int) -> None:
        """The client ended his connection."""
        ...


class SocketLine:
    """The server's end of one connection."""

    def __init__(self, request: web.Request, desk: Desk, port: int, changed: Callable[[], None]) -> None:
        self.half_open = False
        """Whether nothing passes any more although nobody closed it."""
        self.port = port
        """Of the server that was called."""
        self.session: Session | None = None
        self._request = request
        self._desk = desk
        self._changed = changed
        self._socket = web.WebSocketResponse(heartbeat=None, autoping=True, timeout=0.5, compress=False)
        self._out: asyncio.Queue[str | bytes | int] = asyncio.Queue(WAITING_FRAMES)
        self._ended_with: int | None = None

    async def run(self) -> web.WebSocketResponse:
        """Serve the connection until it ends."""
        await self._socket.prepare(self._request)
        writer = asyncio.get_running_loop().create_task(self._write())
        try:
            self._desk.greet(self)
            await self._read()
        finally:
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
            self.abort()
            self._forget()
        return self._socket

    def put(self, frame: str | bytes) -> None:
        """See Line."""
        if self._out.full():
            self.end(1006)
        elif self._ended_with is None:
            self._out.put_nowait(frame)

    def end(self, code: int) -> None:
        """See Line."""
        if self._ended_with is not None:
            return
        self._ended_with = code
        if code == 1006 or self._out.full():
            self.abort()
        else:
            self._out.put_nowait(code)

    def stop_reading(self) -> None:
        """Let what the client says back up; what is sent still arrives."""
        if (transport := self._request.transport) is not None:
            transport.pause_reading()

    def abort(self) -> None:
        """Break the TCP connection."""
        if (transport := self._request.transport) is not None:
            transport.abort()

    async def _write(self) -> None:
        try:
            while True:
                frame = await self._out.get()
                if self.half_open:
                    continue
                match frame:
                    case str():
                        await self._socket.send_str(frame)
                    case bytes():
                        await self._socket.send_bytes(frame)
                    case int():
                        await self._socket.close(code=frame)
                        self.abort()
        except (ConnectionError, RuntimeError):
            pass  # it broke while we wrote; the reader sees that as well

    async def _read(self) -> None:
        async for message in self._socket:
            if self.half_open or self._ended_with is not None:
                continue
            code: int | None = None
            if message.type is WSMsgType.TEXT:
                code = self._text(str(message.data))
            elif message.type is WSMsgType.BINARY:
                code = self._binary(bytes(message.data))
            if code is not None:
                if self.session:
                    self._desk.end(self.session, code)
                self.end(code)
            self._changed()

    def _text(self, message: str) -> int | None:
        read = wire.read_text(message)
        if read is None:
            return 4002
        op, body, _ = read
        if self.session is not None:
            if op in {Op.IDENTIFY, Op.RESUME}:
                return 4005
            self.session.record.said(by_server=False, op=op, body=body)
            return self._desk.hear(self.session, op, body)
        if op == Op.HEARTBEAT:
            self.put(wire.text(Op.HEARTBEAT_ACK, {"t": body.get("t", body.get(""))}))
            return None
        match op:
            case Op.IDENTIFY:
                verdict = self._desk.identify(self, body)
            case Op.RESUME:
                verdict = self._desk.resume(self, body)
            case _:
                return 4003
        return verdict if isinstance(verdict, int) else None

    def _binary(self, frame: bytes) -> int | None:
        if self.session is None:
            return 4003
        if not frame:
            return 4002
        self.session.record.said(by_server=False, op=frame[0], body=frame[1:])
        self._desk.hear_binary(self.session, frame[0], frame[1:])
        return None

    def _forget(self) -> None:
        """Tell what ended it; the code that we closed with is ours to remember: the library reports 1000."""
        session, self.session = self.session, None
        if session is not None and session.line is self:
            self._desk.gone(session, self._ended_with or self._socket.close_code or 1006)
        self._changed()
