"""A lane is what was said to him in one room, what he did about it and why: the durable part of a mind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType, TypeAlias

from messages.authority import Surface
from messages.ids import CallId, GuildId, HandoffId, MessageId, PersonId, RoomId

LaneId = NewType("LaneId", str)
"""`text-<room>`, `voice-<room>` or `operator`; what stands in a room's own chat and aloud are two lanes."""

OPERATOR_LANE = LaneId("operator")
MOST_ENTRIES = 200
"""What is kept of a lane; older entries go first."""
MOST_NOTES_EACH = 20
"""For one person in one guild, and for one room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardAsked:
    """Somebody asked something; begins a turn (or, steered, joins the one at work). `at` is epoch seconds."""

    at: float
    handoff: HandoffId
    surface: Surface
    room: RoomId | None
    message: MessageId | None
    people: tuple[PersonId, ...]
    label: str
    text: str
    into: HandoffId | None = None
    """The turn that this was steered into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolBegun:
    """Written before anything is done: after a crash it is known that this may have happened."""

    at: float
    handoff: HandoffId
    call: CallId
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEnded:
    """What came of it, a bounded code such as joined, not_in_voice, done, refused, confirmed_by_nobody."""

    at: float
    handoff: HandoffId
    call: CallId
    tool: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidAnswer:
    """What he answered."""

    at: float
    handoff: HandoffId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOver:
    """A turn has ended: answered | silent | failed | taken_back | interrupted; `prompt` is its version."""

    at: float
    handoff: HandoffId
    how: str
    reason: str = ""
    prompt: str = ""


Entry: TypeAlias = HeardAsked | ToolBegun | ToolEnded | SaidAnswer | TurnOver


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One thing to remember: about a person within one guild (None: in private), or about a room."""

    at: float
    person: PersonId
    """About whom, or who had it noted of the room."""
    guild: GuildId | None
    room: RoomId | None
    """Set where it is about a room."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """Everything that was on disk when this life began."""

    lanes: tuple[tuple[LaneId, tuple[Entry, ...]], ...] = ()
    notes: tuple[Note, ...] = ()
    unreadable: int = 0
    """How many lines could not be read."""
