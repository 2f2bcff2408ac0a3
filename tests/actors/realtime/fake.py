"""A model that says nothing by itself and remembers what it was told."""

from collections.abc import Callable

from actors.realtime.items import Item, Seed, TurnBrief
from messages.ids import Connection, ResponseId
from messages.realtime import RealtimePortEvent


class FakeModel:
    """Remembers every call; `events` is the door that it was given."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.events: Callable[[RealtimePortEvent], None] | None = None

    def open(self, events: Callable[[RealtimePortEvent], None]) -> None:
        self.events = events

    def connect(self, connection: Connection, seed: Seed) -> None:
        self.calls.append(("connect", connection))

    def add(self, connection: Connection, item: Item) -> None:
        self.calls.append(("add", connection, item))

    def respond(self, connection: Connection, response: ResponseId, brief: TurnBrief) -> None:
        self.calls.append(("respond", connection, response))

    def cancel(self, connection: Connection, response: ResponseId) -> None:
        self.calls.append(("cancel", connection, response))

    def disconnect(self, connection: Connection) -> None:
        self.calls.append(("disconnect", connection))

    def close(self) -> None:
        self.calls.append(("close",))

    def describe(self) -> str:
        return "fake"
