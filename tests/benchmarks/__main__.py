"""`python -m tests.benchmarks` measures every line of the table and writes docs/performance.md."""

from __future__ import annotations

import io
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Outcome, Row, row
from tests.benchmarks.measuring import Measured, measure
from tests.benchmarks.page import page
from tests.benchmarks.plan import BENCHES
from tests.benchmarks.programs import Workshop
from tests.benchmarks.record import RECORD, Record, machine, write_for_pyperf
from tests.benchmarks.words import HEADS, NOTHING, cells
from tests.source import ROOT

ENOUGH: Final = 5
"""Repetitions of which a median may be published."""
PAGE, FOR_PYPERF = "performance.md", "pyperf.json"
NAMES: Final = tuple(bench.name for bench in BENCHES)
DOCS, KEPT = ROOT / "docs", ROOT / "build" / "bench"
WIDE: Final = 140
"""Columns of a terminal in which the table can be read."""
COLOURS: Final = {
    Outcome.MET: "green",
    Outcome.MISSED: "red",
    Outcome.NOT_MEASURED: "yellow",
    Outcome.TOLD: "",
}


def main(
    only: Annotated[
        list[str] | None, typer.Argument(help=f"of {', '.join(NAMES)}; all of them if none is named")
    ] = None,
    repetitions: Annotated[int, typer.Option(min=1, help="how often each is repeated")] = ENOUGH,
    to: Annotated[Path | None, typer.Option(help="where the page and the record go")] = None,
) -> None:
    """Measure; only a whole table of enough repetitions replaces the page in docs/."""
    console = Console(soft_wrap=True)
    chosen = _chosen(only or [], console)
    try:
        _staging(to or KEPT).cleanup()
        record = _measured(chosen, repetitions, console)
        _show(record, chosen, console)
        whole = len(chosen) == len(BENCHES) and repetitions >= ENOUGH
        folder = to or (DOCS if whole and record.complete else KEPT)
        _write(record, chosen, folder)
    except KeyboardInterrupt:
        console.print("Stopped; nothing was written.")
        raise typer.Exit(130) from None
    except OSError as failure:
        console.print(
            f"Nothing was written: {failure.filename}: {failure.strerror}. Name a folder with --to."
        )
        raise typer.Exit(2) from None
    if whole and to is None and not record.complete:
        console.print("The page in docs/ stays as it was, for not all of the table could be measured.")
    console.print(f"Written: {folder / PAGE}, and for pyperf {folder / FOR_PYPERF}.")
    if any(found.failed for found in record.benches.values()):
        raise typer.Exit(1)


def _chosen(only: Sequence[str], console: Console) -> tuple[Bench, ...]:
    if unknown := sorted(set(only) - set(NAMES)):
        console.print(f"There is no bench {', '.join(unknown)}; there are {', '.join(NAMES)}.")
        raise typer.Exit(2)
    return tuple(bench for bench in BENCHES if not only or bench.name in only)


def _measured(benches: Sequence[Bench], repetitions: int, console: Console) -> Record:
    facts, began = machine(), time.monotonic()
    total = sum(len(bench.runs) * min(repetitions, bench.repetitions or repetitions) for bench in benches)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    with (
        tempfile.TemporaryDirectory() as folder,
        Progress(*columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task("", total=total)
        done = 0

        def watch(repetition: int, bench: str, run: str) -> None:
            nonlocal done
            progress.update(task, completed=done, description=f"{repetition + 1}. {bench}: {run}")
            if not console.is_terminal:
                console.print(f"{done + 1} of {total}: {repetition + 1}. {bench}: {run}")
            done += 1

        found = measure(benches, repetitions, Workshop(Path(folder)).run, watch)
        progress.update(task, completed=total, description="done")
    return Record(machine=facts, seconds=time.monotonic() - began, benches=found)


def _show(record: Record, benches: Sequence[Bench], console: Console) -> None:
    rows = [row(line, record.benches[bench.name].runs) for bench in benches for line in bench.lines]
    if console.width < WIDE:
        for told in rows:
            console.print(_card(told), style=COLOURS[told.outcome] or None, highlight=False)
    else:
        table = Table(*HEADS, show_lines=True)
        for told in rows:
            table.add_row(
                *(cell.replace("**", "") for cell in cells(told)), style=COLOURS[told.outcome] or None
            )
        console.print(table)
    for name, found in record.benches.items():
        _complain(name, found, console)


def _card(told: Row) -> str:
    """A row for a terminal that is too narrow for the table."""
    name, *numbers = cells(told)
    facts = [
        f"{head.partition(':')[0]} {value}"
        for head, value in zip(HEADS[1:], numbers, strict=True)
        if value != NOTHING
    ]
    return f"{name}\n    {', '.join(facts) or 'not measured'}".replace("**", "")


def _complain(name: str, found: Measured, console: Console) -> None:
    for run, why in found.cannot.items():
        console.print(f"Not measured: {name}, {run}: {why}", style="yellow")
    for run, why in found.failed.items():
        console.print(f"Failed: {name}, {run}: {why}", style="red")


def _staging(folder: Path) -> tempfile.TemporaryDirectory[str]:
    folder.mkdir(parents=True, exist_ok=True)
    return tempfile.TemporaryDirectory(dir=folder)


def _write(record: Record, benches: Sequence[Bench], folder: Path) -> None:
    """Make everything first, and then put it where it belongs, so that a full disk costs nothing."""
    with _staging(folder) as staged:
        stage = Path(staged)
        record.write(stage / RECORD)
        write_for_pyperf(record, stage / FOR_PYPERF)
        for bench in benches:
            if bench.draw is not None:
                list(bench.draw(record.benches[bench.name].runs, stage))
        # From what is on record, not from what is in memory: the page can be written again.
        (stage / PAGE).write_text(page(Record.read(stage / RECORD), benches), "utf-8")
        for made in stage.iterdir():
            made.replace((KEPT if made.name == FOR_PYPERF and folder == DOCS else folder) / made.name)


def _prepare() -> None:
    """Any terminal can show what is printed, and whoever ends this lets it end what it began."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)


if __name__ == "__main__":
    _prepare()
    typer.run(main)
