"""What the gateway needs of an account: news of rooms and orders, and a way to come, go and write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from messages.attachment import Attachment
from messages.gateway import GatewayPortEvent
from messages.ids import ConfirmationId, DeedId, GuildId, MessageId, PersonId, RoomId
from messages.tools import Deed


class GatewayPort(Protocol):
    """An account somewhere. Nothing here blocks or raises; events come from any thread."""

    def open(self, events: Callable[[GatewayPortEvent], None], /) -> None:
        """Go online; answered with GatewayReady and a RoomRoster for each room, or with GatewayGone."""

    def enter(self, room: RoomId) -> None:
        """Have the account seen in this room; answered with OwnVoiceMoved. Again is no harm."""

    def leave(self, room: RoomId) -> None:
        """Have the account seen there no longer; answered with OwnVoiceMoved."""

    def post(
        self, room: RoomId, text: str, reply_to: MessageId | None, attachments: tuple[Attachment, ...] = ()
    ) -> None:
        """Write into the room's chat, at most 2,000 characters; nobody is notified by a mention in it."""

    def typing(self, room: RoomId, on: bool) -> None:
        """Let the room see that he is writing, until he is told to stop, however much he posts meanwhile."""

    def watch(self, room: RoomId, start: bool) -> None:
        """Open or close the play surface there; an opening is answered with WatchOpened."""

    def do(self, name: DeedId, deed: Deed, room: RoomId, message: MessageId | None) -> None:
        """Do this in that room, to that message where it is about one; answered with DeedDone.

        Under one name a text is written once within minutes, also where an earlier life has begun to.
        """

    def look_up(self, guild: GuildId, person: PersonId) -> None:
        """Learn which roles this person has now; answered with RolesKnown."""

    def confirm(self, confirmation: ConfirmationId, room: RoomId, text: str) -> None:
        """Show this with two buttons; answered with ButtonPressed, perhaps often, or with ConfirmFailed."""

    def settle(self, confirmation: ConfirmationId, outcome: str) -> None:
        """Take the buttons away and show what came of it: granted | denied | timeout | dropped."""

    def close(self) -> None:
        """Go offline, within a second; no event is told afterwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at: what there is to say of it and, unless it is `ok`, what would mend it."""

    name: str
    ok: bool
    says: str
    remedy: str = ""
