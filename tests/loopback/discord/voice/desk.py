"""The desk of the voice servers: it looks at tickets, keeps the sessions and knows which code is due."""

from __future__ import annotations

import itertools
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.loopback.discord.voice import wire
from tests.loopback.discord.voice.faults import Faults, Moment
from tests.loopback.discord.voice.record import Record
from tests.loopback.discord.voice.session import Session
from tests.loopback.discord.voice.wire import Body, Op, number

if TYPE_CHECKING:
    from tests.loopback.discord.voice.endpoint import Endpoint
    from tests.loopback.discord.voice.line import SocketLine, Verdict
    from tests.loopback.discord.voice.room import Room

USED_UP: Final = frozenset({4004, 4006, 4009, 4011, 4014, 4022})
"""Codes after which a token is good for nothing any more."""


@dataclass(slots=True, kw_only=True)
class Ticket:
    """What a client has to show to be let in; `void` once it is good for nothing any more."""

    guild: int
    channel: int
    user: int
    session: str
    endpoint: Endpoint
    token: str
    used: bool = False
    void: bool = False


class VoiceDesk:
    """Every ticket and every session, whatever the endpoint; fulfils Desk, only on the loop's thread."""

    def __init__(self, faults: Faults) -> None:
        self.tickets: dict[tuple[int, int], Ticket] = {}
        self.records: list[Record] = []
        """Of every session there was, in order."""
        self.refused: list[int] = []
        """The codes that clients were turned away with."""
        self._faults = faults
        self._places: dict[Session, Endpoint] = {}
        self._ssrcs = itertools.count(1_000)

    # --- what the servers ask -----------------------------------------------------------------------

    def issue(self, endpoint: Endpoint, *, guild: int, channel: int, user: int, session: str) -> Ticket:
        """A new ticket; an older one of this user in this guild is void."""
        ticket = Ticket(
            guild=guild,
            channel=channel,
            user=user,
            session=session,
            endpoint=endpoint,
            token=secrets.token_hex(8),
        )
        self.tickets[guild, user] = ticket
        return ticket

    def sessions(self, user: int, guild: int | None = None) -> list[Session]:
        """His sessions that are not over, the newest last."""
        return [s for s in self._places if s.user == user and guild in {None, s.guild}]

    def endpoint(self, session: Session) -> Endpoint:
        """Where he is."""
        return self._places[session]

    def end(self, session: Session, code: int) -> None:
        """Close his connection with a code, and draw the conclusions."""
        session.end(code)
        ticket = self.tickets.get((session.guild, session.user))
        if ticket and ticket.token == session.token and code in USED_UP:
            ticket.void = True
        self._settle(session)

    # --- what clients ask: see Desk -----------------------------------------------------------------

    def greet(self, line: SocketLine) -> None:
        """See Desk."""
        line.put(wire.text(Op.HELLO, {"v": 8, "heartbeat_interval": self._faults.heartbeat_ms}))
        for frame in self._faults.inject.pop(Moment.AFTER_HELLO, []):
            if isinstance(frame, tuple):
                op, body = frame
                line.put(wire.binary(op, body, 0) if isinstance(body, bytes) else wire.text(op, body, 0))
            else:
                line.put(frame)

    def identify(self, line: SocketLine, body: Body) -> Verdict:
        """See Desk."""
        ticket = self.tickets.get((number(body, "server_id"), number(body, "user_id")))
        code = self._objection(ticket, body, line)
        if ticket is None or code:
            self.refused.append(code)
            return code
        ticket.used = True
        for older in self.sessions(ticket.user, ticket.guild):
            if older.channel == ticket.channel and self._places[older] is ticket.endpoint:
                self.end(older, 4009)
        session = self._begin(ticket)
        session.dave = number(body, "max_dave_protocol_version")
        self._seat(session, line, Op.IDENTIFY, body)
        port, modes = ticket.endpoint.sfu.port, list(self._faults.modes)
        ready = {"ssrc": session.ssrc, "ip": "127.0.0.1", "port": port, "modes": modes}
        session.say(Op.READY, {**ready, "experiments": [], "streams": []})
        self._slip_in(session, Moment.AFTER_READY)
        return session

    def resume(self, line: SocketLine, body: Body) -> Verdict:
        """See Desk."""
        found = [
            s for s in self._places if s.token == body.get("token") and s.session == body.get("session_id")
        ]
        if self._faults.refuse_resume or not found or found[0].over:
            code = self._faults.refuse_resume.pop(0) if self._faults.refuse_resume else 4006
            for session in found:
                self.end(session, code)
            self.refused.append(code)
            return code
        session = found[0]
        session.end(1006)
        self._seat(session, line, Op.RESUME, body)
        session.say(Op.RESUMED, None)
        session.replay(number(body, "seq_ack", -1))
        return session

    def hear(self, session: Session, op: int, body: Body) -> int | None:
        """See Desk."""
        room = self._room(session)
        match op:
            case Op.HEARTBEAT:
                if session.user not in self._faults.heartbeats_unanswered:
                    session.say(Op.HEARTBEAT_ACK, {"t": body.get("t", body.get(""))})
            case Op.SELECT_PROTOCOL:
                return self._select(session, body)
            case Op.SPEAKING if session.described:
                room.speaking(session, number(body, "speaking"))
            case Op.TRANSITION_READY | Op.INVALID_COMMIT_WELCOME if room.group:
                room.group.hear(session, op, body)
            case Op.SPEAKING | Op.VIDEO | Op.TRANSITION_READY | Op.INVALID_COMMIT_WELCOME:
                pass
            case _:
                return 4001
        return None

    def hear_binary(self, session: Session, op: int, body: bytes) -> None:
        """See Desk."""
        group = self._room(session).group
        if group:
            group.hear_binary(session, op, body)
            self._settle(session)

    def gone(self, session: Session, code: int) -> None:
        """See Desk: 1000 is a farewell, anything else may come back."""
        session.line = None
        session.record.closed.append(code)
        session.over = session.over or code == 1000
        self._settle(session)

    # --- how ----------------------------------------------------------------------------------------

    def _objection(self, ticket: Ticket | None, body: Body, line: SocketLine) -> int:
        """The code that an IDENTIFY is refused with, or 0."""
        faults = self._faults
        if faults.refuse_identify:
            code = faults.refuse_identify.pop(0)
            if ticket and code in USED_UP:
                ticket.void = True
            return code
        if ticket is None:
            return 4011
        if ticket.token != body.get("token"):
            return 4004
        stale = ticket.void or (ticket.used and faults.single_use) or ticket.endpoint.port != line.port
        if stale or ticket.session != body.get("session_id"):
            return 4006
        encrypted = ticket.endpoint.room(ticket.guild, ticket.channel).group is not None
        if encrypted and faults.require_dave and not number(body, "max_dave_protocol_version"):
            return 4017
        return 0

    def _begin(self, ticket: Ticket) -> Session:
        ssrc = self._faults.next_ssrc.pop(0) if self._faults.next_ssrc else next(self._ssrcs)
        session = Session(
            user=ticket.user,
            guild=ticket.guild,
            channel=ticket.channel,
            token=ticket.token,
            session=ticket.session,
            ssrc=ssrc,
        )
        if ticket.user in self._faults.late_names:
            session.held = []
        self._places[session] = ticket.endpoint
        self.records.append(session.record)
        ticket.endpoint.take(session)
        return session

    def _seat(self, session: Session, line: SocketLine, op: int, body: Body) -> None:
        session.line, line.session = line, session
        session.record.lines += 1
        session.record.said(by_server=False, op=op, body=body)

    def _select(self, session: Session, body: Body) -> int | None:
        inner = body.get("data")
        if body.get("protocol") != "udp" or not isinstance(inner, dict):
            return 4012
        mode = inner.get("mode")
        if not isinstance(mode, str) or mode not in self._faults.modes:
            return 4016
        again, room = session.described, self._room(session)
        session.listens_at = str(inner.get("address")), number(inner, "port")
        session.describe(mode)
        if self._faults.early_sender and room.group:
            room.group.introduce_early(session)
        self._slip_in(session, Moment.BEFORE_DESCRIPTION)
        session.version = min(room.version, session.dave)
        session.say(Op.DESCRIPTION, _description(session))
        self._slip_in(session, Moment.AFTER_DESCRIPTION)
        if not again:
            room.enter(session)
        # He has moved: his old connection was kept until the new one was up.
        for older in self.sessions(session.user, session.guild)[:-1]:
            self.end(older, 4014)
        return None

    def _slip_in(self, session: Session, moment: Moment) -> None:
        for frame in self._faults.inject.pop(moment, []):
            if not isinstance(frame, tuple):
                session.say_raw(frame)
            elif isinstance(frame[1], bytes):
                session.say_binary(frame[0], frame[1])
            else:
                session.say(frame[0], frame[1])

    def _room(self, session: Session) -> Room:
        return self._places[session].room(session.guild, session.channel)

    def _settle(self, session: Session) -> None:
        """Whoever cannot come back is gone for the others, too."""
        if session.over and session in self._places:
            self._places.pop(session).release(session)


def _description(session: Session) -> Body:
    return {
        "mode": session.record.mode,
        "secret_key": list(session.key),
        "audio_codec": "opus",
        "video_codec": "H264",
        "media_session_id": secrets.token_hex(16),
        "dave_protocol_version": session.version,
    }
