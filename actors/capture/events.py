"""What may happen to a listener, beside its door plate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.capture import CapturePortEvent, CaptureTick, ListenClosely


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowHeard:
    """One more window of sound that ended at `at`; `probability` that it holds speech."""

    probability: float
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EarCloses:
    """This listener ends: nobody may go on waiting for its words."""


Event: TypeAlias = WindowHeard | EarCloses | ListenClosely | CapturePortEvent | CaptureTick
