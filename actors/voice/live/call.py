"""One connection as the house remembers it: what the switchboard said of it, and how often it was dialled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from actors.switchboard import Caller
from actors.voice.media import mail
from messages.ids import Connection, RoomId

SAME_MOVE_SECONDS: Final = 2.0
"""A server that came so shortly before a state in another room belongs to that room."""
BACKOFF: Final = (0.0, 0.5, 1.0, 2.0, 5.0)
"""Seconds before each new try to dial; what comes after the last is not for the link to say."""
CALM_SECONDS: Final = 10.0
"""A line that held so long was a good one: what follows is a new trouble."""
STATE_SECONDS: Final = 5.0
"""So long his own voice state may take to say what a close meant."""


@dataclass(slots=True, kw_only=True)
class Call:
    """One connection; `letters` wait for the switchboard to say who he is on it."""

    connection: Connection
    room: RoomId
    caller: Caller | None = None
    letters: list[mail.VoiceState | mail.VoiceServer] = field(default_factory=list)
    up: bool = False
    faltering: bool = False
    """Whether it was up and gets a new line now."""
    down: bool = False
    reached: bool = False
    """Whether its newest line is up."""
    reached_at: float = 0.0
    tries: int = 0
    turned_away: str = ""
    """The reason for which new credentials were tried once."""
    attempt: int = 0
    """Which wait for a line is the present one."""

    def next_try(self, now: float) -> float | None:
        """How long to wait before dialling again; None if it has been tried often enough."""
        if self.reached and now - self.reached_at > CALM_SECONDS:
            self.tries, self.turned_away = 0, ""
        self.reached = False
        self.attempt += 1
        if self.tries == len(BACKOFF):
            return None
        self.tries += 1
        return BACKOFF[self.tries - 1]


@dataclass(slots=True, kw_only=True)
class Elsewhere:
    """Somebody moved him: what the switchboard has said of the other room, for whoever will want it."""

    room: RoomId
    session: str = field(repr=False)
    server: tuple[str, str] | None = field(repr=False)
