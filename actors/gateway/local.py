"""An account in the local room: the door is in this process, so it is never out of order."""

from __future__ import annotations

from collections.abc import Callable

from actors.local_room import LocalRoom
from messages.gateway import GatewayPortEvent, WatchOpened
from messages.ids import MessageId, RoomId


class LocalAccount:
    """A GatewayPort on a LocalRoom; orders about any other room do nothing."""

    def __init__(self, room: LocalRoom) -> None:
        self._room = room
        self._events: Callable[[GatewayPortEvent], None] = lambda _event: None

    def open(self, events: Callable[[GatewayPortEvent], None], /) -> None:
        """Be told of everything in the room."""
        self._events = events
        self._room.attach_account(events)

    def enter(self, room: RoomId) -> None:
        """Come in."""
        if room == self._room.id:
            self._room.enter()

    def leave(self, room: RoomId) -> None:
        """Go."""
        if room == self._room.id:
            self._room.exit()

    def post(self, room: RoomId, text: str, reply_to: MessageId | None) -> None:
        """Write; what is answered can be seen without a mark."""
        if room == self._room.id:
            self._room.post(text)

    def typing(self, room: RoomId, on: bool) -> None:
        """Nobody looks."""

    def watch(self, room: RoomId, start: bool) -> None:
        """There is no play surface in this process."""
        if start:
            self._events(WatchOpened(room=room, url="", failed="unsupported"))

    def close(self) -> None:
        """Be told no more."""
        self._room.detach_account()
