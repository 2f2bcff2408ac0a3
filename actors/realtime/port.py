"""What the conversation needs from outside: a mind that answers when it is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from actors.realtime.items import Item, Seed, TurnBrief
from messages.ids import Connection, ResponseId
from messages.realtime import RealtimePortEvent


class RealtimePort(Protocol):
    """A language model with a memory of its own. Nothing blocks; everything comes through the door.

    A response ends in exactly one ResponseEnded, unless it was cancelled or its connection was lost. What
    it has used is told with ModelSpent where that is known, also of one that nobody wants any more. The
    tools are `voice_leave`, `take_back` (no argument) and `ask_clankie` (request).
    """

    def open(self, events: Callable[[RealtimePortEvent], None]) -> None:
        """Learn where to report; needs no network. `events` never raises and takes calls from any thread."""
        ...

    def connect(self, connection: Connection, seed: Seed) -> None:
        """Begin a conversation; what follows may be said before it stands, and is kept in order."""
        ...

    def add(self, connection: Connection, item: Item) -> None:
        """Put one thing into the conversation; asks for no response."""
        ...

    def respond(self, connection: Connection, response: ResponseId, brief: TurnBrief) -> None:
        """Ask for one response; never more than one at a time."""
        ...

    def cancel(self, connection: Connection, response: ResponseId) -> None:
        """Nobody wants this response any more; nothing of it need be reported."""
        ...

    def disconnect(self, connection: Connection) -> None:
        """End a conversation, silently."""
        ...

    def close(self) -> None:
        """Let go of everything; after this nothing is reported."""
        ...

    def describe(self) -> str:
        """What kind of mind this is, in a few words, for the status page."""
        ...
