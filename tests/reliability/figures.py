"""What an instrument found, kept in docs/reliability.json, from which docs/reliability.md is written."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

ROOT: Final = Path(__file__).parents[2]
RECORD: Final = ROOT / "docs" / "reliability.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of one instrument: every row has a cell for each of `head`."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if any(len(row) != len(self.head) for row in self.rows):
            raise ValueError(f"{self.title}: a row has not as many cells as the head")


def machine() -> str:
    """What this machine is, without anything that names it."""
    model = "unknown"
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    system = os.uname()
    return f"{os.cpu_count()} cores ({model}), {system.sysname} {system.release}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one whole run found: `says` what was done, `held` whether he kept every promise."""

    command: str
    says: str
    held: bool
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()
    seconds: float
    on: str = field(default_factory=lambda: datetime.now(UTC).date().isoformat())
    machine: str = field(default_factory=machine)


_ADAPTER: Final = TypeAdapter(dict[str, Found])


def read(path: Path = RECORD) -> Mapping[str, Found]:
    """What is on record, by the instrument's name."""
    return _ADAPTER.validate_json(path.read_bytes()) if path.exists() else {}


def keep(name: str, found: Found, path: Path = RECORD) -> None:
    """Put the last whole run of an instrument on record; several may do so at once."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        told = {**read(path), name: found}
        text = json.dumps({key: asdict(one) for key, one in sorted(told.items())}, indent=1)
        fresh = path.with_suffix(".new")
        fresh.write_text(text + "\n", "utf-8")
        fresh.replace(path)
    finally:
        os.close(folder)
