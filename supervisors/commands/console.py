"""`clankie console`: the running house on the whole terminal."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from actors.console.client import ClientError
from supervisors.commands.ctl import house
from supervisors.packages import run_setup


def watch(config: Path | None, port: int | None) -> int:
    """Show it until q; raises a ClientError where that is not possible at all."""
    where, directory = house(config, port)
    if find_spec("textual") is None:
        raise ClientError("the library of the full-screen console is not installed", run_setup("console"))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ClientError("a full-screen console needs a terminal", "for pipes there is: clankie ctl events")
    if os.environ.get("TERM") == "dumb":
        raise ClientError("this terminal is dumb (TERM)", "for one line after the other: clankie ctl events")
    from supervisors.terminal.app import HouseConsole

    HouseConsole(where, directory).run()
    return 0
