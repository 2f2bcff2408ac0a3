"""An HTTP proxy that takes Discord's names to this Discord, and nobody away from this machine."""

from __future__ import annotations

import asyncio
import contextlib

from tests.loopback.discord.ground import Ground

HOME = frozenset({"localhost", "127.0.0.1"})


class Proxy:
    """Plain CONNECT on 127.0.0.1; what goes through the tunnels is TLS between the client and a server."""

    def __init__(self, ground: Ground) -> None:
        self.port = 0
        self.refused: list[str] = []
        """Every target, `host:port`, that a client wanted and that is not ours."""
        self._ground = ground
        self._target = 0
        self._down = False
        self._server: asyncio.Server | None = None
        self._tunnels: dict[asyncio.Task[None], list[asyncio.StreamWriter]] = {}

    async def open(self, target: int) -> None:
        """Listen on a free port; `target` is the port of this Discord's TLS listener."""
        self._target = target
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stop listening and break every tunnel."""
        if self._server:
            self._server.close()
            await self._server.wait_closed()
        tunnels = list(self._tunnels)
        self._break()
        await asyncio.gather(*tunnels, return_exceptions=True)

    def cut(self) -> None:
        """Take the network away: every tunnel breaks at once, and no new one comes up."""

        def change() -> None:
            self._down = True
            self._break()

        self._ground.run(change)

    def mend(self) -> None:
        """Give the network back."""
        self._ground.run(lambda: setattr(self, "_down", False))

    def _break(self) -> None:
        for task, ends in self._tunnels.items():
            for end in ends:
                end.transport.abort()
            task.cancel()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = self._ground.spawn(self._tunnel(reader, writer))
        self._tunnels[task] = [writer]
        task.add_done_callback(lambda done: self._tunnels.pop(done, None))

    async def _tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = [writer]
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            if self._down:
                return
            method, where, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)
            port = self._route(method, where)
            if port is None:
                with self._ground.changing():
                    self.refused.append(where)
                writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                await writer.drain()
                return
            far_reader, far = await asyncio.open_connection("127.0.0.1", port)
            ends.append(far)
            self._tunnels.get(_this_task(), []).append(far)
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await asyncio.gather(_carry(reader, far), _carry(far_reader, writer))
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # an end that broke off, or no proxy's language: the tunnel ends, and both ends see it
        finally:
            for end in ends:
                end.transport.abort()
            for end in ends:
                with contextlib.suppress(OSError):
                    await end.wait_closed()

    def _route(self, method: str, where: str) -> int | None:
        host, _, port = where.rpartition(":")
        if method != "CONNECT":
            return None
        if port == "443" and (host == "discord.com" or host.endswith(".discord.gg")):
            return self._target
        return int(port) if host in HOME else None


def _this_task() -> asyncio.Task[None]:
    task: asyncio.Task[None] | None = asyncio.current_task()
    assert task
    return task


async def _carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Carry bytes one way until the source ends, then tell the sink so."""
    while chunk := await source.read(65_536):
        sink.write(chunk)
        await sink.drain()
    if sink.can_write_eof():
        sink.write_eof()
