"""An account that only remembers what it was asked."""

from collections.abc import Callable

from messages.attachment import Attachment
from messages.gateway import GatewayPortEvent
from messages.ids import ConfirmationId, DeedId, GuildId, MessageId, PersonId, RoomId
from messages.tools import Deed


class FakeAccount:
    """`asked` holds every call as a tuple: its name, then its arguments."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.events: Callable[[GatewayPortEvent], None] = lambda _event: None

    def open(self, events: Callable[[GatewayPortEvent], None], /) -> None:
        self.events = events
        self.asked.append(("open",))

    def enter(self, room: RoomId) -> None:
        self.asked.append(("enter", room))

    def leave(self, room: RoomId) -> None:
        self.asked.append(("leave", room))

    def post(
        self, room: RoomId, text: str, reply_to: MessageId | None, attachments: tuple[Attachment, ...] = ()
    ) -> None:
        self.asked.append(("post", room, text, reply_to, *(one.name for one in attachments)))

    def typing(self, room: RoomId, on: bool) -> None:
        self.asked.append(("typing", room, on))

    def watch(self, room: RoomId, start: bool) -> None:
        self.asked.append(("watch", room, start))

    def do(self, name: DeedId, deed: Deed, room: RoomId, message: MessageId | None) -> None:
        self.asked.append(("do", name, deed, room, message))

    def look_up(self, guild: GuildId, person: PersonId) -> None:
        self.asked.append(("look_up", guild, person))

    def confirm(self, confirmation: ConfirmationId, room: RoomId, text: str) -> None:
        self.asked.append(("confirm", confirmation, room, text))

    def settle(self, confirmation: ConfirmationId, outcome: str) -> None:
        self.asked.append(("settle", confirmation, outcome))

    def close(self) -> None:
        self.asked.append(("close",))
