"""Writes docs/reliability.md from what is on record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tests.reliability.figures import Found, Table

INTRODUCTION: Final = """\
# Reliability

Written by `make docs` from the last whole run of each instrument; do not edit it. Every instrument drives
the program that you would run, or its actors, against servers on this machine that keep Discord's and the
providers' rules. How each of them works, and how to run a part of it, is in
[testing.md](testing.md#what-makes-him-fall).
"""
TITLES: Final[Mapping[str, str]] = {
    "chaos": "Chaos: everything goes wrong in a room of six",
    "sigkill": "Killed at any moment",
    "supervision": "From a crash to service again",
    "overload": "More than he can do",
    "soak-stage": "A hundred hours of room life",
    "soak-real": "Half an hour in real time",
    "fuzz": "Hostile input",
}
"""The instruments, in the order of the page."""


def page(record: Mapping[str, Found]) -> str:
    """Return the page."""
    return "\n".join(_page(record)) + "\n"


def _page(record: Mapping[str, Found]) -> Iterator[str]:
    yield INTRODUCTION
    yield "| instrument | command | took | promises kept |"
    yield "|---|---|---|---|"
    for name, title in TITLES.items():
        if (found := record.get(name)) is not None:
            kept = "all" if found.held else "**not all**"
            yield f"| {title} | `{found.command}` | {_took(found.seconds)} | {kept} |"
    for name, title in TITLES.items():
        if (found := record.get(name)) is not None:
            yield from _section(title, found)


def _section(title: str, found: Found) -> Iterator[str]:
    yield f"\n## {title}\n"
    yield found.says
    yield f"\nBy `{found.command}` on {found.on}, {found.machine}, in {_took(found.seconds)}."
    for table in found.tables:
        yield from _table(table)
    if found.notes:
        yield ""
        yield from (f"- {note}" for note in found.notes)


def _table(table: Table) -> Iterator[str]:
    yield f"\n**{table.title}**\n"
    yield f"| {' | '.join(table.head)} |"
    yield "|" + "---|" * len(table.head)
    for row in table.rows:
        yield f"| {' | '.join(row)} |"


def _took(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
