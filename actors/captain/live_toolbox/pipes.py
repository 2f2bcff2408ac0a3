"""One message a line, both ways, between the house and a program that may be anything."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import IO, TYPE_CHECKING, Final, Self

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, jsonrpc_message_adapter
from mcp_types.jsonrpc import ErrorData

from actors.captain.live_toolbox.gate import BAD_FRAME, SERVER_GONE, Watch
from actors.captain.live_toolbox.gauge import FINEST, LONGEST_MESSAGE, TOO_LARGE, Gauge, pieces
from actors.captain.live_toolbox.program import Program
from actors.captain.settings import McpServer

if TYPE_CHECKING:
    from types import TracebackType

CHUNK: Final = 64 << 10
LONGEST_LINE: Final = 8 * LONGEST_MESSAGE
"""Who says more without an end of the line is not listened to any longer."""
MOST_GARBAGE: Final = 100
"""Lines that are no message: a greeting is forgiven, a habit is not."""
WRITE_SECONDS: Final = 5.0
LINGER_SECONDS: Final = 0.2
"""How long the last words of an exited program may take to arrive."""
HEAD: Final = 256
"""Where the number of a message is looked for that is not read as a whole."""
REFUSED: Final = -32099
_ID: Final = re.compile(rb'"id"\s*:\s*(\d{1,15})\s*,')


class Lines:
    """What a program says, as messages; it ends with EndOfStream, and the watch is told why."""

    def __init__(self, reader: asyncio.StreamReader, watch: Watch, gauge: Gauge) -> None:
        self._reader, self._watch, self._gauge = reader, watch, gauge
        self._buffer = bytearray()
        self._searched = self._skipped = self._garbage = 0

    async def receive(self) -> SessionMessage | Exception:
        """The next message; what is too large comes as an error in its place."""
        while True:
            if (line := self._line()) is not None:
                if (message := self._read(line)) is not None:
                    return message
                continue
            if (message := self._overflow()) is not None:
                return message
            chunk = await self._reader.read(CHUNK)
            if not chunk or self._watch.lost:
                raise anyio.EndOfStream
            self._buffer += chunk
            await self._gauge.spend(chunk)

    def _line(self) -> bytes | None:
        """A whole line; the rest of one that was skipped is empty."""
        end = self._buffer.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._buffer)
            return None
        line = b"" if self._skipped else bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = self._skipped = 0
        return line

    def _overflow(self) -> SessionMessage | None:
        """Forget the beginning of a line that is too long, and say once that there was one."""
        if not self._skipped and len(self._buffer) <= LONGEST_MESSAGE:
            return None
        began = self._skipped == 0
        head = bytes(self._buffer[:HEAD])
        self._skipped += len(self._buffer)
        self._buffer.clear()
        self._searched = 0
        if self._skipped > LONGEST_LINE:
            self._watch.lose("flood")
            raise anyio.EndOfStream
        return _too_large(head) if began else None

    def _read(self, line: bytes) -> SessionMessage | None:
        if not line.strip():
            return None
        if pieces(line) > FINEST:
            return _too_large(line[:HEAD])
        try:
            return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError:
            self._garbage += 1
        if self._garbage > MOST_GARBAGE:
            self._watch.lose(BAD_FRAME)
            raise anyio.EndOfStream
        return None

    async def aclose(self) -> None:
        """Whoever owns the pipe closes it."""


def _too_large(head: bytes) -> SessionMessage | None:
    """What is told in place of an answer; None where nobody knows what it would have answered."""
    if (number := _ID.search(head)) is None:
        return None
    error = ErrorData(code=REFUSED, message=TOO_LARGE)
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=int(number[1]), error=error))


class Pen:
    """What a program hears, a message a line; one that takes nothing for too long is given up."""

    def __init__(self, writer: asyncio.StreamWriter, watch: Watch) -> None:
        self._writer, self._watch = writer, watch

    async def send(self, item: SessionMessage) -> None:
        """Write it; raises BrokenResourceError where nobody reads."""
        if self._watch.lost:
            raise anyio.BrokenResourceError
        try:
            self._writer.write(
                item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            )
            async with asyncio.timeout(WRITE_SECONDS):
                await self._writer.drain()
        except TimeoutError:
            self._watch.lose("send_stalled")
            raise anyio.BrokenResourceError from None
        except OSError:
            raise anyio.BrokenResourceError from None

    async def aclose(self) -> None:
        """Whoever owns the pipe closes it."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


@asynccontextmanager
async def piped(server: McpServer, watch: Watch, gauge: Gauge) -> AsyncGenerator[tuple[Lines, Pen]]:
    """A program that runs as long as this context; raises OSError where it cannot be started."""
    program = Program(server)
    ends: list[asyncio.BaseTransport] = []
    loop = asyncio.get_running_loop()

    def leave() -> None:
        loop.call_later(LINGER_SECONDS, watch.lose, SERVER_GONE)
        for end in ends:
            loop.call_later(LINGER_SECONDS, end.close)

    try:
        await program.begin(leave)
        reader, said = await _reader(program.take())
        ends.append(said)
        writer, heard = await _writer(program.take())
        ends.append(heard)
        yield Lines(reader, watch, gauge), Pen(writer, watch)
    finally:
        for end in ends:
            _cut(end)
        await program.end()


async def _reader(pipe: IO[bytes]) -> tuple[asyncio.StreamReader, asyncio.BaseTransport]:
    reader = asyncio.StreamReader(CHUNK)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), pipe
    )
    return reader, transport


async def _writer(pipe: IO[bytes]) -> tuple[asyncio.StreamWriter, asyncio.BaseTransport]:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), pipe
    )
    return asyncio.StreamWriter(transport, protocol, None, loop), transport


def _cut(end: asyncio.BaseTransport) -> None:
    """Close it, and do not wait for anybody who takes nothing."""
    if isinstance(end, asyncio.WriteTransport):
        end.abort()
    else:
        end.close()
