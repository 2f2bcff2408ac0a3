"""In how many rooms he may be, and how long he may take to come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewaySettings:
    """The `[gateway]` table."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    max_stays: int = 1
    """In how many rooms he may be at the same time."""
    join_seconds: float = 40.0
    """Who asked him to come is refused if nothing was heard of the stay by then; more than its own limit."""

    def __post_init__(self) -> None:
        if not 1 <= self.max_stays <= 100:
            raise ValueError(f"max_stays must be between 1 and 100, got {self.max_stays}; 1 is usual")
        if not 1.0 <= self.join_seconds <= 300.0:
            raise ValueError(
                f"join_seconds must be between 1 and 300, got {self.join_seconds}; 40 leaves a stay its 35"
            )
