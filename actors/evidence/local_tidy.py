"""A house that has nothing to write still forgets what is too old, and leaves a sign that it lives."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from actors.evidence.local_log import delete_expired
from actors.evidence.local_purge import clear_away

SIGN: Final = "lock"
"""The file whose time says when a house lived last; it is the one that keeps other houses out."""
JUST_MADE: Final = timedelta(seconds=1)
"""Whoever looks for a sign has claimed the folder a moment ago, and may have made the file by that."""


def tidied(directory: Path, today: date, keep_days: int) -> None:
    """Delete what is too old or half-written; a disk that does not work will be told of by the next line."""
    with suppress(OSError):
        delete_expired(directory, today, keep_days)
        clear_away(directory)
        os.utime(directory / SIGN)


def last_sign(directory: Path, now: datetime) -> datetime | None:
    """When a house lived here last, if any has said so; a file that was only just made says nothing."""
    with suppress(OSError):
        sign = datetime.fromtimestamp((directory / SIGN).stat().st_mtime, UTC)
        return sign if now - sign > JUST_MADE else None
    return None
