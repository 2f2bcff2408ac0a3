"""`clankie ctl events`: what happens in the running house, a line each, for people and for pipes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import assert_never

import typer
from rich.console import Console

from actors.console.watcher import watch
from actors.console.wire_views import LogView, ReceiptView, Shown, StatusView, WordsView
from supervisors.commands.ctl import house
from supervisors.terminal.ink import Row, Tone, clock, harmless_json, written
from supervisors.terminal.paint import painted
from supervisors.terminal.standing import standing
from supervisors.terminal.tail import logged, receipt
from supervisors.terminal.talk import spoken

INTERRUPTED_EXIT = 130


def tell(config: Path | None, port: int | None, *, words: bool, logs: bool, as_json: bool) -> int:
    """Print what happens until Ctrl-C or the pipe breaks; raises ClientError where there is no house."""
    where, directory = house(config, port)
    views = watch(where, directory, words=words, logs=logs)
    try:
        if as_json:
            for view in views:
                typer.echo(harmless_json(view.model_dump_json(by_alias=True)))
        else:
            _print(views)
    except KeyboardInterrupt:
        return INTERRUPTED_EXIT
    except BrokenPipeError:
        # Python writes once more when it ends: let it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    finally:
        views.close()
    return 0


def _print(views: Iterable[Shown]) -> None:
    console, before = Console(highlight=False, soft_wrap=True), ""
    for view in views:
        row = _row(view)
        if isinstance(view, StatusView):
            # It comes every second, and is news only where it says something else.
            if (now := written(row)) == before:
                continue
            before, row = now, ((f"{clock(time.time())} ", Tone.DIM), *row)
        if not row:
            continue  # a receipt without a time
        if console.is_terminal:
            console.print(painted(row))
        else:
            typer.echo(written(row))


def _row(view: Shown) -> Row:
    match view:
        case StatusView():
            return standing(view.status)
        case ReceiptView():
            dated = receipt(view.receipt)
            return dated.row if dated is not None else ()
        case WordsView():
            return spoken(view).row
        case LogView():
            return logged(view.at, view.level, view.text).row
        case _:
            assert_never(view)
