"""What may be said to the conversation: turns, lines, the room, and what was really heard of him."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from messages.floor import RosterChange, Trigger
from messages.ids import (
    CallId,
    Connection,
    HandoffId,
    PersonId,
    ResponseId,
    RoomId,
    Token,
    TurnId,
    UtteranceId,
)
from messages.people import Line, Person, Presence
from messages.usage import Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAsked:
    """It may be his turn: `lines` asked for it (none for a speakerless turn); silence is a legal answer.

    Of an operator's turn the words are known: `saying` is said as it stands, whatever the model is up to.
    `life` is the one that said hello last, or 0: another one is not meant, and will be asked anew.
    """

    turn: TurnId
    trigger: Trigger
    lines: tuple[Line, ...]
    saying: str = ""
    life: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOverheard:
    """A line for the record that asks for no turn."""

    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomObserved:
    """Who is here now, and what changed; `room` where it may be another than that of the beginning."""

    people: tuple[Presence, ...]
    change: RosterChange | None
    who: Person | None
    room: RoomId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CostObserved:
    """What this stay has cost so far; he may know it, and need not do anything about it."""

    amount: float
    currency: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelTurn:
    """Drop this turn: its response, its text, its calls that did not act yet."""

    turn: TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class MouthRestarted:
    """The mouth began a new life: whatever was being answered cannot be spoken any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPerson:
    """This person opted out: a new conversation, without his lines."""

    person: PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechWasHeard:
    """What the room really heard of an utterance; not `whole` when it was cut or failed."""

    utterance: UtteranceId
    text: str
    whole: bool


# --- from the captain -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffReturned:
    """The captain's answer to one hand-off; perhaps to a conversation that does not remember asking."""

    handoff: HandoffId
    request: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffFailed:
    """The captain has no answer to this hand-off, and why (a bounded code)."""

    handoff: HandoffId
    request: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffMerged:
    """This hand-off became part of another that was at work: what comes of it comes with that one."""

    handoff: HandoffId
    into: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffTakenBack:
    """This hand-off ended without an answer, because whoever asked wanted none any more."""

    handoff: HandoffId


# --- from the port --------------------------------------------------------------------------------


class ResponseEnding(StrEnum):
    """How the model ended a response."""

    COMPLETED = "completed"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseText:
    """More text of this response."""

    connection: Connection
    response: ResponseId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled:
    """The model wants a tool; acted on only when its response has completed."""

    connection: Connection
    response: ResponseId
    call: CallId
    name: str
    request: str
    """The argument of `ask_clankie`; empty for tools without arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseEnded:
    """This response is over; `reason` is a bounded code when it failed."""

    connection: Connection
    response: ResponseId
    ending: ResponseEnding
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationLost:
    """The model's connection is gone, and why (a bounded code)."""

    connection: Connection
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpent:
    """What a response has used, whoever wanted it: spent on an old connection is spent all the same."""

    connection: Connection
    spent: Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class RealtimeTick:
    """Timer of the conversation."""

    token: Token


RealtimePortEvent: TypeAlias = ResponseText | ToolCalled | ResponseEnded | ConversationLost | ModelSpent
RealtimeMessage: TypeAlias = (
    TurnAsked
    | LineOverheard
    | RoomObserved
    | CostObserved
    | CancelTurn
    | MouthRestarted
    | ForgetPerson
    | SpeechWasHeard
    | HandoffReturned
    | HandoffFailed
    | HandoffMerged
    | HandoffTakenBack
    | RealtimePortEvent
    | RealtimeTick
)
