"""`python -m tests.reliability.soak` lives through a hundred hours quickly and half an hour in real time."""

from __future__ import annotations

import tempfile
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import TaskProgressColumn, TimeElapsedColumn

from tests.reliability.figures import Found, keep
from tests.reliability.soak import group, stage, weigh
from tests.reliability.soak.parts import PARTS
from tests.reliability.soak.real import Course, half_an_hour
from tests.reliability.terminal import in_order, progress, show

WHOLE_HOURS: Final = 100.0
WHOLE_MINUTES: Final = 30.0
SHORT_HOURS: Final = 4.0
SHORT_MINUTES: Final = 4.0
"""With fewer there is nothing to compare."""
SHARES: Final = (TaskProgressColumn(), TimeElapsedColumn())
STAGE_SAYS: Final = (
    "The real actors lived on a quick clock: people came, went, talked, asked, interrupted, wrote and changed"
    " their minds, providers broke, actors crashed. Each part ran in a process of its own; after each pause"
    " everything in it was counted: memory in use (asked for and not given back) and resident, objects by"
    " type, each container of each actor's state by its path, timers, files and threads."
)
REAL_SAYS: Final = (
    "The installed program, six guests, a Discord and two providers on this machine: a question every ten"
    " seconds, people who talk with each other, come, go and write, and something that breaks every two"
    " minutes. Memory of its own is what no file stands behind; shared memory counts in part and changes"
    " with what else runs."
)


class Half(StrEnum):
    """Which of the two."""

    STAGE = "stage"
    REAL = "real"


def main(
    half: Annotated[Half | None, typer.Argument(help="Only this half.")] = None,
    hours: Annotated[float, typer.Option(min=SHORT_HOURS, help="Of life on the quick clock.")] = WHOLE_HOURS,
    minutes: Annotated[float, typer.Option(min=SHORT_MINUTES, help="In real time.")] = WHOLE_MINUTES,
    seed: Annotated[int, typer.Option(help="What chance follows.")] = 1,
    short: Annotated[bool, typer.Option("--short", help="The least of both, which keeps nothing.")] = False,
) -> None:
    """Live for a long time, and look whether anything grows.

    The exit code is 0 only if nothing did, and nobody waited longer in the end. A hundred hours, and half an
    hour in real time, go on record in docs/.
    """
    console = Console(highlight=False)
    if short:
        hours, minutes = SHORT_HOURS, SHORT_MINUTES
    held = True
    try:
        with in_order(console, "nothing of what was not at its end is kept"):
            if half is not Half.REAL:
                held &= _on_stage(console, hours, seed)
            if half is not Half.STAGE:
                held &= _in_real_time(console, minutes, seed)
    except stage.PartEnded as ended:
        console.print(str(ended))
        raise typer.Exit(1) from None
    raise typer.Exit(0 if held else 1)


def _on_stage(console: Console, hours: float, seed: int) -> bool:
    began = time.monotonic()
    with progress(console, *SHARES) as shown:
        tasks = {name: shown.add_task(stage.TOLD[name], total=1.0) for name in PARTS}
        verdicts = stage.soak(hours, seed, lambda name, share: shown.update(tasks[name], completed=share))
    broken = stage.broken(verdicts, hours, seed)
    found = Found(
        command=f"python -m tests.reliability.soak stage --hours {hours:g} --seed {seed}",
        says=STAGE_SAYS,
        held=not broken,
        tables=stage.tables(verdicts),
        notes=(group.told(group.kept()), *broken),
        seconds=time.monotonic() - began,
    )
    show(console, found)
    if hours >= WHOLE_HOURS:
        keep("soak-stage", found)
    return found.held


def _in_real_time(console: Console, minutes: float, seed: int) -> bool:
    began = time.monotonic()
    with progress(console, *SHARES) as shown, tempfile.TemporaryDirectory() as folder:
        task = shown.add_task("in real time", total=1.0)
        course = half_an_hour(Path(folder), minutes, lambda share: shown.update(task, completed=share), seed)
    found = real_found(course, minutes, seed, time.monotonic() - began)
    show(console, found)
    if minutes >= WHOLE_MINUTES:
        keep("soak-real", found)
    return found.held


def real_found(course: Course, minutes: float, seed: int, seconds: float) -> Found:
    """What half an hour in real time came to."""
    judged = weigh.weighed(course)
    noise = (
        f"The worst waits may differ by {1e3 * judged.noise:.0f} ms: that is the unrest of the first third,"
        " and what this machine, on which others worked, was later in the last."
    )
    return Found(
        command=f"python -m tests.reliability.soak real --minutes {minutes:g} --seed {seed}",
        says=REAL_SAYS,
        held=not judged.broken,
        tables=weigh.tables(course, judged),
        notes=(noise, f"{judged.excused} questions fell into something that broke.", *judged.broken),
        seconds=seconds,
    )


if __name__ == "__main__":
    typer.run(main)
