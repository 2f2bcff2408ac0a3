"""What may be said to one stay: facts of its room, news of its parts, and the order to end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from messages.audio import SoundSink
from messages.ids import CaptureId, PersonId, RoomId, StayId
from messages.lifecycle import Ending, OpenRefused
from messages.orders import Hush, Interrupt, SayAloud, StayOrderAnswered, WithdrawConsent
from messages.people import Person
from messages.voice import MicrophoneCount


class LeftReason(StrEnum):
    """Why a stay ended; exactly one for each."""

    SELF_DECIDED = "self_decided"
    CAPTAIN = "captain"
    OPERATOR = "operator"
    SLASH = "slash"
    KICKED = "kicked"
    MOVED = "moved"
    MEDIA_LOST = "media_lost"
    GATEWAY_LOST = "gateway_lost"
    CRASHED = "crashed"
    SHUTDOWN = "shutdown"
    REPLACED = "replaced"
    JOIN_FAILED = "join_failed"


# --- the request that begins a family -------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginStay:
    """Begin a stay in this room (taken by the supervisor of stays)."""

    stay: StayId
    room: RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenEar:
    """Begin to listen to one consented person (taken by the supervisor of ears)."""

    person: Person
    capture: CaptureId


# --- facts of the room ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterKnown:
    """Everybody in the room now, himself left out."""

    people: tuple[Person, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonArrived:
    """Somebody came in."""

    person: Person


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDeparted:
    """Somebody went away; his consent goes with him."""

    person: PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentGiven:
    """This person opted in."""

    person: PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentWithdrawn:
    """This person opted out, for good until he says otherwise; `forget` also what he said before."""

    person: PersonId
    forget: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonTyped:
    """Somebody wrote in the room's own chat."""

    person: Person
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedToRoom:
    """Somebody moved him, and he may be there: the stay goes on in `room`, and nobody has consented there."""

    room: RoomId
    people: tuple[Person, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceHindered:
    """The server mutes, deafens or suppresses him (a code), or does so no longer (empty)."""

    hindrance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedFromRoom:
    """Somebody with the right to do so put him out."""


# --- orders ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EndStay:
    """End this very stay, once his current speech has drained (or 5 s have passed) if `after_speech`."""

    reason: LeftReason
    after_speech: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SayInChat:
    """Post this in the room's own chat, where text is allowed."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CostReached:
    """What was asked of others for this stay has come to about this amount."""

    amount: float
    currency: str


# --- news of its parts ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkOpened:
    """A voice link room lives (perhaps a new life) and waits to be told what to connect to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkReady:
    """Sound flows; `encryption` says how it is protected."""

    encryption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkDegraded:
    """Sound does not flow at the moment; the link is being reopened."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPrivate:
    """The end-to-end encrypted group of the room has this code now."""

    privacy_code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkGone:
    """Sound will not flow again on this link."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkClosed:
    """The link is closed; what every person's microphone came to."""

    counts: tuple[MicrophoneCount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EarOpened:
    """A capture lives and offers the sink that this person's frames go into."""

    person: PersonId
    capture: CaptureId
    sink: SoundSink


@dataclass(frozen=True, slots=True, kw_only=True)
class EarTroubled:
    """A capture hears this person and gets no words of what he says, and why (a bounded code)."""

    person: PersonId
    capture: CaptureId
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EarWorks:
    """A capture has got words for the first time, or again."""

    person: PersonId
    capture: CaptureId


@dataclass(frozen=True, slots=True, kw_only=True)
class EarClosed:
    """A capture has ended, and how."""

    person: PersonId
    capture: CaptureId
    ending: Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorOpened:
    """The floor lives (perhaps a new life) and needs to know who is here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationOpened:
    """The conversation room lives (perhaps a new life) and needs to know who is here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarsOpened:
    """The supervisor of ears takes requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorQuiet:
    """Answer to AwaitQuiet, and to the roster of a new room: nothing is being said or about to be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StayOverdue:
    """Timer: whatever the stay was waiting for has taken too long."""

    token: int


StayMessage: TypeAlias = (
    RosterKnown
    | PersonArrived
    | PersonDeparted
    | ConsentGiven
    | ConsentWithdrawn
    | PersonTyped
    | RemovedFromRoom
    | MovedToRoom
    | VoiceHindered
    | EndStay
    | SayInChat
    | CostReached
    | SayAloud
    | Hush
    | Interrupt
    | WithdrawConsent
    | StayOrderAnswered
    | LinkOpened
    | LinkReady
    | LinkDegraded
    | LinkPrivate
    | LinkGone
    | LinkClosed
    | EarOpened
    | EarTroubled
    | EarWorks
    | EarClosed
    | OpenRefused[OpenEar]
    | FloorOpened
    | ConversationOpened
    | EarsOpened
    | FloorQuiet
    | StayOverdue
)
