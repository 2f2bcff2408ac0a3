"""`clankie evidence`: verbs for the record, each of which ends with a code for scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from supervisors.commands.ctl_options import AsJson, Config, Port

evidence = typer.Typer(
    help="Look at the record, prove a stay with it, or take somebody out of it.\n\n"
    "Exit codes: 0 it holds, 1 it does not, 2 trouble (no such file or folder).",
    no_args_is_help=True,
)
Paths = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[FILE|DIR]...",
        help="Files of receipts, or a folder with them; else the folder of the configuration.",
        show_default=False,
    ),
]


@evidence.command()
def verify(paths: Paths = None, config: Config = None, as_json: AsJson = False) -> None:
    """Check every line: its schema, the order of time, and one going for each coming."""
    from supervisors.commands.evidence import check

    raise typer.Exit(check(paths or (), config, as_json=as_json))


@evidence.command()
def prove(
    paths: Paths = None,
    stay: Annotated[
        str | None,
        typer.Option(
            metavar="STAY",
            help="Judge this one, and not the latest on Discord; the beginning of its name is enough.",
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Judge every stay on Discord.")] = False,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Judge whether a stay on Discord went as it should, point by point; a rehearsal never proves it."""
    from supervisors.commands.evidence import show_proof

    raise typer.Exit(show_proof(stay, paths or (), config, every=every, as_json=as_json))


@evidence.command()
def purge(
    person: Annotated[
        str, typer.Option("--person", metavar="ID", help="The id of a person, as in personId.")
    ],
    config: Config = None,
    port: Port = None,
    as_json: AsJson = False,
) -> None:
    """Take a person's lines out of transcripts, and the name out of receipts.

    Where a house is at work, it is asked to do it.
    """
    from supervisors.commands.evidence import forget

    raise typer.Exit(forget(person, config, port, as_json=as_json))


@evidence.command()
def schema() -> None:
    """Print the JSON Schema of a line."""
    from supervisors.commands.evidence import print_schema

    raise typer.Exit(print_schema())
