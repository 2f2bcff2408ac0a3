"""Whoever starts him is told the way to his page, once it leads there."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Final, TextIO

from loguru import logger

from actors.console.client import ClientError, page_link
from actors.console.settings import ConsoleSettings
from messages.lifecycle import TreeNode

TRIES: Final = 40
"""Looks, two a second; a console that is not open by then has told the log why."""
_OPEN: Final = "port "
_NOT_YET: Final = "not listening yet"
"""As the console says of itself."""


class Invitation:
    """The link has the key in it: it goes to a person's screen, and into no file and no log."""

    def __init__(
        self,
        settings: ConsoleSettings,
        config: Path | None = None,
        screen: TextIO | None = None,
        *,
        has_seats: bool = False,
    ) -> None:
        """`has_seats`: the page is where people sit down with him, so that the log names the verb as well."""
        self._any_port = not settings.port
        self._directory = settings.directory.expanduser()
        self._config, self._has_seats = config, has_seats
        self._screen = screen or sys.stderr
        self._left = TRIES if has_seats or self._screen.isatty() else 0
        self._server = ""

    def due(self) -> bool:
        """Whether it is still to be shown, so that the house is to be asked how its console stands."""
        return self._left > 0

    def tell(self, tree: TreeNode, /) -> None:
        """Hear of the console: where this house listens, and not who else may listen there."""
        for node in tree.every():
            if node.kind == "Console" and not node.facts.get("no_orders"):
                server = str(node.facts.get("server") or _NOT_YET)
                self._server = "" if server == _NOT_YET else server

    def show(self) -> None:
        """Show it once, as soon as it is known."""
        server = self._server
        if not self._left or (not server and self._wait()):
            return
        self._left = 0
        if not server.startswith(_OPEN):
            return  # the log has the reason
        port = int(server.removeprefix(_OPEN))
        if self._has_seats:
            logger.info("to sit down with him: {}", self._verb(port))
        if self._screen.isatty():
            self._show_link(port)

    def _wait(self) -> bool:
        self._left -= 1
        return self._left > 0

    def _verb(self, port: int) -> str:
        words = ["clankie", "page"]
        if self._config is not None:
            words += ["--config", str(self._config)]
        if self._any_port:
            words += ["--port", str(port)]
        return shlex.join(words)

    def _show_link(self, port: int) -> None:
        try:
            link = page_link(port, self._directory)
        except ClientError:
            return
        print(f"\n  his page, for you alone:  {link}\n", file=self._screen, flush=True)
