"""A file of the record says by its name what is in it and on which day it may be forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from enum import StrEnum

_NAME = re.compile(r"(receipts|transcript)-(\d{4}-\d\d-\d\d)(?:\.([1-9]\d{0,5}))?\.jsonl")


class Stream(StrEnum):
    """What a file holds; its name begins with this."""

    RECEIPTS = "receipts"
    TRANSCRIPT = "transcript"


def name_of(stream: Stream, day: date, part: int) -> str:
    """receipts-2026-01-01.jsonl, then receipts-2026-01-01.1.jsonl and so on."""
    return f"{stream}-{day.isoformat()}{f'.{part}' if part else ''}.jsonl"


def parse_name(name: str) -> tuple[Stream, date, int] | None:
    """The stream, day and part of a file's name; None for a file that is not ours."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    try:
        return Stream(match[1]), date.fromisoformat(match[2]), int(match[3] or 0)
    except ValueError:
        return None


def place(sizes: Mapping[str, int], stream: Stream, day: date, limit: int) -> str:
    """The file that the next line of a day belongs in: its last, or another once that has `limit` bytes."""
    parts = [part for _, _, part in _ours(sizes, stream, day)]
    if not parts:
        return name_of(stream, day, 0)
    last = name_of(stream, day, max(parts))
    return last if sizes[last] < limit else name_of(stream, day, max(parts) + 1)


def expired(names: Iterable[str], today: date, keep_days: int) -> tuple[str, ...]:
    """The files of ours whose day lies more than `keep_days` days back."""
    oldest = today - timedelta(days=keep_days)
    return tuple(name for name in names if (known := parse_name(name)) and known[1] < oldest)


def _ours(names: Iterable[str], stream: Stream, day: date) -> Iterable[tuple[Stream, date, int]]:
    return (known for name in names if (known := parse_name(name)) and known[:2] == (stream, day))
