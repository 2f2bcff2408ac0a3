"""What a process holds for itself alone, as the kernel counts it."""

from __future__ import annotations

from pathlib import Path


def private(pid: int | str = "self") -> float:
    """Megabytes that would be free if this process were not there."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024
