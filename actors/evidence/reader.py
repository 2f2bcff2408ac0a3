"""Reading the record back: every receipt in order, and every line that is none by its number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from actors.evidence.files import Stream, parse_name
from actors.evidence.foreign import Foreign, parse_any
from actors.evidence.wire import Entry, Malformed, parse_line

T = TypeVar("T", bound=Entry | Foreign)


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLine:
    """A line that is no receipt. `number` counts from 1; `torn`: the last of its file, and without an end."""

    path: Path
    number: int
    reason: str
    torn: bool


def receipt_files(directory: Path) -> tuple[Path, ...]:
    """The files with receipts in a directory, oldest first; OSError if it cannot be listed."""
    found = [(known, path) for path in directory.iterdir() if (known := parse_name(path.name))]
    return tuple(path for (stream, _, _), path in sorted(found) if stream is Stream.RECEIPTS)


def read(paths: Iterable[Path]) -> Iterator[Entry | BadLine]:
    """The lines of these files, ours alone; OSError if one cannot be read. Empty lines are passed over."""
    return _read(paths, _strictly)


def read_any(paths: Iterable[Path]) -> Iterator[Entry | Foreign | BadLine]:
    """The same of whoever keeps such a record: in `Entry.extra` and `Foreign` is what ours does not know.

    Nothing of a file is held, however long it is.
    """
    return _read(paths, parse_any)


def _read(paths: Iterable[Path], parse: Callable[[bytes], T | Malformed]) -> Iterator[T | BadLine]:
    for path in paths:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.isspace():
                    continue
                entry = parse(line)
                if isinstance(entry, Malformed):
                    torn = not line.endswith(b"\n")
                    yield BadLine(path=path, number=number, reason=entry.reason, torn=torn)
                else:
                    yield entry


def _strictly(line: bytes) -> Entry | Malformed:
    try:
        return parse_line(line.decode())
    except UnicodeDecodeError:
        return Malformed(reason="line: not UTF-8")
