"""How long a stay waits, and whose voice it may hear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class StaySettings:
    """The `[stay]` table; times in seconds."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    consent_policy: str = "explicit"
    """"explicit": only who opted in is heard; "presence": everybody in the room who did not opt out."""
    most_heard: int = 25
    """How many people he can hear at a time; who opts in after them is told so and not heard."""
    join_seconds: float = 35.0
    """A stay that is not up by then has failed to join."""
    farewell_seconds: float = 5.0
    """How long a leave of his own waits for what he is saying."""
    close_seconds: float = 2.0
    """How long the sound link may take to close."""
    text_allowed: bool = True
    """Whether he may write into the room's own chat."""

    def __post_init__(self) -> None:
        if self.consent_policy not in ("explicit", "presence"):
            raise ValueError('consent_policy must be "explicit" or "presence"')
        if not 1 <= self.most_heard <= 100:
            raise ValueError("most_heard must be between 1 and 100 people")
        for name in ("join_seconds", "farewell_seconds", "close_seconds"):
            if not 0 < getattr(self, name) <= 120:
                raise ValueError(f"{name} must be more than 0 and at most 120 seconds")
