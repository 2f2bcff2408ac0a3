"""How patient one may be with the captain, and what he has to look things up in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainSettings:
    """The `[captain]` table; times in seconds."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    stall_seconds: float = 300.0
    """A hand-off without an answer for so long has failed."""
    lane_waiting: int = 8
    """How many hand-offs of one room may wait behind the one at work."""
    post_after_stay: bool = True
    """Whether a result that comes after he has left is written into the room's chat."""
    delay_seconds: float = 1.0
    """How long the local captain takes for an answer."""
    notes_file: Path | None = None
    """A UTF-8 text or Markdown file in which the local captain looks things up; "" is none."""

    def __post_init__(self) -> None:
        """Raise ValueError, with a remedy, for numbers that cannot work."""
        if self.stall_seconds <= 0:
            raise ValueError(f"stall_seconds must be above 0, got {self.stall_seconds}; 300 is known to work")
        if self.lane_waiting < 0:
            raise ValueError(f"lane_waiting must not be negative, got {self.lane_waiting}; 0 lets none wait")
        if not 0 <= self.delay_seconds < self.stall_seconds:
            raise ValueError(
                f"delay_seconds must be at least 0 and below stall_seconds, got {self.delay_seconds}; "
                "1 is known to work"
            )
