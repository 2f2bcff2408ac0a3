"""`python -m tests.reliability.overload` gives him more than he can do."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from supervisors.rehearsal.scenario import BadScenario
from tests.reliability.figures import keep
from tests.reliability.overload.loads import LOADS, SHORT, WHOLE, Size
from tests.reliability.overload.measure import Measured, measure
from tests.reliability.overload.verdict import broken, found
from tests.reliability.terminal import COUNTED, in_order, progress, show


def main(
    names: Annotated[
        list[str] | None, typer.Argument(help=f"Which loads: {', '.join(LOADS)}. Without one, all.")
    ] = None,
    short: Annotated[bool, typer.Option("--short", help="One round of each, with fewer people.")] = False,
) -> None:
    """Load a night with more than he can do, and ask him something meanwhile and afterwards.

    The exit code is 0 only if every promise was kept. All loads, not short, go on record in docs/.
    """
    console = Console(highlight=False)
    if strange := [name for name in names or () if name not in LOADS]:
        console.print(f"There is no load {strange[0]!r}; take one of {', '.join(LOADS)}.")
        raise typer.Exit(2)
    chosen = list(names or LOADS)
    began = time.monotonic()
    try:
        with in_order(console, "nothing is kept"):
            measured = _measured(console, chosen, SHORT if short else WHOLE)
    except (AssertionError, BadScenario) as error:
        console.print(f"Nothing could be measured, which a busy machine does: {error}", soft_wrap=True)
        raise typer.Exit(1) from None
    told = found(measured, time.monotonic() - began)
    show(console, told)
    if chosen == list(LOADS) and not short:
        keep("overload", told)
    raise typer.Exit(0 if told.held else 1)


def _measured(console: Console, names: Sequence[str], size: Size) -> list[Measured]:
    measured: list[Measured] = []
    with tempfile.TemporaryDirectory(prefix="overload-") as folder, progress(console, *COUNTED) as shown:
        task = shown.add_task("opening", total=len(names))
        for name in names:
            one = measure(
                LOADS[name], size, Path(folder) / name, lambda what: shown.update(task, description=what)
            )
            measured.append(one)
            shown.advance(task)
            kept = "held" if not [*broken(one)] else "did not hold"
            console.print(f"{name}: {one.load.says}: {kept}, {one.ratio:.2f} times as long")
            for what in broken(one):
                again = f"python -m tests.reliability.overload {name}"
                console.print(f"  {what}; again with: {again}", soft_wrap=True)
    return measured


if __name__ == "__main__":
    typer.run(main)
