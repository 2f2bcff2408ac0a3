"""`clankie page`: the page of the running house in a browser, which a file of ours leads there."""

from __future__ import annotations

import json
import os
import sys
import webbrowser
from pathlib import Path

import typer

from actors.console.client import fetch_status, page_link
from actors.console.settings import door_file
from actors.seclusion import write_closed
from supervisors.commands.ctl import house


def open_page(config: Path | None, port: int | None, *, only_print: bool) -> int:
    """Print the address, and open it where there is a browser; raises a ClientError if no house takes it.

    A browser's command line is everybody's to read: it is given a file that leads to the address.
    """
    where, directory = house(config, port)
    fetch_status(where, directory)  # a house that was killed has left its key behind
    link = page_link(where, directory)
    typer.echo(link)
    if not only_print and _somebody_looks():
        door = door_file(directory, where)
        write_closed(door, _leading_to(link))
        webbrowser.open(door.as_uri())
    return 0


def _leading_to(link: str) -> bytes:
    script = f"location.replace({json.dumps(link)})".replace("<", "\\u003c")
    return f'<!doctype html><meta charset="utf-8"><title>Clankie</title><script>{script}</script>\n'.encode()


def _somebody_looks() -> bool:
    """Whether there is a screen to open a browser on; a browser of the terminal would take it over."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
