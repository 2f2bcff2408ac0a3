"""What most verbs for a running house have in common: which house is meant, and for whom to answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from supervisors.commands.ctl_completion import paths, people, rooms, stays

Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        metavar="FILE",
        help="The configuration; else config.toml here, if there is one.",
    ),
]
Port = Annotated[
    int | None,
    typer.Option(metavar="PORT", min=1, max=65535, help="Ask there, whatever the configuration says."),
]
AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]
Stay = Annotated[
    str | None,
    typer.Option(
        metavar="STAY",
        help="The stay that is meant, where there are several: clankie ctl stays names them.",
        autocompletion=stays,
    ),
]
Room = Annotated[
    str | None,
    typer.Argument(metavar="[ROOM]", help="Its id; without it, to where the owner is.", autocompletion=rooms),
]
Person = Annotated[str, typer.Argument(metavar="PERSON", help="The id of a person.", autocompletion=people)]
Actor = Annotated[
    str, typer.Argument(metavar="PATH", help="As clankie ctl tree names it.", autocompletion=paths)
]
