"""A fault of a scenario is told with what to write instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong with a key of a table, and what to write instead."""

    table: str
    index: int
    key: str | None
    problem: str


Found: TypeAlias = Iterator[tuple[str | None, str]]
"""Of one table: each key that is wrong, and what is wrong with it."""


def no_words(**texts: str | None) -> Found:
    """Texts that are written, and empty."""
    for key, text in texts.items():
        if text is not None and not text.strip():
            yield key, f"{key} = {text!r}: there are no words in it; write some or leave it out"


def instead(wrong: str, known: Iterable[str]) -> str:
    """What to write instead of something that is unknown: the closest that is known, or all that is."""
    names = list(known)
    close = get_close_matches(wrong, names, n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(names) or 'nobody'}"


def somebody(key: str, name: str, names: Sequence[str]) -> Found:
    """A name that nobody has."""
    if name not in names:
        yield key, f"{key} = {name!r}: nobody is called so{instead(name, names)}"
