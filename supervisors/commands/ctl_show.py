"""What `clankie ctl` shows of the running house: the tree, the stays, and why he spoke or did not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeVar

import typer
from pydantic import TypeAdapter
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table

from actors.console.client import NoSuchStay, fetch_status, fetch_tree, fetch_why
from actors.console.report import StayStatus, WhyReport
from messages.console import OrderResult
from messages.ids import StayId
from messages.lifecycle import LifeState, TreeNode
from supervisors.commands.ctl import EXITS, house
from supervisors.terminal.durations import in_units
from supervisors.terminal.house import Actor, actors
from supervisors.terminal.ink import Piece, Tone, harmless_json, plain
from supervisors.terminal.money import cost
from supervisors.terminal.paint import painted, painted_all, rows_of
from supervisors.terminal.talk import told

_Shown = TypeVar("_Shown")
_TREE: Final = TypeAdapter(TreeNode)
_STAYS: Final = TypeAdapter(tuple[StayStatus, ...])
_WHY: Final = TypeAdapter(WhyReport)


def show_tree(config: Path | None, port: int | None, *, as_json: bool) -> int:
    """Print every actor; raises ClientError where there is no house."""
    tree = fetch_tree(*house(config, port))
    if as_json:
        _echo(_TREE, tree)
        return 0
    found, console = tuple(actors(tree)), _console()
    longest = max(len(actor.path) for actor in found)
    for actor in found:
        console.print(painted(tuple(_actor(actor, longest))), soft_wrap=True)
    return 0


def _actor(actor: Actor, longest: int) -> Iterator[Piece]:
    """A line with the whole path, so that it can be copied, and never broken."""
    above, slash, name = plain(actor.path).rpartition("/")
    yield f"{above}{slash}", Tone.DIM
    yield f"{name}{' ' * (longest - len(actor.path))}", Tone.STRONG
    yield f"  {actor.state.value}", Tone.GOOD if actor.state is LifeState.OPEN else Tone.BAD
    yield f"  restarts {actor.restarts}", Tone.WARN if actor.restarts else Tone.DIM
    yield f"  waiting {actor.waiting}", Tone.WARN if actor.waiting else Tone.DIM


def show_stays(config: Path | None, port: int | None, *, as_json: bool) -> int:
    """Print the stays; raises ClientError where there is no house."""
    stays = fetch_status(*house(config, port)).stays
    if as_json:
        _echo(_STAYS, stays)
    elif not stays:
        typer.echo("he is in no room")
    else:
        ids = (Column(name, no_wrap=True) for name in ("stay", "room"))  # whole, so that they can be copied
        table = Table(
            *ids, "people", "heard", "floor", "last turn", "cost", box=SIMPLE_HEAD, padding=(0, 1, 0, 0)
        )
        for stay in stays:
            table.add_row(*map(plain, _cells(stay)))
        _console().print(table)
    return 0


def _cells(stay: StayStatus) -> Iterator[str]:
    yield stay.stay_id
    yield stay.room_id or "unknown"
    yield "unknown" if stay.humans is None else str(stay.humans)
    yield "unknown" if stay.consented is None else str(stay.consented)
    yield (stay.floor or "unknown") + (f", hushed for {in_units(stay.hushed_s)}" if stay.hushed_s else "")
    yield stay.last_turn or "none"
    yield cost(stay.costs)


def show_why(stay: str | None, most: int, config: Path | None, port: int | None, *, as_json: bool) -> int:
    """Print the latest lines and turns; raises ClientError where there is no house."""
    where, directory = house(config, port)
    try:
        why = fetch_why(where, directory, stay=None if stay is None else StayId(stay), most=most)
    except NoSuchStay as gone:
        typer.echo(str(gone), err=True)
        return EXITS[OrderResult.GONE]
    if as_json:
        _echo(_WHY, why)
    elif not why.lines and not why.turns:
        typer.echo("nobody has said anything that he had to decide on")
    else:
        _console().print(painted_all(rows_of(told(why.lines, why.turns, ()))), soft_wrap=True)
    return 0


def _echo(kind: TypeAdapter[_Shown], shown: _Shown) -> None:
    typer.echo(harmless_json(kind.dump_json(shown).decode()))


def _console() -> Console:
    return Console(highlight=False)
