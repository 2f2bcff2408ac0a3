"""What may be said to the account at the door, and the facts it learns from outside."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from messages.ids import GuildId, MessageId, PersonId, RoleId, RoomId, StayId, Token
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


class RefusedLeave(StrEnum):
    """Why he did not go."""

    AUTHORITY = "authority"
    NOT_IN_VOICE = "not_in_voice"


class AskedBy(StrEnum):
    """Through which door an order came."""

    OPERATOR = "operator"
    SLASH = "slash"
    CAPTAIN = "captain"


# --- who asks, and where --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A place that the account sees, by the name that people call it; on a `stage` only some may speak."""

    id: RoomId
    guild: GuildId
    name: str
    stage: bool = False
    barred: str = ""
    """Which permission he lacks to enter, as a code; empty if he may."""
    seats: int | None = None
    """How many people fit in before there is none left for him; None where he always gets in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """An authenticated person in a guild; `roles` are those that he has there."""

    person: Person
    guild: GuildId
    roles: frozenset[RoleId] = frozenset()


# --- answers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """He is in the room (or was already); `opted_in` if this very order opened the asker's microphone."""

    room: RoomId
    stay: StayId
    opted_in: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRefused:
    """He is not coming; `detail` is a bounded code of what failed, where something did."""

    reason: RefusedJoin
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveAnswered:
    """The order to leave was passed on (`room`), or was `refused`."""

    room: RoomId | None
    refused: RefusedLeave | None = None


class ConsentOutcome(StrEnum):
    """What became of somebody's word on being heard."""

    GRANTED = "granted"
    WITHDRAWN = "withdrawn"
    NOT_IN_ROOM = "not_in_room"
    NO_STAY = "no_stay"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentAnswered:
    """He is heard from now on in `room`, or not, and why."""

    outcome: ConsentOutcome
    room: RoomId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StayFacts:
    """One stay as those in the room may know it; `privacy_code` is Discord's, to be compared by people."""

    stay: StayId
    room: RoomId
    phase: str
    encryption: str
    privacy_code: str
    humans: int
    heard: tuple[PersonId, ...]
    hindrance: str = ""
    """Why the room cannot hear him or he cannot hear the room, as a code; empty if nothing is in the way."""
    ear_trouble: str = ""
    """Why no words come of what he hears, as a code; empty while they come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusAnswered:
    """How he is in the guild that was asked about; None where he is in no room of it."""

    facts: StayFacts | None
    asker_heard: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetAnswered:
    """He hears the asker no longer and remembers nothing that he said."""

    was_heard: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchAnswered:
    """The play surface: an address to open it (`url`), closed (`url` empty), or `refused`, a bounded code."""

    url: str = ""
    refused: str = ""


JoinAnswer: TypeAlias = Joined | JoinRefused

# --- orders ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinVoice:
    """Come into `room`, or, without one, to where the asker is (for an operator: the owner).

    The answer follows once the link is up or has failed. Only an operator and the embedded room go without
    an asker; a slash command opts its asker in.
    """

    asked_by: AskedBy
    reply_to: Mailbox[JoinAnswer]
    room: RoomId | None = None
    asker: Asker | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveVoice:
    """Leave the room that he is in: the asker's guild's only, or, without an asker, all."""

    asked_by: AskedBy
    reply_to: Mailbox[LeaveAnswered]
    asker: Asker | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostText:
    """Write into a room's own chat, at most 2,000 characters; an answer where `reply_to` names a message."""

    room: RoomId
    text: str
    reply_to: MessageId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextAnswered:
    """The captain's answer to what somebody wrote; an empty `text` is silence, `failed` a bounded code."""

    room: RoomId
    message: MessageId
    text: str
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusAsked:
    """How are you, here?"""

    asker: Asker
    reply_to: Mailbox[StatusAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetAsked:
    """Hear me no longer, and forget what I said."""

    asker: Asker
    reply_to: Mailbox[ForgetAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchAsked:
    """Open (`start`) or close the play surface in the asker's room."""

    asker: Asker
    start: bool
    reply_to: Mailbox[WatchAnswered]


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
class StayChanged:
    """What people may know of this stay has changed."""

    facts: StayFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class StayEnded:
    """This stay is over; `failed` is a code if it never got as far as joining."""

    stay: StayId
    failed: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinOverdue:
    """Timer: this stay has neither joined nor ended in time."""

    stay: StayId


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOverdue:
    """Timer: the play surface of this room was not opened in time, or has been open for long enough."""

    room: RoomId
    token: Token


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOverdue:
    """Timer: what somebody wrote has waited for an answer for long enough."""

    message: MessageId


# --- facts from the port --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayReady:
    """The account is connected and sees these rooms; it may have been before, and then every fact is new."""

    account: Person
    rooms: tuple[Room, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayAway:
    """The account has no connection and is getting one; `reason` is a bounded code, `remedy` a sentence."""

    reason: str
    remedy: str = "nothing has to be done: it is being connected again"


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayBack:
    """The same connection goes on, and nothing was missed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayGone:
    """The account cannot be connected; `remedy` is a sentence for the operator."""

    reason: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSeen:
    """A room is new, or is called something else now."""

    room: Room


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomLost:
    """A room is there no longer, or can no longer be seen."""

    room: RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRoster:
    """Everybody who is in this room now, himself left out."""

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
class MessageSeen:
    """Somebody wrote: in a room's own chat, in another channel, or (without a guild) to him alone."""

    message: MessageId
    room: RoomId
    guild: GuildId | None
    person: Person
    text: str
    roles: frozenset[RoleId] = frozenset()
    mentions_him: bool = False
    """He is named by a mention, or the message answers one of his."""
    images: int = 0
    parent: RoomId | None = None
    """The channel that a thread belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentAsked:
    """Somebody gave (`granted`) or took back his consent to be heard; without `room`, where he is."""

    person: PersonId
    granted: bool
    room: RoomId | None = None
    guild: GuildId | None = None
    reply_to: Mailbox[ConsentAnswered] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnVoiceMoved:
    """His own voice state in one guild: the room he is in now, or None when somebody removed him."""

    guild: GuildId
    room: RoomId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnVoiceHindered:
    """What is done to his voice: `hindrance` is a code as in `StayFacts`, empty if nothing is.

    A moderator has `server_muted` or `server_deafened` him; he is `suppressed` in the audience of a stage, or
    `may_not_speak` in a channel.
    """

    guild: GuildId
    hindrance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOpened:
    """The play surface that was asked for can be opened at `url`, or cannot: `failed` is a bounded code."""

    room: RoomId
    url: str
    failed: str = ""


SlashOrder: TypeAlias = JoinVoice | LeaveVoice | StatusAsked | ForgetAsked | WatchAsked | ConsentAsked
GatewayPortEvent: TypeAlias = (
    GatewayReady
    | GatewayAway
    | GatewayBack
    | GatewayGone
    | RoomSeen
    | RoomLost
    | RoomRoster
    | MemberArrived
    | MemberDeparted
    | MessageSeen
    | OwnVoiceMoved
    | OwnVoiceHindered
    | WatchOpened
    | SlashOrder
)
GatewayMessage: TypeAlias = (
    PostText
    | TextAnswered
    | StayOpened
    | StayJoined
    | StayChanged
    | StayEnded
    | OpenRefused[BeginStay]
    | JoinOverdue
    | WatchOverdue
    | TextOverdue
    | GatewayPortEvent
)
