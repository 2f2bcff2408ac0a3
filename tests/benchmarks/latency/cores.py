"""How much of the machine's cores nobody used for a while."""

from __future__ import annotations

from pathlib import Path
from typing import Final

IDLE, WAITING = 3, 4
"""Places of the ticks in which a core had nothing to do, and in which it waited for a disk."""
STAT: Final = Path("/proc/stat")


class Cores:
    """Watches all of them together from when it is made."""

    def __init__(self, stat: Path = STAT) -> None:
        self._stat = stat
        self._began = self._ticks()

    @property
    def idle(self) -> float:
        """The share that was idle since."""
        spent = [now - then for now, then in zip(self._ticks(), self._began, strict=True)]
        return (spent[IDLE] + spent[WAITING]) / max(1, sum(spent))

    def _ticks(self) -> list[int]:
        # What guests used, behind the eighth, is in the first ones already.
        return [int(word) for word in self._stat.read_text("ascii").split()[1:9]]
