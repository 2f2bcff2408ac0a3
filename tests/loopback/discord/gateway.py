"""The main gateway: who is logged in, and what he is told."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from aiohttp import web

from tests.loopback.discord import shapes
from tests.loopback.discord.body import Body, Json, decode
from tests.loopback.discord.ground import Ground
from tests.loopback.discord.session import (
    ALWAYS,
    PRIVILEGED,
    Connection,
    Intent,
    Session,
    Told,
    ended_by_client,
)
from tests.loopback.discord.world import GuildState, World

HEARTBEAT_MS = 41_250
CLOSE_UNKNOWN_OP = 4001
CLOSE_NOT_JSON = 4002
CLOSE_NOT_AUTHENTICATED = 4003
CLOSE_AUTHENTICATION_FAILED = 4004
CLOSE_ALREADY_AUTHENTICATED = 4005
CLOSE_DISALLOWED_INTENTS = 4014


class Gateway:
    """Serves websockets on the loop; the faults may be asked for from any thread."""

    def __init__(self, ground: Ground, world: World, token: str, privileged: Intent) -> None:
        self.heartbeat_ms = HEARTBEAT_MS
        self.answers_heartbeats = True
        self.privileged = privileged
        """The privileged intents that the application was granted."""
        self.resume_url = "wss://gateway-loopback.discord.gg"
        self.identified: list[Intent] = []
        """The intents of every IDENTIFY that was accepted."""
        self.turned_away: list[int] = []
        """The codes that connections were closed with for what a client said."""
        self.resumed = 0
        self.resumes_refused = 0
        self.heartbeats = 0
        self.sessions: dict[str, Session] = {}
        self.on_voice: Callable[[Body, str], None] = lambda _request, _session: None
        """Whoever answers op 4: the request and the id of the session that it came from."""
        self._ground = ground
        self._world = world
        self._token = token
        self._connections: set[Connection] = set()
        self._refuse_identify: list[int] = []

    # --- faults, from any thread ------------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether a client is logged in and connected at present."""
        return any(session.connection for session in self.sessions.values())

    def drop(self, code: int | None = None) -> None:
        """Close every connection with a code, or break it without a word; the session may be resumed."""
        self._ground.run(lambda: self._drop(code))

    def half_open(self) -> None:
        """Let nothing pass on the present connections, either way."""

        def change() -> None:
            for connection in self._connections:
                connection.half_open = True
                connection.stop_reading()

        self._ground.run(change)

    def stall(self) -> None:
        """Read no more on the present connections; what is told still arrives."""
        self._ground.run(lambda: self._each(Connection.stop_reading))

    def say(self, op: int, d: object) -> None:
        """Send every client any op."""
        self._ground.run(lambda: self._say(op, d))

    def say_raw(self, frame: bytes) -> None:
        """Send every client bytes that no Discord would send."""
        self._ground.run(lambda: self._each(lambda connection: connection.send_raw(frame)))

    def reconnect(self) -> None:
        """Ask every client to reconnect (op 7)."""
        self._ground.run(lambda: self._say(7, None))

    def invalid_session(self, *, resumable: bool = False) -> None:
        """Tell every client that its session is invalid (op 9); it is gone unless it is `resumable`."""

        def change() -> None:
            self._say(9, resumable)
            if not resumable:
                self._forget_sessions()

        self._ground.run(change)

    def re_identify(self, code: int = 4000) -> None:
        """Close every connection and forget the sessions: the resume is refused, and a new login follows."""

        def change() -> None:
            self._drop(code)
            self._forget_sessions()

        self._ground.run(change)

    def refuse(self, code: int, times: int = 1) -> None:
        """Close the next logins with a code instead of READY."""
        self._ground.run(lambda: self._refuse_identify.extend([code] * times))

    # --- the loop's side --------------------------------------------------------------------------

    def tell(self, event: str, d: Told, needs: Intent = ALWAYS) -> None:
        """Tell an event to every session that asked for such events; only on the loop's thread."""
        for session in self.sessions.values():
            if needs in session.intents:
                session.tell(event, d(session.intents) if callable(d) else d)

    def tell_guild(self, guild: GuildState, *, joined: bool) -> None:
        """Tell that the bot has just joined a guild, or that it is available again."""

        def shape(intents: Intent) -> Json:
            whole = self._whole_guild(guild, intents)
            if joined:
                del whole["unavailable"]  # by this a client knows that it is new
            return whole

        self.tell("GUILD_CREATE", shape, Intent.GUILDS)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """One connection from hello to its end."""
        connection = Connection(request)
        texts = await connection.texts()
        self._connections.add(connection)
        writer = self._ground.spawn(connection.write())
        connection.send(10, {"heartbeat_interval": self.heartbeat_ms})
        try:
            async for text in texts:
                with self._ground.changing():
                    self._hear(connection, decode(text))
        finally:
            with self._ground.changing():
                self._gone(connection)
            writer.cancel()
        return connection.socket

    def close(self) -> None:
        """Break every connection."""
        for connection in self._connections:
            connection.abort()

    def _hear(self, connection: Connection, said: Body) -> None:
        session = next(iter(self._sessions_of(connection)), None)
        match said.number("op") if "op" in said else None:
            case None:
                self._turn_away(connection, CLOSE_NOT_JSON)
            case 1:
                self.heartbeats += 1
                if self.answers_heartbeats:
                    connection.send(11, None)
            case 2 | 6 if session:
                self._turn_away(connection, CLOSE_ALREADY_AUTHENTICATED)
            case 2:
                self._identify(connection, said.body("d"))
            case 6:
                self._resume(connection, said.body("d"))
            case _ if session is None:
                self._turn_away(connection, CLOSE_NOT_AUTHENTICATED)
            case 3:
                pass  # his presence, which nobody here watches
            case 4:
                self.on_voice(said.body("d"), session.id)
            case 8:
                self._list_members(session, said.body("d"))
            case _:
                self._turn_away(connection, CLOSE_UNKNOWN_OP)

    def _turn_away(self, connection: Connection, code: int) -> None:
        self.turned_away.append(code)
        connection.close(code)

    def _sessions_of(self, connection: Connection) -> list[Session]:
        return [session for session in self.sessions.values() if session.connection is connection]

    def _identify(self, connection: Connection, said: Body) -> None:
        intents = Intent(said.number("intents"))
        wanted = intents & PRIVILEGED
        if self._refuse_identify:
            self._turn_away(connection, self._refuse_identify.pop(0))
        elif said.text("token") != self._token:
            self._turn_away(connection, CLOSE_AUTHENTICATION_FAILED)
        elif wanted not in self.privileged:
            self._turn_away(connection, CLOSE_DISALLOWED_INTENTS)
        else:
            session = Session(id=secrets.token_hex(16), intents=intents, connection=connection)
            self.sessions[session.id] = session
            self.identified.append(intents)
            self._welcome(session, intents)

    def _welcome(self, session: Session, intents: Intent) -> None:
        guilds = self._world.guilds.values()
        ready: Json = {
            "v": 10,
            "user": shapes.user(self._world.bot),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.resume_url,
            "application": {"id": str(self._world.application), "flags": 0},
        }
        session.tell("READY", ready)
        for guild in guilds:
            if guild.available:
                session.tell("GUILD_CREATE", self._whole_guild(guild, intents))

    def _whole_guild(self, guild: GuildState, intents: Intent) -> Json:
        everybody = Intent.MEMBERS | Intent.PRESENCES in intents
        return shapes.guild(guild, self._world, everybody=everybody)

    def _resume(self, connection: Connection, said: Body) -> None:
        session = self.sessions.get(said.text("session_id"))
        if session is None or said.text("token") != self._token:
            self.resumes_refused += 1
            connection.send(9, False)
            return
        session.connection = connection
        for seq, event, d in session.missed(said.number("seq")):
            connection.send(0, d, event=event, seq=seq)
        session.tell("RESUMED", {})
        self.resumed += 1

    def _list_members(self, session: Session, said: Body) -> None:
        guild = self._world.guilds.get(said.number("guild_id"))
        wanted = {int(str(who)) for who in said.items("user_ids")}
        if guild is None or not (wanted or said.text("query") or Intent.MEMBERS in session.intents):
            return
        found = [
            shapes.member(member)
            for who, member in guild.members.items()
            if (who in wanted if wanted else member.user.name.startswith(said.text("query")))
        ]
        chunk: Json = {
            "guild_id": str(guild.id),
            "members": found[: said.number("limit") or None],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [str(who) for who in wanted - guild.members.keys()],
        }
        session.tell(
            "GUILD_MEMBERS_CHUNK", chunk | {"nonce": said.text("nonce")} if "nonce" in said else chunk
        )

    def _drop(self, code: int | None) -> None:
        for connection in self._connections:
            if code is None:
                connection.abort()
            else:
                connection.close(code)
        for session in self.sessions.values():
            session.connection = None

    def _say(self, op: int, d: object) -> None:
        self._each(lambda connection: connection.send(op, d))

    def _each(self, change: Callable[[Connection], None]) -> None:
        for connection in self._connections:
            change(connection)

    def _forget_sessions(self) -> None:
        self.sessions.clear()

    def _gone(self, connection: Connection) -> None:
        self._connections.discard(connection)
        for session in self._sessions_of(connection):
            session.connection = None
            if ended_by_client(connection):
                del self.sessions[session.id]
