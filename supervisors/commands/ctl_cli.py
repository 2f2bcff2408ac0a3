"""`clankie ctl`: verbs for the house that runs, each of which ends with a sentence and a code for scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from messages.lifecycle import Scalar
from supervisors.commands.ctl_options import Actor, AsJson, Config, Person, Port, Room, Stay

ctl = typer.Typer(
    help="Give the running house an order, or look at it.\n\n"
    "Exit codes: 0 done, 1 refused, 2 trouble (not running, no key), 3 what was meant is gone, 4 pending.",
    no_args_is_help=True,
)


@ctl.command()
def status(config: Config = None, port: Port = None, as_json: AsJson = False) -> None:
    """Say how the running house is, and why he is silent."""
    from supervisors.commands.status import show

    raise typer.Exit(show(config, port, as_json=as_json))


@ctl.command()
def tree(config: Config = None, port: Port = None, as_json: AsJson = False) -> None:
    """List every actor: its state, restarts and waiting letters."""
    from supervisors.commands.ctl_show import show_tree

    raise typer.Exit(show_tree(config, port, as_json=as_json))


@ctl.command()
def stays(config: Config = None, port: Port = None, as_json: AsJson = False) -> None:
    """List the stays: where he is, whom he hears, and whose turn it is."""
    from supervisors.commands.ctl_show import show_stays

    raise typer.Exit(show_stays(config, port, as_json=as_json))


@ctl.command()
def why(
    stay: Stay = None,
    most: Annotated[int, typer.Option(metavar="COUNT", min=1, max=200, help="How many of each.")] = 20,
    config: Config = None,
    port: Port = None,
    as_json: AsJson = False,
) -> None:
    """Say why he spoke lately, or did not."""
    from supervisors.commands.ctl_show import show_why

    raise typer.Exit(show_why(stay, most, config, port, as_json=as_json))


@ctl.command()
def join(room: Room = None, config: Config = None, port: Port = None, as_json: AsJson = False) -> None:
    """Have him come into a room."""
    _order("/stays/join", {"room": room}, config, port, as_json)


@ctl.command()
def leave(stay: Stay = None, config: Config = None, port: Port = None, as_json: AsJson = False) -> None:
    """Have him leave, everywhere or one stay's room."""
    _order("/stays/leave", {"stay": stay}, config, port, as_json)


@ctl.command()
def say(
    text: Annotated[str, typer.Argument(help="What he says, word for word, in quotes.")],
    stay: Stay = None,
    config: Config = None,
    port: Port = None,
    as_json: AsJson = False,
) -> None:
    """Have him say exactly this, as soon as the floor is free."""
    _order("/say", {"text": text, "stay": stay}, config, port, as_json)


@ctl.command()
def hush(
    duration: Annotated[
        str, typer.Argument(metavar="[SECONDS]", help="How long: 90, 90s, 5m or 1h; 0 lets him speak again.")
    ] = "5m",
    stay: Stay = None,
    config: Config = None,
    port: Port = None,
    as_json: AsJson = False,
) -> None:
    """Have him be silent for a while."""
    from supervisors.commands.ctl import hush_seconds

    _order("/hush", {"seconds": hush_seconds(duration), "stay": stay}, config, port, as_json)


@ctl.command()
def interrupt(stay: Stay = None, config: Config = None, port: Port = None, as_json: AsJson = False) -> None:
    """Stop what he is saying."""
    _order("/interrupt", {"stay": stay}, config, port, as_json)


@ctl.command()
def withdraw(
    person: Person, stay: Stay = None, config: Config = None, port: Port = None, as_json: AsJson = False
) -> None:
    """Have him hear this person no longer."""
    _order("/consent", {"person": person, "granted": False, "stay": stay}, config, port, as_json)


@ctl.command()
def ask(
    request: Annotated[
        str, typer.Argument(help='What he should do, in quotes; "-" reads it from the input.')
    ],
    config: Config = None,
    port: Port = None,
    as_json: AsJson = False,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=1, help="Take it back after so long.")
    ] = 900,
) -> None:
    """Ask the captain something: the same as clankie ask."""
    from supervisors.commands.ask import order

    raise typer.Exit(order(request, config, port, as_json=as_json, seconds=timeout))


@ctl.command()
def restart(path: Actor, config: Config = None, port: Port = None, as_json: AsJson = False) -> None:
    """Give an actor a new life."""
    _order("/actors/restart", {"path": path}, config, port, as_json)


@ctl.command()
def flush(config: Config = None, port: Port = None, as_json: AsJson = False) -> None:
    """Put the record on disk."""
    _order("/evidence/flush", {}, config, port, as_json)


@ctl.command()
def purge(person: Person, config: Config = None, port: Port = None, as_json: AsJson = False) -> None:
    """Take a person out of what is kept."""
    _order("/evidence/purge", {"person": person}, config, port, as_json)


@ctl.command()
def events(
    words: Annotated[
        bool, typer.Option("--words", help="What people say as well, where the house shows it.")
    ] = False,
    logs: Annotated[bool, typer.Option("--logs", help="The lines of the log as well.")] = False,
    config: Config = None,
    port: Port = None,
    as_json: AsJson = False,
) -> None:
    """Tell what happens until Ctrl-C; with --json one object a line, the status each second included."""
    from supervisors.commands.ctl_events import tell

    raise typer.Exit(tell(config, port, words=words, logs=logs, as_json=as_json))


@ctl.command()
def shutdown(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask whether that is meant.")] = False,
    config: Config = None,
    port: Port = None,
    as_json: AsJson = False,
) -> None:
    """Close the house in good order."""
    from supervisors.commands.ctl import is_meant

    if not yes and not is_meant("Close the house, and every stay with it?"):
        raise typer.Exit(1)
    _order("/shutdown", {}, config, port, as_json)


def console(config: Config = None, port: Port = None) -> None:
    """Watch the running house on the whole terminal, and give it orders by single keys."""
    from supervisors.commands.console import watch

    raise typer.Exit(watch(config, port))


def page(
    config: Config = None,
    port: Port = None,
    only_print: Annotated[bool, typer.Option("--print", help="Only print its address.")] = False,
) -> None:
    """Open the page of the running house in a browser; its address holds the key, so show it to nobody."""
    from supervisors.commands.page import open_page

    raise typer.Exit(open_page(config, port, only_print=only_print))


def _order(path: str, body: dict[str, Scalar], config: Path | None, port: int | None, as_json: bool) -> None:
    from supervisors.commands.ctl import give

    raise typer.Exit(give(path, body, config, port, as_json=as_json))
