"""What every instrument says to whoever watches: how far it is, and what is left when it is interrupted."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Final

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.progress import Task as Going
from rich.table import Table as RichTable
from rich.text import Text

from supervisors.commands.interruption import INTERRUPTED_EXIT, signals_interrupt
from tests.reliability.figures import Found

FIRST_SECONDS: Final = 1.0
EVERY_SECONDS: Final = 15.0
"""So often it is said in a file or a pipe how far everything is."""
COUNTED: Final = (MofNCompleteColumn(), TimeElapsedColumn())
"""Beside the bar of whatever is counted."""


@contextmanager
def in_order(console: Console, left: str) -> Generator[None]:
    """Whoever interrupts what is inside, by Ctrl-C or a signal, is told what is left when all is closed."""
    with signals_interrupt():
        try:
            yield
        except KeyboardInterrupt:
            with suppress(OSError):  # of a terminal that is gone
                console.print(Text(f"Interrupted. Everything is closed; {left}."), soft_wrap=True)
            raise typer.Exit(INTERRUPTED_EXIT) from None


@contextmanager
def progress(console: Console, *columns: ProgressColumn) -> Generator[Progress]:
    """Bars with these columns behind them; where nothing can move, a plain line for each now and then."""
    shown = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *columns,
        console=console,
        disable=not console.is_interactive,
    )
    if console.is_interactive:
        with shown:
            yield shown
        return
    over = threading.Event()
    teller = threading.Thread(target=_tell, args=(shown, over), name="progress")
    teller.start()
    try:
        yield shown
    finally:
        over.set()
        teller.join()


def _tell(shown: Progress, over: threading.Event) -> None:
    pause = FIRST_SECONDS
    while not over.wait(pause):
        pause = EVERY_SECONDS
        for task in shown.tasks:
            if task.completed < (task.total or 0.0):
                shown.console.print(Text(how_far(task)), soft_wrap=True)


def how_far(task: Going) -> str:
    """One line: what it is, how much of it is done, and after how long."""
    total = task.total or 0.0
    done = f"{task.completed:g} of {total:g}" if total > 1 else f"{task.percentage:.0f} %"
    says = f", {task.fields['says']}" if task.fields.get("says") else ""
    return f"{task.description}: {done}{says}, {task.elapsed or 0.0:.0f} s"


def show(console: Console, found: Found) -> None:
    """All of it, as the page will have it, and whether every promise was kept."""
    console.print(found.says)
    for one in found.tables:
        table = RichTable(*one.head, title=one.title, title_justify="left", show_lines=True)
        for row in one.rows:
            table.add_row(*row)
        console.print(table)
    for note in found.notes:
        console.print(f"- {note}", soft_wrap=True)
    console.print(
        f"{'Every' if found.held else 'NOT every'} promise was kept: {found.command}", soft_wrap=True
    )
