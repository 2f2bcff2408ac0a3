"""What the Tab key offers after `clankie ctl`: names out of the running house, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from typer import Context

if TYPE_CHECKING:
    from actors.console.report import StatusReport
    from messages.lifecycle import TreeNode

DEADLINE_SECONDS = 0.5


def paths(ctx: Context, incomplete: str) -> list[str]:
    """Actors, by path."""
    return _beginning(incomplete, ctx, lambda report: _paths(report.tree))


def stays(ctx: Context, incomplete: str) -> list[str]:
    """Stays, by id."""
    return _beginning(incomplete, ctx, lambda report: (stay.stay_id for stay in report.stays))


def rooms(ctx: Context, incomplete: str) -> list[str]:
    """Rooms in which he is."""
    return _beginning(incomplete, ctx, lambda report: (stay.room_id or "" for stay in report.stays))


def people(ctx: Context, incomplete: str) -> list[str]:
    """People who are heard, by id."""
    return _beginning(
        incomplete, ctx, lambda report: (person for stay in report.stays for person in stay.heard)
    )


def _beginning(incomplete: str, ctx: Context, names: Callable[[StatusReport], Iterator[str]]) -> list[str]:
    report = _report(ctx)
    found = names(report) if report is not None else ()
    return sorted({name for name in found if name and name.isprintable() and name.startswith(incomplete)})


def _report(ctx: Context) -> StatusReport | None:
    from actors.console.client import ClientError, fetch_status
    from supervisors.commands.ctl import house
    from supervisors.settings import BadConfig

    try:
        port, directory = house(ctx.params.get("config"), ctx.params.get("port"))
        return fetch_status(port, directory, DEADLINE_SECONDS)
    except (BadConfig, ClientError, OSError):
        return None


def _paths(tree: TreeNode | None) -> Iterator[str]:
    if tree is not None:
        yield tree.path
        for child in tree.children:
            yield from _paths(child)
