"""What may be said to the account at the door, and the facts it learns from outside."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from messages.ids import PersonId, RoomId, StayId
from messages.lifecycle import OpenRefused
from messages.people import Person
from messages.stay import BeginStay

if TYPE_CHECKING:
    from messages.mailbox import Mailbox
    from messages.stay import StayMessage


class RefusedJoin(StrEnum):
    """Why he did not come."""

    AUTHORITY = "authority"
    ALLOWLIST = "allowlist"
    NOT_IN_VOICE = "not_in_voice"
    VOICE_DISABLED = "voice_disabled"
    OTHER_GUILD = "other_guild"
    NO_OWNER = "no_owner"
    AMBIGUOUS = "ambiguous"
    FAILED = "failed"


class AskedBy(StrEnum):
    """Through which door an order came."""

    OPERATOR = "operator"
    SLASH = "slash"
    CAPTAIN = "captain"


# --- answers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """He is in the room (or was already)."""

    room: RoomId
    stay: StayId


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRefused:
    """He is not coming; `detail` is a bounded code of what failed, where something did."""

    reason: RefusedJoin
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveAnswered:
    """The order to leave was passed on (`room`), or there was nothing to leave (None)."""

    room: RoomId | None


JoinAnswer: TypeAlias = Joined | JoinRefused

# --- orders ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinVoice:
    """Come into this room; the answer follows once the link is up or has failed."""

    room: RoomId
    asked_by: AskedBy
    reply_to: Mailbox[JoinAnswer]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveVoice:
    """Leave whatever room he is in."""

    asked_by: AskedBy
    reply_to: Mailbox[LeaveAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostText:
    """Write into a room's own chat, at most 2,000 characters."""

    room: RoomId
    text: str


# --- from stays -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class StayOpened:
    """This stay lives and wants the facts of its room; answered with RosterKnown."""

    stay: StayId
    room: RoomId
    mailbox: Mailbox[StayMessage]


@dataclass(frozen=True, slots=True, kw_only=True)
class StayJoined:
    """The link of this stay is up: whoever asked for it can be told."""

    stay: StayId


@dataclass(frozen=True, slots=True, kw_only=True)
class StayEnded:
    """This stay is over; `failed` is a code if it never got as far as joining."""

    stay: StayId
    failed: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinOverdue:
    """Timer: this stay has neither joined nor ended in time."""

    stay: StayId


# --- facts from the port --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayReady:
    """The account is connected and sees these rooms."""

    rooms: tuple[RoomId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayGone:
    """The account cannot be connected; `remedy` is a sentence for the operator."""

    reason: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRoster:
    """Everybody who is in this room now."""

    room: RoomId
    people: tuple[Person, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberArrived:
    """Somebody came into a room."""

    room: RoomId
    person: Person


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberDeparted:
    """Somebody left a room."""

    room: RoomId
    person: PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberTyped:
    """Somebody wrote in a room's own chat."""

    room: RoomId
    person: Person
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentAsked:
    """Somebody gave (`granted`) or took back his consent to be heard, in a room."""

    room: RoomId
    person: PersonId
    granted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnVoiceMoved:
    """His own voice state: the room he is in now, or None when somebody removed him."""

    room: RoomId | None


GatewayPortEvent: TypeAlias = (
    GatewayReady
    | GatewayGone
    | RoomRoster
    | MemberArrived
    | MemberDeparted
    | MemberTyped
    | ConsentAsked
    | OwnVoiceMoved
)
GatewayMessage: TypeAlias = (
    JoinVoice
    | LeaveVoice
    | PostText
    | StayOpened
    | StayJoined
    | StayEnded
    | OpenRefused[BeginStay]
    | JoinOverdue
    | GatewayPortEvent
)
