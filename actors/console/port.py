"""What the console needs of the outside world: to be asked, to be given orders, and to be watched."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol, TypeAlias

from messages.console import (
    OperatorAsked,
    OperatorHungUp,
    OrderGiven,
    ServerFailed,
    ServerReady,
    StatusAsked,
    ViewersChanged,
    WhyAsked,
)

ConsoleEvent: TypeAlias = (
    StatusAsked
    | WhyAsked
    | OrderGiven
    | OperatorAsked
    | OperatorHungUp
    | ViewersChanged
    | ServerReady
    | ServerFailed
)


class View(StrEnum):
    """What viewers are shown."""

    STATUS = "status"
    RECEIPT = "receipt"
    WORDS = "words"
    """Only to those who asked for words."""


class ConsolePort(Protocol):
    """A server on 127.0.0.1, for one life of one actor."""

    def open(self, events: Callable[[ConsoleEvent], None]) -> None:
        """Begin to listen and return at once; ServerReady or ServerFailed is told to `events`.

        After a ServerFailed it may be called again.
        """
        ...

    def publish(self, view: View, body: str) -> None:
        """Show one JSON object to all who watch; never blocks, and whoever does not look is dropped."""
        ...

    def close(self) -> None:
        """Stop listening and hang up, within two seconds; the port is free when this returns.

        What was told to an operator before is still sent to him.
        """
        ...
