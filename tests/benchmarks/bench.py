"""What a bench is: programs that each measure one thing once, and the lines that come of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from tests.benchmarks.figures import Line, Runs, Values

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Ours:
    """A module of the project, run with the project's own Python."""

    module: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Peer:
    """A script under `peers`, run with the Python of the peers; it cannot import anything of the project."""

    script: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Floor:
    """A C program under `floors`, compiled on the spot."""

    source: str
    arguments: tuple[str, ...] = ()


Program = Ours | Peer | Floor
Section = Callable[[Runs], Iterator[str]]
"""Lines of Markdown for the page, of what was measured."""
Draw = Callable[[Runs, Path], Iterator[Path]]
"""Draws pictures into a folder and tells which, for the section to show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What is measured together: in each repetition one run after the other, for they share a machine's mood.

    A program prints on its last line what `tell` or `cannot` print, and is killed after `seconds`.
    """

    name: str
    runs: Mapping[str, Program]
    lines: tuple[Line, ...]
    seconds: float = 60.0
    repetitions: int | None = None
    """None for as many as all others; else at most so many."""
    section: Section | None = field(default=None)
    draw: Draw | None = field(default=None)


def tell(values: Values) -> None:
    """Be done: print what was measured."""
    print(json.dumps({"values": dict(values)}), flush=True)  # noqa: T201


def cannot(because: str) -> NoReturn:
    """Be done: say in a sentence what is missing here and how to get it."""
    print(json.dumps({"cannot": because}), flush=True)  # noqa: T201
    sys.exit(0)
