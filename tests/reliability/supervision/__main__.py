"""`python -m tests.reliability.supervision` crashes everybody, and says when he is back and what it cost."""

from __future__ import annotations

from typing import Annotated, Final

import typer
from loguru import logger
from rich.console import Console

from tests.reliability.figures import keep
from tests.reliability.supervision.play import named, play
from tests.reliability.terminal import COUNTED, in_order, progress, show

WHOLE_TIMES: Final = 20
"""So often, and of everybody, goes on record."""


def main(
    times: Annotated[int, typer.Option(min=1, help="How often each is crashed.")] = WHOLE_TIMES,
    only: Annotated[list[str] | None, typer.Option(help="Whom; everybody if it is left out.")] = None,
    short: Annotated[bool, typer.Option("--short", help="Everybody once, without the limits.")] = False,
) -> None:
    """Crash every actor of the tree in mid-sentence, and measure until he serves again.

    The exit code is 0 only if every promise was kept. Twenty crashes of everybody, and what happens when it
    is too many, go on record in docs/.
    """
    console = Console(highlight=False)
    logger.remove()
    try:
        actors = named(only or ())
    except LookupError as unknown:
        raise typer.BadParameter(str(unknown), param_hint="--only") from None
    times = 1 if short else times
    whole = not only and not short
    with in_order(console, "nothing is kept"), progress(console, *COUNTED) as shown:
        task = shown.add_task("crashes", total=times * len(actors) + (3 if whole else 0))
        found = play(
            actors,
            times,
            whole=whole,
            step=lambda name: shown.update(task, advance=1, description=name),
        )
    show(console, found)
    if whole and times >= WHOLE_TIMES:
        keep("supervision", found)
    raise typer.Exit(0 if found.held else 1)


app = typer.Typer(add_completion=False)
app.command()(main)

if __name__ == "__main__":
    app()
