"""Reading the record back: every receipt in order, and every line that is none by its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from actors.evidence.files import Stream, parse_name
from actors.evidence.wire import Entry, Malformed, parse_line


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
    """The lines of these files; OSError if one cannot be read. Empty lines are passed over."""
    for path in paths:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _read_line(path, number, line)


def _read_line(path: Path, number: int, line: bytes) -> Entry | BadLine:
    torn = not line.endswith(b"\n")
    try:
        entry = parse_line(line.decode())
    except UnicodeDecodeError:
        entry = Malformed(reason="line: not UTF-8")
    if isinstance(entry, Malformed):
        return BadLine(path=path, number=number, reason=entry.reason, torn=torn)
    return entry
