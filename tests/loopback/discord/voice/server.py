"""The voice servers of the loopback Discord: where clients are admitted, and what a test may do to them."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

import aiohttp

from tests.loopback.discord.voice.desk import VoiceDesk
from tests.loopback.discord.voice.endpoint import Endpoint
from tests.loopback.discord.voice.faults import Faults
from tests.loopback.discord.voice.group import Group
from tests.loopback.discord.voice.record import Record
from tests.loopback.discord.voice.session import Session
from tests.loopback.discord.voice.wire import Body

if TYPE_CHECKING:
    from tests.loopback.discord.ground import Ground
    from tests.loopback.discord.participant import Participant

T = TypeVar("T")

LAST_TURNS: Final = 3
"""Of the loop: an aborted transport closes its socket in the next one."""
LOOK_SECONDS: Final = 0.003
"""How long a change may wait to be looked at."""


class VoiceServers:
    """Every endpoint, and the one desk for all; fulfils VoicePlace.

    VoicePlace's methods run on the loop's thread; the orders of a test (from `record` on) may come from any.
    `faults` has the switches that hold until they are changed.
    """

    def __init__(self, ground: Ground) -> None:
        self.faults = Faults()
        self.without_dave: set[int] = set()
        """Channels that have no end-to-end encryption, as stages have none."""
        self.endpoints: list[Endpoint] = []
        self.visits: set[asyncio.Task[None]] = set()
        """What they are at."""
        self.desk = VoiceDesk(self.faults)
        self.ground = ground
        self.visitors: list[Participant] = []
        """Everybody with a client of his own, in the order in which they were made."""
        self._homes: dict[int, Endpoint] = {}
        self._tls: ssl.SSLContext | None = None
        self._http: aiohttp.ClientSession | None = None
        self._waking: asyncio.TimerHandle | None = None

    # --- VoicePlace -------------------------------------------------------------------------------

    async def open(self, tls: ssl.SSLContext) -> None:
        """See VoicePlace."""
        self._tls = tls
        await self._add_endpoint()

    async def close(self) -> None:
        """See VoicePlace."""
        for visit in tuple(self.visits):
            visit.cancel()
        await asyncio.gather(*self.visits, return_exceptions=True)
        try:
            for endpoint in self.endpoints:
                await endpoint.close()
        finally:
            if self._http is not None:
                await self._http.close()
        if self._waking is not None:
            self._waking.cancel()
        for _ in range(LAST_TURNS):
            await asyncio.sleep(0)

    def admit(self, guild: int, channel: int, user: int, session: str) -> tuple[str, str]:
        """See VoicePlace."""
        endpoint = self._homes.setdefault(guild, self.endpoints[0])
        ticket = self.desk.issue(endpoint, guild=guild, channel=channel, user=user, session=session)
        return ticket.token, f"localhost:{endpoint.port}"

    def dismiss(self, guild: int, user: int) -> None:
        """See VoicePlace."""
        if ticket := self.desk.tickets.get((guild, user)):
            ticket.void = True
        for session in self.desk.sessions(user, guild):
            self.desk.end(session, 4014)

    # --- for the clients of visitors, on the loop's thread --------------------------------------------

    @property
    def http(self) -> aiohttp.ClientSession:
        """What they connect with."""
        if self._http is None:
            self._http = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        return self._http

    def changed(self) -> None:
        """Something may have become true: whoever waits looks again, but not for every single packet."""
        if self._waking is None:
            self._waking = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._wake)

    # --- orders of a test, from any thread ---------------------------------------------------------

    def record(self, user: int) -> Record:
        """What is known of his last session; AssertionError if there was none."""
        for record in reversed(self.desk.records):
            if record.user == user:
                return record
        raise AssertionError(f"{user} never identified himself")

    def drop(self, user: int, code: int) -> None:
        """Close his connection with a code; 1006 breaks it."""
        self._order(user, lambda session: self.desk.end(session, code))

    def abort(self, user: int) -> None:
        """Break his TCP connection."""
        self.drop(user, 1006)

    def half_open(self, user: int) -> None:
        """Let nothing pass on his present connection, either way."""

        def change(session: Session) -> None:
            assert session.line is not None, "he has no connection"
            session.line.half_open = True

        self._order(user, change)

    def stall(self, user: int) -> None:
        """Read no more on his present connection."""
        self._order(user, lambda session: session.line.stop_reading() if session.line else None)

    def send(self, user: int, frame: str | bytes) -> None:
        """Send him a raw frame."""
        self._order(user, lambda session: session.say_raw(frame))

    def say(self, user: int, op: int, body: bytes | Body) -> None:
        """Send him an op, numbered."""

        def change(session: Session) -> None:
            if isinstance(body, bytes):
                session.say_binary(op, body)
            else:
                session.say(op, body)

        self._order(user, change)

    def throw(self, user: int, datagram: bytes) -> None:
        """Send him any bytes over UDP."""
        self._order(user, lambda session: self.desk.endpoint(session).sfu.throw(session, datagram))

    def refuse_connections(self) -> None:
        """Refuse TCP at every endpoint until `accept_connections`."""
        self._everywhere(Endpoint.refuse)

    def accept_connections(self) -> None:
        """Listen again."""
        self.ground.finish(self._accept())

    def refuse_connections_for(self, seconds: float) -> None:
        """Refuse TCP for so long."""
        self.refuse_connections()
        self.ground.run(lambda: self.ground.loop.call_later(seconds, self._accept_soon))

    def black_hole(self, seconds: float) -> None:
        """Swallow every datagram for so long."""
        self._everywhere(lambda endpoint: endpoint.sfu.swallow(seconds))

    def close_udp(self) -> None:
        """Close the UDP ports: whoever sends is refused."""
        self._everywhere(lambda endpoint: endpoint.sfu.close())

    def open_udp(self) -> None:
        """Open the same UDP ports again."""
        self._everywhere(lambda endpoint: endpoint.sfu.open())

    def move(self, guild: int) -> None:
        """Give a guild another endpoint. The visitors go there; the bot has to be told by the gateway."""
        endpoint = self.ground.finish(self._add_endpoint())

        def change() -> None:
            self._homes[guild] = endpoint
            for visitor in self.visitors:
                if visitor.member.guild_id == guild and visitor.member.voice:
                    visitor.dial()

        self.ground.run(change)

    def group(self, guild: int, channel: int) -> Group:
        """The group of a channel at the guild's present endpoint; what changes it goes through `in_group`."""
        group = self._homes[guild].room(guild, channel).group
        assert group, "this channel has no end-to-end encryption"
        return group

    def in_group(self, guild: int, channel: int, change: Callable[[Group], T]) -> T:
        """Change something about a group: `downgrade`, `upgrade`, `spoil`, `stray`, or its delivery."""
        return self.ground.run(lambda: change(self.group(guild, channel)))

    def present(self, guild: int, channel: int) -> tuple[int, ...]:
        """Who is described in a channel, in order of arrival."""
        home = self._homes.get(guild)
        return tuple(home.room(guild, channel).sessions) if home else ()

    # --- how --------------------------------------------------------------------------------------

    def _order(self, user: int, change: Callable[[Session], None]) -> None:
        def make() -> None:
            sessions = self.desk.sessions(user)
            assert sessions, f"{user} has no session"
            change(sessions[-1])

        self.ground.run(make)

    def _everywhere(self, change: Callable[[Endpoint], None]) -> None:
        def make() -> None:
            for endpoint in self.endpoints:
                change(endpoint)

        self.ground.run(make)

    async def _add_endpoint(self) -> Endpoint:
        assert self._tls, "the voice servers are not open"
        endpoint = Endpoint(
            tls=self._tls,
            faults=self.faults,
            without_dave=self.without_dave,
            desk=self.desk,
            changed=self.changed,
        )
        await endpoint.open()
        self.endpoints.append(endpoint)
        return endpoint

    async def _accept(self) -> None:
        for endpoint in self.endpoints:
            await endpoint.accept()

    def _accept_soon(self) -> None:
        self.ground.spawn(self._accept())

    def _wake(self) -> None:
        self._waking = None
        with self.ground.changing():
            pass
