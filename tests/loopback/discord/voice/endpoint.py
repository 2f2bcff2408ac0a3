"""One voice server: a TLS port for websockets, a UDP port for sound, and the channels that it carries."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable

from aiohttp import web

from tests.loopback.discord.voice.faults import Faults
from tests.loopback.discord.voice.group import Group
from tests.loopback.discord.voice.line import Desk, SocketLine
from tests.loopback.discord.voice.room import Room
from tests.loopback.discord.voice.session import Session
from tests.loopback.discord.voice.sfu import HOST, Sfu
from tests.loopback.hangups import until_broken_off


class Endpoint:
    """Only on the loop's thread."""

    def __init__(
        self,
        *,
        tls: ssl.SSLContext,
        faults: Faults,
        without_dave: set[int],
        desk: Desk,
        changed: Callable[[], None],
    ) -> None:
        self.port = 0
        self.attempts = 0
        """How many websockets were ever opened."""
        self.rooms: dict[tuple[int, int], Room] = {}
        self.sfu = Sfu(faults, self._neighbours, changed)
        self._tls = tls
        self._faults = faults
        self._without_dave = without_dave
        self._desk = desk
        self._changed = changed
        self._lines: set[SocketLine] = set()
        self._server: asyncio.Server | None = None
        self._runner: web.AppRunner | None = None

    async def open(self) -> None:
        """Listen on free ports."""
        app = web.Application(middlewares=(until_broken_off,))
        app.router.add_get("/", self._connected)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        await self.accept()
        self.sfu.open()

    async def accept(self) -> None:
        """Listen for websockets: on a free port the first time, on the same one after `refuse`."""
        assert self._runner
        if self._server is None:
            assert self._runner.server
            loop = asyncio.get_running_loop()
            self._server = await loop.create_server(self._runner.server, HOST, self.port, ssl=self._tls)
            self.port = int(self._server.sockets[0].getsockname()[1])

    def refuse(self) -> None:
        """Listen no more; whoever is connected stays so."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def close(self) -> None:
        """Break every connection and close both ports."""
        self.refuse()
        self.sfu.close()
        for room in self.rooms.values():
            if room.group:
                room.group.close()
        for line in tuple(self._lines):
            line.abort()
        if self._runner:
            await self._runner.cleanup()

    def room(self, guild: int, channel: int) -> Room:
        """The channel as it is on this server."""
        found = self.rooms.get((guild, channel))
        if found is None:
            encrypted = self._faults.dave and channel not in self._without_dave
            found = Room(channel, Group(channel, self._changed) if encrypted else None)
            self.rooms[guild, channel] = found
        return found

    def take(self, session: Session) -> None:
        """Expect his sound."""
        self.sfu.add(session)

    def release(self, session: Session) -> None:
        """He is gone for good."""
        self.sfu.remove(session)
        self.room(session.guild, session.channel).leave(session)

    def _neighbours(self, session: Session) -> list[Session]:
        return self.room(session.guild, session.channel).others(session)

    async def _connected(self, request: web.Request) -> web.StreamResponse:
        self.attempts += 1
        line = SocketLine(request, self._desk, self.port, self._changed)
        self._lines.add(line)
        try:
            return await line.run()
        finally:
            self._lines.discard(line)
