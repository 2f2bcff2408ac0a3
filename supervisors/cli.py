"""The `clankie` command: a few verbs, each of which says what it is doing and what to do when it cannot."""

from __future__ import annotations

import io
import os
import sys
import threading
from typing import Annotated

import typer

from actors.seclusion import DEBUG_VARIABLE, close_memory
from supervisors.commands.ctl_cli import console, ctl, page
from supervisors.commands.ctl_options import Config, Port
from supervisors.commands.evidence_cli import evidence
from supervisors.commands.rehearse_options import (
    CHAOS_MINUTES,
    Chaos,
    Minutes,
    Out,
    Providers,
    ProvidersOption,
    Scenarios,
    refuse_what_is_ignored,
)
from supervisors.commands.report_cli import report

app = typer.Typer(
    help="Clankie, a voice among others: hears who consented, decides when to speak, proves what he did.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(ctl, name="ctl")
app.add_typer(evidence, name="evidence")

BUG_EXIT, TROUBLE_EXIT = 70, 2
SWITCH_SECONDS = 0.001
"""How long a busy thread may make the others wait: with Python's own 5 ms, speech on its way stutters."""


@app.command()
def demo(
    out: Out = None,
    figures: Annotated[
        bool, typer.Option("--figures", help="Measure as well: latencies, memory, idle CPU.")
    ] = False,
) -> None:
    """Play a whole evening in the local room: no account, no key, about a minute.

    It is told while it happens. Sound, receipts and timeline are left in a folder that is named at the end.
    """
    from supervisors.commands.rehearse import play_demo

    raise typer.Exit(play_demo(out, with_figures=figures))


@app.command()
def rehearse(
    scenarios: Scenarios = None,
    out: Out = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell what he heard and decided as well.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Only say whether they can be played.")] = False,
    discord: Annotated[
        bool,
        typer.Option(
            "--discord",
            help="Play them over a Discord on this machine, with real encryption, and him as a program of "
            "its own; needs a source checkout.",
        ),
    ] = False,
    providers: ProvidersOption = Providers.EMBEDDED,
    chaos: Chaos = None,
    minutes: Minutes = None,
) -> None:
    """Play scripted rooms in real time, each with a whole house, and judge what came of it.

    Each of several scenarios gets a folder of its own in DIR. The exit code is 0 only if everything held.
    """
    from supervisors.commands.rehearse import check_scenarios, play_chaos, play_scenarios

    told = {"the files": bool(scenarios), "--check": check, "--discord": discord, "--verbose": verbose}
    refuse_what_is_ignored(chaos, minutes, told | {"--providers": providers != "embedded"})
    if chaos is not None:
        raise typer.Exit(play_chaos(chaos, minutes or CHAOS_MINUTES, out))
    if not scenarios:
        raise typer.BadParameter("name a scenario to play, or a seed with --chaos")
    if check:
        raise typer.Exit(check_scenarios(scenarios))
    raise typer.Exit(play_scenarios(scenarios, out, full=verbose, discord=discord, providers=providers.value))


@app.command()
def run(
    config: Config = None,
    prompter: Annotated[int | None, typer.Option(hidden=True, help="A socket to be rehearsed over.")] = None,
) -> None:
    """Open the house and keep it open until interrupted: on Discord with a bot token, else in a local room.

    Ctrl-C closes everything in order, a second one ends it at once.
    """
    from supervisors.commands.run import keep_open, leave

    leave(keep_open(config, prompter))


@app.command()
def doctor(
    config: Config = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Look at this machine, the providers and Discord, and say what would mend what is missing.

    Only providers that the configuration names are asked; of speech it costs them a sentence or two.
    """
    from supervisors.commands.doctor import examine

    raise typer.Exit(examine(config, as_json=as_json))


@app.command()
def invite(config: Config = None) -> None:
    """Print the address at which somebody who manages a server lets him in."""
    from supervisors.commands.doctor import invite as print_address

    raise typer.Exit(print_address(config))


@app.command()
def status(
    config: Config = None,
    port: Port = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Say how the running house is, and why he is silent."""
    from supervisors.commands.status import show

    raise typer.Exit(show(config, port, as_json=as_json))


@app.command()
def health(config: Config = None, port: Port = None) -> None:
    """Say whether the running house is well; the exit code is 0 if it is. Needs no key."""
    from supervisors.commands.health import tell

    raise typer.Exit(tell(config, port))


@app.command()
def ask(
    request: Annotated[
        str, typer.Argument(help='What he should do, in quotes; "-" reads it from the standard input.')
    ],
    config: Config = None,
    port: Port = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines: one object a line.")] = False,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=1, help="Take it back after so long.")
    ] = 900,
) -> None:
    """Ask the captain of the running house something, as its operator: "come here".

    Tells each tool that he used, then what he says. Ctrl-C takes it back.
    """
    from supervisors.commands.ask import order

    raise typer.Exit(order(request, config, port, as_json=as_json, seconds=timeout))


app.command()(console)
app.command()(page)
app.command()(report)


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
    close_memory()
    sys.setswitchinterval(SWITCH_SECONDS)
    threading.excepthook = _thread_ended
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ✓ is no reason to stop
    try:
        app()
    except Exception as error:
        from supervisors.commands.trouble import told
        from supervisors.terminal.ink import harmless

        if os.environ.get(DEBUG_VARIABLE):
            raise
        sentence, known = told(error)
        typer.secho(harmless(sentence), fg="red", err=True)
        sys.exit(TROUBLE_EXIT if known else BUG_EXIT)


def _thread_ended(death: threading.ExceptHookArgs) -> None:
    from supervisors.commands.trouble import told_of_thread

    if os.environ.get(DEBUG_VARIABLE):
        threading.__excepthook__(death)
    elif death.exc_value is not None and death.exc_type is not SystemExit:
        name = death.thread.name if death.thread is not None else "unknown"
        typer.secho(told_of_thread(name, death.exc_value), fg="red", err=True)
