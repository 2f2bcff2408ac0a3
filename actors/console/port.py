"""What the console needs of the outside world: to be asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from messages.console import OperatorAsked, OperatorHungUp, ServerFailed, ServerReady, StatusAsked

ConsoleEvent: TypeAlias = StatusAsked | OperatorAsked | OperatorHungUp | ServerReady | ServerFailed


class ConsolePort(Protocol):
    """A server on 127.0.0.1, for one life of one actor."""

    def open(self, events: Callable[[ConsoleEvent], None]) -> None:
        """Begin to listen and return at once; ServerReady or ServerFailed is told to `events`."""
        ...

    def close(self) -> None:
        """Stop listening and hang up, within two seconds; the port is free when this returns.

        What was told to an operator before is still sent to him.
        """
        ...
