"""Reading the record back: every receipt in order, and every line that is none by its number."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from actors.evidence.files import Stream, parse_name
from actors.evidence.foreign import Foreign, parse_any
from actors.evidence.wire import Entry, Malformed, parse_line

T = TypeVar("T", bound=Entry | Foreign)
TELL_BYTES: Final = 2**18
MOST_BYTES: Final = 2**20
"""Of a longer line no more is held: no receipt is a quarter as long."""
_TOO_LONG: Final = Malformed(reason="line: longer than any receipt")
_ANYTHING: Final = TypeAdapter(dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLine:
    """A line that is no receipt. `number` counts from 1; `torn`: it ends too early, as of a power cut."""

    path: Path
    number: int
    reason: str
    torn: bool


def receipt_files(directory: Path) -> tuple[Path, ...]:
    """The files with receipts in a directory, oldest first; OSError if it cannot be listed."""
    found = [(known, path) for path in directory.iterdir() if (known := parse_name(path.name))]
    return tuple(path for (stream, _, _), path in sorted(found) if stream is Stream.RECEIPTS)


def records_of(files: Iterable[Path]) -> tuple[tuple[Path, ...], ...]:
    """These files, each once: those of one folder are one record, oldest first; any other is one itself."""
    records: dict[Path, dict[Path, Path]] = {}
    for file in files:
        real = Path(os.path.realpath(file))
        records.setdefault(real.parent if parse_name(real.name) else real, {}).setdefault(real, file)
    return tuple(tuple(sorted(files.values(), key=_age)) for files in records.values())


def _age(file: Path) -> tuple[date, int]:
    known = parse_name(file.name)
    return known[1:] if known else (date.min, 0)


def read(paths: Iterable[Path]) -> Iterator[Entry | BadLine]:
    """The lines of these files, ours alone; OSError if one cannot be read. Empty lines are passed over."""
    return _read(paths, _strictly)


def read_any(
    paths: Iterable[Path], told: Callable[[int], object] | None = None
) -> Iterator[Entry | Foreign | BadLine]:
    """The same of whoever keeps such a record: in `Entry.extra` and `Foreign` is what ours does not know.

    Nothing of a file is held, however long it or a line of it is. `told` hears now and then how many more
    bytes were read.
    """
    return _read(paths, parse_any, told)


def _read(
    paths: Iterable[Path],
    parse: Callable[[bytes], T | Malformed],
    told: Callable[[int], object] | None = None,
) -> Iterator[T | BadLine]:
    for path in paths:
        with path.open("rb") as file:
            untold = 0
            for number, (line, size) in enumerate(_lines(file), 1):
                untold += size
                if told is not None and untold >= TELL_BYTES:
                    told(untold)
                    untold = 0
                if size == len(line) and line.isspace():
                    continue
                entry = parse(line) if size == len(line) else _TOO_LONG
                if isinstance(entry, Malformed):
                    torn = line.endswith(b"\0") if entry is _TOO_LONG else _is_torn(line)
                    yield BadLine(path=path, number=number, reason=entry.reason, torn=torn)
                else:
                    yield entry
        if told is not None:
            told(untold)


def _lines(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Each line and how long it is; of one that is too long only the beginning."""
    while line := file.readline(MOST_BYTES):
        size, rest = len(line), line
        while not rest.endswith(b"\n") and (rest := file.readline(MOST_BYTES)):
            size += len(rest)
        yield line, size


def _is_torn(line: bytes) -> bool:
    """Whether it is a beginning only; in the middle of a file, whoever came later has ended it."""
    written = line.rstrip(b"\0\r\n")  # a disk may have kept a length and not the content
    if not written or not line.endswith(b"\n"):
        return True
    try:
        _ANYTHING.validate_json(written)
    except ValidationError as failure:
        return any("EOF" in each["msg"] for each in failure.errors(include_input=False, include_url=False))
    return False


def _strictly(line: bytes) -> Entry | Malformed:
    try:
        return parse_line(line.decode())
    except UnicodeDecodeError:
        return Malformed(reason="line: not UTF-8")
