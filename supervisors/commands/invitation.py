"""Whoever starts him at a terminal is shown the way to his page, once it is open."""

from __future__ import annotations

import sys
from typing import Final, TextIO

from actors.console.client import ClientError, fetch_status, page_link
from actors.console.settings import ConsoleSettings

TRIES: Final = 20
"""Looks, two a second; a console that is not open by then has told the log why."""
TRY_SECONDS: Final = 0.5


class Invitation:
    """The link has the key in it: it goes to a person's screen, and into no file and no log."""

    def __init__(self, settings: ConsoleSettings, screen: TextIO | None = None) -> None:
        self._port = settings.port
        self._directory = settings.directory.expanduser()
        self._screen = screen or sys.stderr
        self._left = TRIES if settings.port and self._screen.isatty() else 0

    def show(self) -> None:
        """Show it once, as soon as it is known."""
        if not self._left:
            return
        self._left -= 1
        try:
            # A house that was killed leaves its key behind: only one that opens is shown.
            fetch_status(self._port, self._directory, TRY_SECONDS)
            link = page_link(self._port, self._directory)
        except ClientError:
            return
        self._left = 0
        print(f"\n  his page, for you alone:  {link}\n", file=self._screen, flush=True)
