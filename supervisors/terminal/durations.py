"""How long, as people write it."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 86_400.0
"""A day, in seconds: what he can be told to be silent for."""
_DURATION: Final = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?", re.ASCII)


def seconds_in(duration: str) -> float | None:
    """The seconds in "90", "90s", "5m" or "1h30m"; None if it is no time."""
    parts = _DURATION.fullmatch(duration.strip().lower())
    if parts is None or not any(parts.groups()):
        return None
    hours, minutes, seconds = (float(part or 0) for part in parts.groups())
    return hours * 3600 + minutes * 60 + seconds


def in_units(seconds: float) -> str:
    """So many seconds in their two greatest units."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    units = ((days, "d"), (hours, "h"), (minutes, "min"), (rest, "s"))
    return " ".join([f"{many} {unit}" for many, unit in units if many][:2]) or "0 s"
