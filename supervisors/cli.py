"""The `clankie` command: a few verbs, each of which says what it is doing and what to do when it cannot."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Clankie, a voice among others: hears who consented, decides when to speak, proves what he did.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Config = Annotated[
    Path | None, typer.Option("--config", "-c", help="The configuration; default: config.toml here.")
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Where to put sound, receipts and timeline.")]
BUG_EXIT, TROUBLE_EXIT = 70, 2
SWITCH_SECONDS = 0.001
"""How long a busy thread may make the others wait: with Python's own 5 ms, speech on its way stutters."""


@app.command()
def demo(
    out: Out = None,
    figures: Annotated[bool, typer.Option(help="Measure as well: latencies, memory, idle CPU.")] = False,
) -> None:
    """Play a whole evening in the local room: no account, no key, about a minute and a half."""
    from supervisors.commands.rehearse import play_demo

    raise typer.Exit(play_demo(out, with_figures=figures))


@app.command()
def rehearse(
    scenarios: Annotated[
        list[Path], typer.Argument(metavar="SCENARIO.toml…", help="Scenarios to play and judge.")
    ],
    out: Out = None,
) -> None:
    """Play scripted rooms in real time, each with a whole house, and judge what came of it."""
    from supervisors.commands.rehearse import play_scenarios

    raise typer.Exit(play_scenarios(scenarios, out))


@app.command()
def run(config: Config = None) -> None:
    """Open the house and keep it open until interrupted."""
    from supervisors.commands.run import keep_open

    raise typer.Exit(keep_open(config))


@app.command()
def status(
    config: Config = None,
    port: Annotated[int | None, typer.Option(help="Ask there, whatever the configuration says.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Say how the running house is, and why he is silent."""
    from supervisors.commands.status import show

    raise typer.Exit(show(config, port, as_json=as_json))


@app.command()
def config() -> None:
    """Print a configuration with every setting, its meaning and its default."""
    from supervisors.config_page import config_page

    typer.echo(config_page(), nl=False)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"clankie {version('clankie')}")
        raise typer.Exit


@app.callback()
def _clankie(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    del version


def main() -> None:
    """Run the command; whatever goes wrong is one line, with what to do about it."""
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        app()
    except Exception as error:
        from supervisors.commands.trouble import told

        if os.environ.get("CLANKIE_DEBUG"):
            raise
        sentence, known = told(error)
        typer.secho(sentence, fg="red", err=True)
        sys.exit(TROUBLE_EXIT if known else BUG_EXIT)
