"""What the conversation knows, and nothing that it should have forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from actors.realtime.items import Remembered, Result, Said
from actors.realtime.settings import RealtimeSettings
from messages.floor import Trigger
from messages.ids import (
    CallId,
    Connection,
    HandoffId,
    PersonId,
    ResponseId,
    RoomId,
    StayId,
    Token,
    TurnId,
    UtteranceId,
)
from messages.people import Line, Presence
from messages.realtime import ToolCalled


@dataclass(frozen=True, slots=True, kw_only=True)
class InFlight:
    """The one response that is being waited for; times are monotonic seconds."""

    response: ResponseId
    turn: TurnId
    trigger: Trigger
    lines: tuple[Line, ...]
    results: tuple[Open, ...]
    """Hand-offs whose results this response is to tell."""
    asked_at: float
    progress_at: float
    tries: int = 1
    said: str = ""
    first_text_at: float | None = None
    """When the model began to say something."""
    heard: str | None = None
    """What was heard of it, when its speech has ended before the response did."""
    calls: tuple[ToolCalled, ...] = ()

    @property
    def utterance(self) -> UtteranceId:
        """The name of what is heard of this turn, if anything is."""
        return UtteranceId(f"{self.turn}-speech")


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A hand-off that has not been told of: still with the captain, or its result is waiting."""

    handoff: HandoffId
    request: str
    askers: frozenset[PersonId] = frozenset()
    """Whose it is to take back; nobody's where an earlier life asked."""
    merged: tuple[HandoffId, ...] = ()
    """Those that became part of it."""
    result: Result | None = None
    tries: int = 0
    """How often its result was tried to be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One conversation."""

    stay: StayId
    room: RoomId
    """Where the stay is now."""
    settings: RealtimeSettings
    life: int = 0
    """Which life of the conversation this is."""
    connection: Connection | None = None
    connections: int = 0
    connected_at: float = 0.0
    used_at: float = 0.0
    retry_at: float = 0.0
    retry_after: float = 0.0
    """The pause after the next loss; 0 when the last response came."""
    trouble: str = ""
    """Why the last conversation was lost, until a response comes."""
    told: bool = False
    """Whether the room knows of that trouble."""
    people: tuple[Presence, ...] | None = None
    """None until this life was told who is here."""
    ring: tuple[Remembered, ...] = ()
    observations: tuple[tuple[float, str], ...] = ()
    flight: InFlight | None = None
    dictated: tuple[Said, ...] = ()
    """What the operator had him say, on its way to be heard."""
    acted: tuple[CallId, ...] = ()
    """The last calls that got their output."""
    handoffs: tuple[Open, ...] = ()
    settled: tuple[HandoffId, ...] = ()
    """The last that ended without a result of their own: whatever comes of them is no news."""
    token: Token = Token(0)  # noqa: RUF009 (a number)
    wake_at: float | None = None


def facts(state: State) -> dict[str, str | int | bool]:
    """What a status page may know of a conversation: no words."""
    return {
        "conversation": int(state.connection or 0),
        "answering": state.flight is not None,
        "trouble": state.trouble,
        "lines_remembered": len(state.ring),
        "handoffs_open": sum(1 for one in state.handoffs if one.result is None),
        "results_waiting": sum(1 for one in state.handoffs if one.result is not None),
    }
