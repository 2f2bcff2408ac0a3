"""An account that only remembers what it was asked."""

from collections.abc import Callable

from messages.gateway import GatewayPortEvent
from messages.ids import MessageId, RoomId


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

    def post(self, room: RoomId, text: str, reply_to: MessageId | None) -> None:
        self.asked.append(("post", room, text, reply_to))

    def typing(self, room: RoomId, on: bool) -> None:
        self.asked.append(("typing", room, on))

    def watch(self, room: RoomId, start: bool) -> None:
        self.asked.append(("watch", room, start))

    def close(self) -> None:
        self.asked.append(("close",))
