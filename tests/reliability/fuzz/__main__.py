"""Hostile input for everything that reads any: found by chance, kept by name, and never forgiven twice."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import TextColumn, TimeElapsedColumn
from rich.table import Table as Shown

from tests.reliability.figures import ROOT, Found, Table, keep
from tests.reliability.fuzz.judge import Judge
from tests.reliability.fuzz.registry import targets
from tests.reliability.fuzz.run import FOUND, Hunted, Hunters, put_down, remember, remembered
from tests.reliability.fuzz.target import Target
from tests.reliability.terminal import in_order, progress

WHOLE_MINUTES: Final = 10.0
HEAD: Final = ("target", "what it is given", "inputs", "minutes", "lines of the readers reached", "finds")
LEFT: Final = f"what broke something is in {FOUND}, and --resume goes on"
app = typer.Typer(add_completion=False)


@app.command()
def fuzz(
    names: Annotated[list[str] | None, typer.Argument(help="Targets; all of them without any.")] = None,
    minutes: Annotated[
        float, typer.Option(min=0.01, help="For each kind of input; targets of one kind share them.")
    ] = WHOLE_MINUTES,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same inputs.")] = 1,
    side_by_side: Annotated[int, typer.Option(min=1, max=16, help="So many targets at once.")] = 2,
    resume: Annotated[
        bool, typer.Option("--resume", help="Leave out what had its time and broke nothing before.")
    ] = False,
    replay: Annotated[
        Path | None, typer.Option(help="Read this one input again, and do nothing else.")
    ] = None,
) -> None:
    """Give every reader what nobody should write, and see that it keeps what it promises."""
    console, began = Console(), time.monotonic()
    with in_order(console, LEFT):
        console.print("Loading whatever reads …", style="dim")
        known = targets()
    chosen = _chosen(known, names or [])
    if replay is not None:
        raise typer.Exit(_replayed(chosen, replay))
    every = {target: _share(target, known, minutes) for target in known.values()}
    wanted = {target: every[target] for target in chosen}
    before = remembered(wanted) if resume else []
    rest = {
        target: seconds for target, seconds in wanted.items() if target not in {one.target for one in before}
    }
    with in_order(console, LEFT):
        hunted = [*before, *_hunted(console, rest, seed, side_by_side)]
    _print(console, _table(hunted))
    files = put_down(hunted)
    for what, path in files.items():
        name, _, kind = what.partition(": ")
        console.print(f"[red]{escape(name)}[/]: {escape(kind)}", highlight=False, soft_wrap=True)
        where = path.relative_to(ROOT)
        console.print(f"  python -m tests.reliability.fuzz {name} --replay {where}", highlight=False)
    if not names and minutes >= WHOLE_MINUTES:
        keep("fuzz", _found(hunted, time.monotonic() - began))
    else:
        console.print("A part of it, or a short run, is not put on record.", style="dim")
    raise typer.Exit(1 if files else 0)


def _chosen(known: Mapping[str, Target], names: Sequence[str]) -> list[Target]:
    if unknown := [name for name in names if name not in known]:
        raise typer.BadParameter(f"there is no target {unknown[0]}; there are {', '.join(known)}")
    return [known[name] for name in names] or list(known.values())


def _share(target: Target, known: Mapping[str, Target], minutes: float) -> float:
    """Seconds of a target: all of one kind have as long as any other kind."""
    together = target.beside or target.of
    return minutes * 60 / sum((one.beside or one.of) == together for one in known.values())


def _hunted(console: Console, chosen: Mapping[Target, float], seed: int, side_by_side: int) -> list[Hunted]:
    done: list[Hunted] = []
    with progress(console, TextColumn("{task.fields[says]}"), TimeElapsedColumn()) as shown:
        task = shown.add_task("hunting", total=len(chosen), says="")
        counts: Counter[str] = Counter()

        def told(one: Hunted) -> None:
            put_down([one])
            counts[one.target.name] = one.inputs
            shown.update(task, description=one.target.name, says=f"{counts.total():,} inputs")

        hunters = Hunters(seed, told)
        try:
            for one in hunters.all(chosen, side_by_side):
                done.append(one)
                remember([one])
                shown.advance(task)
        finally:
            hunters.stop()
    return done


def _table(hunted: Sequence[Hunted]) -> Table:
    order = {name: place for place, name in enumerate(targets())}
    rows = tuple(_row(one) for one in sorted(hunted, key=lambda one: order[one.target.name]))
    return Table(title="What was given to whom", head=HEAD, rows=rows)


def _row(one: Hunted) -> tuple[str, ...]:
    share = f"{one.reached} of {one.lines}"
    minutes = f"{one.seconds / 60:.1f}"
    return (one.target.name, one.target.of, f"{one.inputs:,}", minutes, share, str(len(one.failures)))


def _print(console: Console, table: Table) -> None:
    shown = Shown(*table.head, title=table.title, title_justify="left")
    for row in table.rows:
        shown.add_row(*row)
    console.print(shown)


def _found(hunted: Sequence[Hunted], seconds: float) -> Found:
    held = not any(one.failures for one in hunted)
    inputs = sum(one.inputs for one in hunted)
    return Found(
        command="make fuzz",
        says=(
            f"{len(hunted)} readers were given {inputs:,} inputs, valid ones that were changed in a few "
            "places: whatever reached a new line of a reader was changed further. None may raise anything "
            "but what it declares, take a second of CPU, allocate far more than it was given, log a "
            "traceback or a secret, or leave its surroundings out of order."
        ),
        held=held,
        tables=(_table(hunted),),
        notes=tuple(
            f"{one.target.name}: {failure.kind}" for one in hunted for failure in one.failures.values()
        ),
        seconds=max(seconds, sum(one.seconds for one in hunted) / 2),
    )


def _replayed(chosen: Sequence[Target], path: Path) -> int:
    if len(chosen) != 1:
        raise typer.BadParameter("an input is of one target: name it")
    with Judge(chosen[0]).sitting() as judge:
        failure = judge.read(path.read_bytes(), weigh=True)
    typer.echo("nothing is wrong" if failure is None else f"{failure.kind}\n{failure.says}")
    return 0 if failure is None else 1


if __name__ == "__main__":
    app()
