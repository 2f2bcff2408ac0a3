"""From rows to what Rich and Textual can draw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.terminal_theme import TerminalTheme
from rich.text import Text

from supervisors.terminal.ink import Dated, Row, Tone, plain

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
_DARK: Final = (
    (12, 12, 12),
    (255, 110, 110),
    (140, 210, 90),
    (240, 180, 80),
    (110, 160, 255),
    (210, 140, 255),
    (90, 205, 230),
    (230, 230, 230),
)
_LIGHT: Final = (
    (20, 20, 20),
    (176, 20, 30),
    (25, 110, 30),
    (135, 85, 0),
    (20, 70, 190),
    (130, 30, 150),
    (0, 100, 130),
    (90, 90, 90),
)
DARK: Final = TerminalTheme((18, 18, 18), (224, 224, 224), list(_DARK))
LIGHT: Final = TerminalTheme((224, 224, 224), (30, 30, 30), list(_LIGHT))
"""What red, green and so on look like, on a dark screen and on a light one; each can be read on it."""


def painted(row: Row) -> Text:
    """One line, with nothing in it that a terminal would take for an order."""
    return Text.assemble(*((plain(text), STYLES[tone]) for text, tone in row))


def painted_all(rows: Iterable[Row]) -> Text:
    """One line under the other."""
    return Text("\n").join(map(painted, rows))


def rows_of(dated: Iterable[Dated]) -> tuple[Row, ...]:
    """The rows without their moments."""
    return tuple(each.row for each in dated)
