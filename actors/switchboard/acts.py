"""What a switchboard does about a call: it orders the account, or tells the link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.ids import RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """Ask Discord to have him in this channel."""

    channel: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HangUp:
    """Ask Discord to have him in no channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TellState:
    """The listener learns where he is."""

    session: str | None
    room: RoomId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TellServer:
    """The listener learns of a voice server, or is to wait for one."""

    token: str
    endpoint: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TellUnreachable:
    """The listener learns that nothing will come; `reason` is a bounded code."""

    reason: str


Act: TypeAlias = Dial | HangUp | TellState | TellServer | TellUnreachable
