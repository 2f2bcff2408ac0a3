"""What the gateway needs of an account: news of rooms, and a way to come, go and write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from messages.gateway import GatewayPortEvent
from messages.ids import RoomId


class GatewayPort(Protocol):
    """An account somewhere. Nothing here blocks or raises; events come from any thread."""

    def open(self, events: Callable[[GatewayPortEvent], None], /) -> None:
        """Go online; answered with GatewayReady and a RoomRoster for each room, or with GatewayGone."""

    def enter(self, room: RoomId) -> None:
        """Have the account seen in this room; answered with OwnVoiceMoved."""

    def leave(self, room: RoomId) -> None:
        """Have the account seen there no longer; answered with OwnVoiceMoved."""

    def post(self, room: RoomId, text: str) -> None:
        """Write into the room's chat, at most 2,000 characters."""

    def close(self) -> None:
        """Go offline, within a second; no event is told afterwards."""
