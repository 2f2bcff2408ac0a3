"""A line of the screen before anybody has painted it: pieces of text, and how each of them is meant."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, TypeAlias


class Tone(StrEnum):
    """How a piece is meant; the painter knows the colours."""

    PLAIN = "plain"
    DIM = "dim"
    STRONG = "strong"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    HIS = "his"
    NEW = "new"
    """Changed a moment ago."""


Piece: TypeAlias = tuple[str, Tone]
Row: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A row with the moment that it tells of, in seconds since the epoch."""

    at: float
    row: Row


_OF_TEXT: Final = "\n\t\u200d"
"""Signs without a shape of their own that a text needs; the last one holds families of faces together."""


def plain(text: str) -> str:
    """The text on one line, without signs that a terminal would take for orders."""
    return text if text.isprintable() else "".join(map(_plain, text))


def _plain(sign: str) -> str:
    if sign in "\n\t\u2028\u2029":
        return " "
    return "" if unicodedata.category(sign)[0] == "C" else sign


def harmless(text: str) -> str:
    """The text line by line, without signs that a terminal would take for orders."""
    return "".join(sign for sign in text if sign in _OF_TEXT or unicodedata.category(sign)[0] != "C")


def harmless_json(text: str) -> str:
    """The same JSON, with every such sign in it as an escape."""
    return "".join(
        sign if sign.isprintable() or sign == "\n" else json.dumps(sign).strip('"') for sign in text
    )


def written(row: Row) -> str:
    """The row without any paint."""
    return "".join(plain(text) for text, _ in row)


def clock(at: float) -> str:
    """The local time of day."""
    try:
        return f"{datetime.fromtimestamp(at, UTC).astimezone():%H:%M:%S}"
    except (OSError, OverflowError, ValueError):
        return "--:--:--"


def short(name: str, longest: int = 10) -> str:
    """An id as people can tell it from others: its end, for ids begin alike."""
    return name if len(name) <= longest else f"…{name[1 - longest :]}"
