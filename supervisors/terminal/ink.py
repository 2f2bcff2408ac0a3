"""A line of the screen before anybody has painted it: pieces of text, and how each of them is meant."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeAlias


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


def plain(text: str) -> str:
    """The text on one line, without signs that a terminal would take for orders."""
    return "".join(
        sign if unicodedata.category(sign)[0] != "C" else " " if sign in "\n\t" else "" for sign in text
    )


def written(row: Row) -> str:
    """The row without any paint."""
    return "".join(text for text, _ in row)


def clock(at: float) -> str:
    """The local time of day."""
    return f"{datetime.fromtimestamp(at, UTC).astimezone():%H:%M:%S}"


def short(name: str, longest: int = 10) -> str:
    """An id as people can tell it from others: its end, for ids begin alike."""
    return name if len(name) <= longest else f"…{name[1 - longest :]}"
