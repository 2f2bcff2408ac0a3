"""`clankie page`: the page of the running house in a browser, with the key behind the #."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path

import typer

from actors.console.client import fetch_status, page_link
from supervisors.commands.ctl import house


def open_page(config: Path | None, port: int | None, *, only_print: bool) -> int:
    """Print the address, and open it where there is a browser; raises a ClientError if no house takes it."""
    where, directory = house(config, port)
    fetch_status(where, directory)  # a house that was killed has left its key behind
    link = page_link(where, directory)
    typer.echo(link)
    if not only_print and _somebody_looks():
        webbrowser.open(link)
    return 0


def _somebody_looks() -> bool:
    """Whether there is a screen to open a browser on; a browser of the terminal would take it over."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
