"""`python -m tests.reliability.chaos` plays many nights in which everything goes wrong."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from tests.reliability.chaos.batch import Batch, found
from tests.reliability.chaos.verdict import Verdict, tell
from tests.reliability.figures import keep
from tests.reliability.terminal import COUNTED, in_order, progress, show

WHOLE_SEEDS: Final = 20
WHOLE_MINUTES: Final = 3.0
"""So much, and no less, goes on record."""


def main(
    seeds: Annotated[int, typer.Option(min=1, help="How many nights.")] = WHOLE_SEEDS,
    first: Annotated[int, typer.Option(help="The first of the seeds, which follow each other.")] = 1,
    minutes: Annotated[float, typer.Option(min=0.5, help="How long each lasts.")] = WHOLE_MINUTES,
    side_by_side: Annotated[int, typer.Option(min=1, max=8, help="How many at once.")] = 2,
    keep_folders: Annotated[
        bool, typer.Option("--keep", help="Keep the folders of nights in which everything held, too.")
    ] = False,
) -> None:
    """Play nights of a room of six in which everything goes wrong, and judge each by what must always hold.

    The exit code is 0 only if every promise was kept. A night in which one was not leaves its folder, and
    says the command that plays it again. Twenty nights of three minutes go on record in docs/.
    """
    console = Console(highlight=False)
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    began = time.monotonic()
    with in_order(console, f"what there is so far is in {folder}"):
        nights = _play(
            console, Batch(folder, minutes), range(first, first + seeds), side_by_side, keep_folders
        )
    told = found(nights, time.monotonic() - began)
    show(console, told)
    if seeds >= WHOLE_SEEDS and minutes >= WHOLE_MINUTES:
        keep("chaos", told)
    if not any(folder.iterdir()):
        folder.rmdir()
    raise typer.Exit(0 if told.held else 1)


def _play(
    console: Console, batch: Batch, seeds: range, side_by_side: int, keep_folders: bool
) -> dict[int, Verdict | None]:
    with progress(console, *COUNTED) as shown:
        task = shown.add_task("nights", total=len(seeds))

        def over(seed: int, one: Verdict | None) -> None:
            folder = batch.folder(seed)
            if one is None:
                console.print(f"The night of seed {seed} broke off; see {folder.with_suffix('.log')}.")
            else:
                tell(one, console, folder)
                if one.held and not keep_folders:
                    shutil.rmtree(folder)
                    folder.with_suffix(".log").unlink()
            shown.advance(task)

        return batch.play(seeds, side_by_side, over)


if __name__ == "__main__":
    typer.run(main)
