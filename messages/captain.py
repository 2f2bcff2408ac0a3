"""What may be said to the captain, the slow mind: here is something to look into, and the stay is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from messages.ids import HandoffId, MessageId, RoomId, StayId, Token
from messages.people import Line, Person

if TYPE_CHECKING:
    from messages.mailbox import Mailbox
    from messages.realtime import RealtimeMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCaptain:
    """One hand-off: its askers stay its authority whatever happens; all text in it is untrusted."""

    handoff: HandoffId
    stay: StayId
    room: RoomId
    askers: tuple[Person, ...]
    """Whose lines asked for the turn, in their order; of several, the one who may do least counts."""
    request: str
    original: tuple[Line, ...]
    """What they really said, at most 2,000 characters."""
    recent: tuple[Line, ...]
    observations: tuple[str, ...]
    reply_to: Mailbox[RealtimeMessage]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskInText:
    """Somebody wrote to him: answered to the gateway with TextAnswered; the text is untrusted."""

    handoff: HandoffId
    room: RoomId
    message: MessageId
    asker: Person
    request: str


Question: TypeAlias = AskCaptain | AskInText


@dataclass(frozen=True, slots=True, kw_only=True)
class StayIsOver:
    """Results for this stay can only be posted as text from now on."""

    stay: StayId


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultUnsaid:
    """The conversation ends before it could say this result of yours: write it into the room's chat."""

    handoff: HandoffId
    stay: StayId
    room: RoomId
    request: str
    text: str


# --- from the port --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainAnswered:
    """The port's answer to one hand-off."""

    handoff: HandoffId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainFailed:
    """The port has no answer, and why (a bounded code)."""

    handoff: HandoffId
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainTick:
    """Timer of the captain."""

    token: Token


CaptainPortEvent: TypeAlias = CaptainAnswered | CaptainFailed
CaptainMessage: TypeAlias = Question | StayIsOver | ResultUnsaid | CaptainPortEvent | CaptainTick
