"""What the kernel knows of processes: CPU, memory, threads, descriptors, and which cores they may use."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Megabytes, threads and open descriptors of one process."""

    resident: float
    private: float
    threads: int
    descriptors: int


def cpu_seconds(pid: int | str) -> float:
    """CPU of all its threads that live."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended while we looked
    return total / 1e9


def private(pid: int | str = "self") -> float:
    """Megabytes that would be free if this process were not there."""
    return sum(kilobytes for name, kilobytes in _rolled_up(pid) if name.startswith("Private_")) / 1024


def size(pid: int) -> Size:
    """How big it is."""
    return Size(
        resident=dict(_rolled_up(pid))["Rss"] / 1024,
        private=private(pid),
        threads=len(list(Path(f"/proc/{pid}/task").iterdir())),
        descriptors=len(list(Path(f"/proc/{pid}/fd").iterdir())),
    )


def _rolled_up(pid: int | str) -> Iterator[tuple[str, int]]:
    """Each sort of memory with its kilobytes; the first line names the addresses."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, _, rest = line.partition(":")
        yield name, int(rest.split()[0])


def pin(pids: Iterable[int], cores: Iterable[int]) -> None:
    """Keep every thread of these processes to these cores."""
    for pid in pids:
        for task in Path(f"/proc/{pid}/task").iterdir():
            try:
                os.sched_setaffinity(int(task.name), set(cores))
            except ProcessLookupError:
                continue  # it ended while we looked


def cores() -> set[int]:
    """The cores that this process may use."""
    return os.sched_getaffinity(0)
