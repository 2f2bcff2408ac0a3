"""What a killed house leaves behind, read without touching it."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from actors.captain.journal import Entry as LaneEntry
from actors.captain.ledger_wire import parse_line as parse_entry
from actors.evidence.reader import receipt_files
from actors.evidence.wire import Entry, Malformed, parse_line

HALF_DONE: Final = (".new", ".purging")
FOLDERS: Final = ("evidence", "captain", "captain/lanes", "console")


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    """Receipts in their order, each lane, how many lines of either are none, and what is wrong with files."""

    entries: tuple[Entry, ...]
    torn: int
    lanes: Mapping[str, tuple[LaneEntry, ...]]
    torn_entries: int
    half_done: tuple[str, ...]
    """Files that somebody was writing in the place of others."""
    open_to_others: tuple[str, ...]

    @property
    def ids(self) -> Counter[str]:
        """How often each receipt is there."""
        return Counter(entry.id for entry in self.entries)


def look(state: Path) -> Disk:
    """Everything below this folder as it is now."""
    entries, torn = _receipts(state / "evidence")
    lanes, torn_entries = _lanes(state / "captain" / "lanes")
    files = sorted(path for folder in FOLDERS for path in _files(state / folder))
    return Disk(
        entries=entries,
        torn=torn,
        lanes=lanes,
        torn_entries=torn_entries,
        half_done=tuple(path.name for path in files if path.suffix in HALF_DONE),
        open_to_others=tuple(sorted(_open_to_others(state, files))),
    )


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else iter(())


def _receipts(folder: Path) -> tuple[tuple[Entry, ...], int]:
    if not folder.is_dir():
        return (), 0
    lines = [line for path in receipt_files(folder) for line in path.read_bytes().split(b"\n") if line]
    parsed = [_receipt(line) for line in lines]
    entries = tuple(one for one in parsed if isinstance(one, Entry))
    return entries, len(parsed) - len(entries)


@lru_cache(2**18)
def _receipt(line: bytes) -> Entry | Malformed:
    """The same lines are looked at after every kill."""
    return parse_line(line.decode(errors="replace"))


def _lanes(folder: Path) -> tuple[Mapping[str, tuple[LaneEntry, ...]], int]:
    lanes: dict[str, tuple[LaneEntry, ...]] = {}
    torn = 0
    for path in sorted(folder.glob("[!.]*.jsonl")):
        lines = [line for line in path.read_bytes().split(b"\n") if line]
        entries = tuple(one for line in lines if (one := parse_entry(line)) is not None)
        lanes[path.stem], torn = entries, torn + len(lines) - len(entries)
    return lanes, torn


def _open_to_others(state: Path, files: list[Path]) -> Iterator[str]:
    for path in (*files, *(state / name for name in FOLDERS if (state / name).is_dir())):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode != (0o700 if path.is_dir() else 0o600):
            yield f"{path.relative_to(state)} is {mode:04o}"
