"""A voice channel on one voice server: who is in it, what they are told of each other, and their group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tests.loopback.discord.voice.session import Session
from tests.loopback.discord.voice.wire import Op

if TYPE_CHECKING:
    from tests.loopback.discord.voice.group import Group


class Room:
    """Those who are described, in the order in which they came; only on the loop's thread."""

    def __init__(self, channel: int, group: Group | None) -> None:
        self.channel = channel
        self.sessions: dict[int, Session] = {}
        self.group = group

    @property
    def version(self) -> int:
        """The DAVE version in force."""
        return self.group.version if self.group else 0

    def others(self, session: Session) -> list[Session]:
        """Everybody else."""
        return [other for other in self.sessions.values() if other is not session]

    def enter(self, session: Session) -> None:
        """He has his key: everybody learns of everybody."""
        others = self.others(session)
        self.sessions[session.user] = session
        if others:
            _introduce([session], others)
            _introduce(others, [session])
        for other in others:
            if other.speaking is not None:
                session.say(Op.SPEAKING, other.speaking)
        if self.group:
            self.group.enter(session)

    def leave(self, session: Session) -> None:
        """He is gone for good: the others learn of it."""
        if self.sessions.get(session.user) is not session:
            return
        del self.sessions[session.user]
        for other in self.sessions.values():
            other.say(Op.CLIENT_DISCONNECT, {"user_id": str(session.user)})
        if self.group:
            self.group.leave(session)

    def speaking(self, session: Session, flags: int) -> None:
        """Pass on his op 5."""
        session.speaking = {"user_id": str(session.user), "ssrc": session.ssrc, "speaking": flags}
        for other in self.others(session):
            other.say(Op.SPEAKING, session.speaking)


def _introduce(listeners: Iterable[Session], people: Iterable[Session]) -> None:
    names = [str(person.user) for person in people]
    for listener in listeners:
        listener.say(Op.CLIENTS_CONNECT, {"user_ids": names})
        for name in names:
            listener.say(Op.FLAGS, {"user_id": name, "flags": 2})
            listener.say(Op.PLATFORM, {"user_id": name, "platform": 0})
