"""What may be said to the account at the door, and the facts it learns from outside."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from messages.attachment import Attachment
from messages.authority import Surface, Tier
from messages.ids import (
    ConfirmationId,
    DeedId,
    GuildId,
    HandoffId,
    MessageId,
    PersonId,
    RoleId,
    RoomId,
    StayId,
    Token,
)
from messages.lifecycle import OpenRefused
from messages.orders import StayOrderAnswered, StayOrdered
from messages.people import Person, Presence
from messages.stay import BeginStay
from messages.tools import Deed

if TYPE_CHECKING:
    from messages.captain import AskersKnown, Confirmed
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
    name: str = ""
    """What people call that room."""


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
    name: str = ""
    """What people call that room."""


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
    """He hears the asker no longer and remembers nothing that he said, nor what was noted about him."""

    was_heard: bool
    notes: tuple[str, ...] = ()
    """The notes that he had made, about himself or about rooms, and that were deleted; untrusted text."""
    remains: bool = False
    """Whether something of it is still on disk, because that cannot be written at the moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesAnswered:
    """What is noted about the asker; untrusted text."""

    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeedAnswered:
    """A deed is done, or was `refused`, a bounded code.

    authority | no_trigger | no_thread | account_not_ready | forbidden | gone | unknown_emoji | refused |
    timeout | busy | unsupported | gateway_lost
    """

    refused: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomDescribed:
    """A room and his stay in the same guild, for the captain; labels and names are untrusted."""

    room: str
    """What people call the room that was asked about; empty where that is no voice channel."""
    stay: StayId | None
    stay_room: str
    """What people call the room that he is in; empty if he is in none of that guild."""
    phase: str
    people: tuple[Presence, ...]
    """Who is in the room that he is in, or else in the one that was asked about; at most 25."""
    humans: int
    """How many people, also beyond those."""


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
    """Leave the room that he is in: the asker's guild's only, or, without an asker, all or just `stay`."""

    asked_by: AskedBy
    reply_to: Mailbox[LeaveAnswered]
    asker: Asker | None = None
    stay: StayId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostText:
    """Write into a room's own chat, at most 2,000 characters; an answer where `reply_to` names a message."""

    room: RoomId
    text: str
    reply_to: MessageId | None = None
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextAnswered:
    """The captain's answer to what somebody wrote; without text and files it is silence; `failed` is a code.

    `along` are earlier messages that this answers as well: nobody need answer them any more.
    """

    room: RoomId
    message: MessageId
    text: str
    failed: str = ""
    attachments: tuple[Attachment, ...] = ()
    along: tuple[MessageId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLost:
    """He was at work on this when the house stopped: whoever asked is told so once there is an account.

    Answered with LossTold as soon as that is done.
    """

    handoff: HandoffId
    room: RoomId
    message: MessageId | None
    """What is answered; None for what was asked aloud."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentsLost:
    """A house that was killed heard these people in this stay: they are told once, and it is on record."""

    stay: StayId
    room: RoomId | None
    """Where they are told; None if nothing may be written there."""
    people: tuple[PersonId, ...]


# --- what the captain wants done ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoAsks:
    """Which guild are these people of, who spoke in `room`, and which roles have they now?"""

    handoff: HandoffId
    room: RoomId
    people: tuple[Person, ...]
    reply_to: Mailbox[AskersKnown]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeedAsked:
    """Do this where it was asked for; `message` is what asked, and None for what was said aloud."""

    deed: Deed
    room: RoomId
    message: MessageId | None
    askers: tuple[Asker, ...]
    surface: Surface
    reply_to: Mailbox[DeedAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomAsked:
    """Describe this room, or (None, an operator's question) wherever he is."""

    room: RoomId | None
    guild: GuildId | None
    reply_to: Mailbox[RoomDescribed]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmAsked:
    """Show `text` with two buttons in the room's chat: somebody of this tier has to press one in time."""

    confirmation: ConfirmationId
    room: RoomId
    guild: GuildId
    """That of whoever asks; empty in a private conversation, where only he can press."""
    text: str
    tier: Tier
    reply_to: Mailbox[Confirmed]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusAsked:
    """How are you, here?"""

    asker: Asker
    reply_to: Mailbox[StatusAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmDropped:
    """Nobody waits for this confirmation any more: take the buttons away."""

    confirmation: ConfirmationId


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesAsked:
    """What is noted about me?"""

    asker: Asker
    reply_to: Mailbox[NotesAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetAsked:
    """Hear me no longer, and forget what I said and what is noted about me."""

    asker: Asker
    reply_to: Mailbox[ForgetAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchAsked:
    """Open (`start`) or close the play surface in the asker's room."""

    asker: Asker
    start: bool
    reply_to: Mailbox[WatchAnswered]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostPassed:
    """What was asked of others for this stay has come to about this amount; each is told once."""

    stay: StayId
    amount: float
    currency: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RolesOverdue:
    """Timer: nobody has said which roles somebody has."""

    handoff: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class DeedOverdue:
    """Timer: nobody has said whether this was done."""

    deed: DeedId


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeDue:
    """Timer: Discord had no time for this notice, and is asked again."""

    deed: DeedId


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmOverdue:
    """Timer: nobody has pressed a button in time."""

    confirmation: ConfirmationId


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


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageGone:
    """Whoever wrote this took it back (or somebody deleted it)."""

    room: RoomId
    message: MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class RolesKnown:
    """The roles that this person has in this guild now; None where that could not be learnt."""

    guild: GuildId
    person: PersonId
    roles: frozenset[RoleId] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeedDone:
    """The port has done this, or could not (`failed`, a code as in DeedAnswered)."""

    deed: DeedId
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmFailed:
    """The buttons cannot be shown: forbidden | refused | unsupported."""

    confirmation: ConfirmationId
    failed: str


class ButtonOutcome(StrEnum):
    """What came of pressing a button."""

    GRANTED = "granted"
    DENIED = "denied"
    NOT_YOURS = "not_yours"
    """Whoever pressed it may not decide this; it goes on waiting."""
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonAnswered:
    """What to tell whoever pressed."""

    outcome: ButtonOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonPressed:
    """An authenticated person said yes (`granted`) or no to what was asked; in writing, by a button."""

    confirmation: ConfirmationId
    asker: Asker
    granted: bool
    reply_to: Mailbox[ButtonAnswered]


CaptainOrder: TypeAlias = WhoAsks | DeedAsked | RoomAsked | ConfirmAsked | ConfirmDropped
SlashOrder: TypeAlias = (
    JoinVoice | LeaveVoice | StatusAsked | MemoriesAsked | ForgetAsked | WatchAsked | ConsentAsked
)
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
    | MessageGone
    | RolesKnown
    | DeedDone
    | ConfirmFailed
    | ButtonPressed
    | SlashOrder
)
GatewayTimer: TypeAlias = (
    JoinOverdue | WatchOverdue | TextOverdue | RolesOverdue | DeedOverdue | NoticeDue | ConfirmOverdue
)
GatewayMessage: TypeAlias = (
    PostText
    | TextAnswered
    | TurnLost
    | ConsentsLost
    | CaptainOrder
    | StayOrdered
    | StayOrderAnswered
    | CostPassed
    | StayOpened
    | StayJoined
    | StayChanged
    | StayEnded
    | OpenRefused[BeginStay]
    | GatewayTimer
    | GatewayPortEvent
)
