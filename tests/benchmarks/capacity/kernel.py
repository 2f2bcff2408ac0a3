"""What the kernel knows of processes: CPU, memory, threads, descriptors, and which cores they may use."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Megabytes, threads and open descriptors of one process."""

    resident: float
    private: float
    threads: int
    descriptors: int


def cpu_seconds(pid: int) -> float:
    """CPU of all its threads that live."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended while we looked
    return total / 1e9


def size(pid: int) -> Size:
    """How big it is."""
    kilobytes = {"Rss": 0, "Private_Clean": 0, "Private_Dirty": 0}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name in kilobytes:
            kilobytes[name] += int(rest.split()[0])
    return Size(
        resident=kilobytes["Rss"] / 1024,
        private=(kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]) / 1024,
        threads=len(list(Path(f"/proc/{pid}/task").iterdir())),
        descriptors=len(list(Path(f"/proc/{pid}/fd").iterdir())),
    )


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
