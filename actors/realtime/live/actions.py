"""What a conversation with a provider may ask of the port that carries its letters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from messages.realtime import RealtimePortEvent


@dataclass(frozen=True, slots=True)
class Send:
    """Send this letter."""

    letter: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Report:
    """Tell the conversation's core."""

    event: RealtimePortEvent = field(repr=False)


@dataclass(frozen=True, slots=True)
class Expires:
    """The provider will end this session at that epoch second."""

    at: float


@dataclass(frozen=True, slots=True)
class Close:
    """It is over: close the line."""


Action: TypeAlias = Send | Report | Expires | Close


def sends(written: Iterable[str]) -> list[Action]:
    """Send these letters, in order."""
    return [Send(letter) for letter in written]
