"""A console behind a closed shutter: a rehearsal is watched from inside, and takes no port from anybody."""

from __future__ import annotations

from collections.abc import Callable

from actors.console.port import ConsoleEvent, View


class ClosedConsole:
    """A ConsolePort that nobody can ask anything."""

    def open(self, events: Callable[[ConsoleEvent], None]) -> None:
        """Listen to nobody."""

    def publish(self, view: View, body: str) -> None:
        """Nobody watches."""

    def close(self) -> None:
        """There is nothing to let go of."""
