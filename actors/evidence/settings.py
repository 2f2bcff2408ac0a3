"""How long the record is kept, where, and whether anybody's words may be kept at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from messages.lifecycle import Scalar

LOCAL, LOOPBACK, DISCORD = "local", "loopback", "discord"
"""Origins: a room in this process, a rehearsal, and what happened on Discord with living people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceSettings:
    """The `[evidence]` table."""

    __pydantic_config__: ClassVar[dict[str, Scalar]] = {"extra": "forbid"}

    directory: Path = Path("~/.local/state/clankie/evidence")
    """Where the files are; made with mode 0700, and refused while others may look into it."""
    transcripts: bool = False
    """Whether the final lines of people who consented are kept as well, in files of their own."""
    retention_days: int = 30
    """Files older than this many days are deleted."""
    rotate_mib: int = 10
    """A file that has grown to this many MiB is followed by another of the same day."""
    origin: str = ""
    """What every receipt says of where it was written: local or loopback (a rehearsal). Empty: as it is."""
    sync_ms: int = 200
    """How long a line may wait for its fsync."""
    retry_s: float = 5.0
    """How long to wait before a disk that failed is tried again."""
    flush_s: float = 2.0
    """How long anybody who wants everything on disk, the end of the house included, is made to wait."""
    backlog_lines: int = 4096
    """How many lines may wait for a slow or full disk; more are dropped and counted."""

    def __post_init__(self) -> None:
        """Refuse what cannot work, naming the key."""
        if self.directory == Path():
            raise ValueError("directory must not be empty; name a folder, or leave it out for the default")
        self._at_least("retention_days", self.retention_days, 1)
        self._at_least("rotate_mib", self.rotate_mib, 1)
        self._at_least("sync_ms", self.sync_ms, 0)
        self._at_least("retry_s", self.retry_s, 0.1)
        self._at_least("flush_s", self.flush_s, 0.1)
        self._at_least("backlog_lines", self.backlog_lines, 1)
        if self.origin not in ("", LOCAL, LOOPBACK):
            raise ValueError(
                "origin must be loopback, for a rehearsal, or local; leave it out otherwise: a house that is "
                "on Discord says so by itself"
            )

    @property
    def signature(self) -> str:
        """What a receipt gives as its origin."""
        return self.origin or LOCAL

    @staticmethod
    def _at_least(key: str, value: float, least: float) -> None:
        if value < least:
            raise ValueError(f"{key} must be at least {least}, got {value}; leave it out for the default")


@dataclass(frozen=True, slots=True, kw_only=True)
class OnDiscord(EvidenceSettings):
    """The same for a house that is on Discord: only it says so, and no file can."""

    @property
    def signature(self) -> str:
        """Discord, unless it was told to say less."""
        return self.origin or DISCORD
