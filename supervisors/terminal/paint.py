"""From rows to what Rich and Textual can draw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.text import Text

from supervisors.terminal.ink import Dated, Row, Tone

STYLES: Final = {
    Tone.PLAIN: "",
    Tone.DIM: "dim",
    Tone.STRONG: "bold",
    Tone.GOOD: "green",
    Tone.WARN: "yellow",
    Tone.BAD: "bold red",
    Tone.HIS: "cyan",
    Tone.NEW: "bold reverse",
}


def painted(row: Row) -> Text:
    """One line."""
    return Text.assemble(*((text, STYLES[tone]) for text, tone in row))


def painted_all(rows: Iterable[Row]) -> Text:
    """One line under the other."""
    return Text("\n").join(map(painted, rows))


def rows_of(dated: Iterable[Dated]) -> tuple[Row, ...]:
    """The rows without their moments."""
    return tuple(each.row for each in dated)
