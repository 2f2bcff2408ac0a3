"""An order from the command line to the running house: given, answered, and turned into an exit code."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import typer
from rich.console import Console
from rich.text import Text

from actors.console.client import BadRequest
from actors.console.orders_client import order
from actors.console.wire_orders import answer_json
from messages.console import OrderResult
from messages.lifecycle import Scalar
from supervisors.paths import at_home
from supervisors.settings import configured
from supervisors.terminal.durations import LONGEST, seconds_in
from supervisors.terminal.ink import harmless_json, plain

EXITS: Final = {OrderResult.DONE: 0, OrderResult.REFUSED: 1, OrderResult.GONE: 3, OrderResult.PENDING: 4}
"""2 is trouble on the way, as of every other verb."""
_STYLES: Final = {
    OrderResult.DONE: "",
    OrderResult.REFUSED: "red",
    OrderResult.GONE: "yellow",
    OrderResult.PENDING: "yellow",
}


def house(config: Path | None, port: int | None) -> tuple[int, Path]:
    """The port of the house that is meant, and where its key is; raises BadConfig."""
    settings = configured(config).console
    return port if port is not None else settings.port, at_home("[console] directory", settings.directory)


def give(
    path: str, body: Mapping[str, Scalar], config: Path | None, port: int | None, *, as_json: bool
) -> int:
    """Give this order and print what becomes of it; raises a ClientError if it cannot be given."""
    where, directory = house(config, port)
    answer = order(where, directory, path, body)
    if as_json:
        typer.echo(harmless_json(answer_json(answer)))
    else:
        refused = answer.result in {OrderResult.REFUSED, OrderResult.GONE}
        console = Console(highlight=False, soft_wrap=True, stderr=refused)
        console.print(Text(plain(answer.text), style=_STYLES[answer.result]))
    return EXITS[answer.result]


def hush_seconds(duration: str) -> float:
    """The seconds in "90", "90s", "5m" or "1h30m"; raises BadRequest."""
    seconds = seconds_in(duration)
    if seconds is None:
        raise BadRequest(f"{plain(duration)[:40]!r} is no time", "write 90, 90s, 5m or 1h")
    if seconds > LONGEST:
        remedy = "say 24h, or have him leave: clankie ctl leave"
        raise BadRequest(f"{plain(duration)[:40]!r} is longer than a day", remedy)
    return seconds


def is_meant(question: str) -> bool:
    """Whether whoever sits at the terminal says yes; raises BadRequest where nobody does."""
    if not _somebody_sits_there():
        raise BadRequest("nobody can be asked whether that is meant", "say it with --yes")
    return typer.confirm(question)


def _somebody_sits_there() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()
