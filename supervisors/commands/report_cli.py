"""`clankie report`: the options of the verb that turns receipts into a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from supervisors.commands.ctl_options import Config


def report(
    places: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|DIR|-",
            help="Files of receipts, or folders with them; - is the standard input. Else the folder of the "
            "configuration.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Write it there, - is the standard output; else to report.html.",
        ),
    ] = None,
    stay: Annotated[
        str | None, typer.Option(metavar="STAY", help="Only this one; the beginning of its name is enough.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The numbers alone, for machines.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite what is no report.")] = False,
    config: Config = None,
) -> None:
    """Turn receipts into one page: who spoke when, how quick he was, what it cost, why he spoke or did not.

    The page needs nothing but a browser, and nothing that anybody said is in it. Prices are those of the
    configuration.
    """
    from supervisors.commands.report import tell

    raise typer.Exit(tell(places or (), out, stay=stay, config=config, as_json=as_json, force=force))
