"""An account in the local room: the door is in this process, so it is never out of order."""

from __future__ import annotations

from collections.abc import Callable

from actors.local_room import LocalRoom
from messages.gateway import GatewayPortEvent
from messages.ids import RoomId


class LocalAccount:
    """A GatewayPort on a LocalRoom; orders about any other room do nothing."""

    def __init__(self, room: LocalRoom) -> None:
        self._room = room

    def open(self, events: Callable[[GatewayPortEvent], None], /) -> None:
        """Be told of everything in the room."""
        self._room.attach_account(events)

    def enter(self, room: RoomId) -> None:
        """Come in."""
        if room == self._room.id:
            self._room.enter()

    def leave(self, room: RoomId) -> None:
        """Go."""
        if room == self._room.id:
            self._room.exit()

    def post(self, room: RoomId, text: str) -> None:
        """Write."""
        if room == self._room.id:
            self._room.post(text)

    def close(self) -> None:
        """Be told no more."""
        self._room.detach_account()
