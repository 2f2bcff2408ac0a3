"""Who is in the room, as far as anybody has told us."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from messages.ids import LineId, PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One member of the voice channel; `label` is his display name, which he chose and nobody vouches for."""

    id: PersonId
    label: str
    bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """A person in the room and whether he let himself be heard."""

    person: Person
    consented: bool


class LineSource(StrEnum):
    """How a line reached the room."""

    SPOKEN = "spoken"
    TYPED = "typed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One attributed line of one person; `began` and `ended` are monotonic seconds of the speech itself."""

    id: LineId
    person: Person
    text: str
    source: LineSource
    began: float
    ended: float
