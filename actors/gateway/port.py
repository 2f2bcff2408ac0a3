"""What the gateway needs of an account: news of rooms and orders, and a way to come, go and write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from messages.gateway import GatewayPortEvent
from messages.ids import MessageId, RoomId


class GatewayPort(Protocol):
    """An account somewhere. Nothing here blocks or raises; events come from any thread."""

    def open(self, events: Callable[[GatewayPortEvent], None], /) -> None:
        """Go online; answered with GatewayReady and a RoomRoster for each room, or with GatewayGone."""

    def enter(self, room: RoomId) -> None:
        """Have the account seen in this room; answered with OwnVoiceMoved. Again is no harm."""

    def leave(self, room: RoomId) -> None:
        """Have the account seen there no longer; answered with OwnVoiceMoved."""

    def post(self, room: RoomId, text: str, reply_to: MessageId | None) -> None:
        """Write into the room's chat, at most 2,000 characters; nobody is notified by a mention in it."""

    def typing(self, room: RoomId, on: bool) -> None:
        """Let the room see that he is writing, until he is told to stop, however much he posts meanwhile."""

    def watch(self, room: RoomId, start: bool) -> None:
        """Open or close the play surface there; an opening is answered with WatchOpened."""

    def close(self) -> None:
        """Go offline, within a second; no event is told afterwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at: what there is to say of it and, unless it is `ok`, what would mend it."""

    name: str
    ok: bool
    says: str
    remedy: str = ""
