"""An account in the local room: the door is in this process, so it is never out of order."""

from __future__ import annotations

from collections.abc import Callable

from actors.local_room import LocalRoom, Posted
from messages.attachment import Attachment
from messages.gateway import ConfirmFailed, DeedDone, GatewayPortEvent, RolesKnown, WatchOpened
from messages.ids import ConfirmationId, DeedId, GuildId, MessageId, PersonId, RoomId
from messages.tools import Deed


class LocalAccount:
    """A GatewayPort on a LocalRoom and its lobby; orders about any other room do nothing."""

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

    def post(
        self, room: RoomId, text: str, reply_to: MessageId | None, attachments: tuple[Attachment, ...] = ()
    ) -> None:
        """Write; files are handed over as they are."""
        posted = Posted(room=room, text=text, reply_to=reply_to, attachments=attachments)
        self._room.chat.post(posted)

    def typing(self, room: RoomId, on: bool) -> None:
        """Nobody looks."""

    def watch(self, room: RoomId, start: bool) -> None:
        """There is no play surface in this process."""
        if start:
            self._events(WatchOpened(room=room, url="", failed="unsupported"))

    def do(self, name: DeedId, deed: Deed, room: RoomId, message: MessageId | None) -> None:
        """Do it at once."""
        self._events(DeedDone(deed=name, failed=self._room.chat.do(deed, room, message)))

    def look_up(self, guild: GuildId, person: PersonId) -> None:
        """There are no roles here but those that somebody brings along."""
        self._events(RolesKnown(guild=guild, person=person, roles=frozenset()))

    def confirm(self, confirmation: ConfirmationId, room: RoomId, text: str) -> None:
        """Ask; whoever answers has to say who he is."""
        if not self._room.chat.ask(confirmation, room, text):
            self._events(ConfirmFailed(confirmation=confirmation, failed="unsupported"))

    def settle(self, confirmation: ConfirmationId, outcome: str) -> None:
        """It is decided."""
        self._room.chat.settle(confirmation, outcome)

    def close(self) -> None:
        """Be told no more."""
        self._room.detach_account()
