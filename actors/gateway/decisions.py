"""What the gateway may decide to do: to begin, to tell, to answer, to be seen, to write, to warn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from actors.gateway.passing import Passed
from actors.gateway.state import State
from messages.attachment import Attachment
from messages.captain import AskersKnown, AskInText, Confirmed, ForgetInMind, LossTold, NotesAsked, TakeBack
from messages.evidence import Receipt
from messages.gateway import (
    ButtonAnswered,
    ConsentAnswered,
    DeedAnswered,
    GatewayTimer,
    JoinAnswer,
    LeaveAnswered,
    RoomDescribed,
    StatusAnswered,
    WatchAnswered,
)
from messages.ids import ConfirmationId, DeedId, GuildId, MessageId, PersonId, RoomId
from messages.mailbox import Mailbox
from messages.orders import StayOrderAnswered
from messages.stay import BeginStay, StayMessage
from messages.tools import Deed

A = TypeVar("A")


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """Have the supervisor of stays begin one."""

    stay: BeginStay


@dataclass(frozen=True, slots=True, kw_only=True)
class TellStay:
    """Tell a stay."""

    mailbox: Mailbox[StayMessage]
    message: StayMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class TellCaptain:
    """Ask the slow mind for an answer, or tell it what somebody wants no longer."""

    message: AskInText | TakeBack | NotesAsked | ForgetInMind | LossTold


# --- answers: each goes to the address that its asker gave ------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Generic[A]):
    """Tell whoever asked; the kinds of it below only say to whom which answer may go."""

    asker: Mailbox[A]
    answer: A

    def give(self) -> None:
        """Leave the answer at the asker's address."""
        self.asker.tell(self.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerJoin(Answer[JoinAnswer]):
    """Whether he has come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLeave(Answer[LeaveAnswered]):
    """Whether there was anything to leave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerConsent(Answer[ConsentAnswered]):
    """What came of a word on being heard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerStatus(Answer[StatusAnswered]):
    """How he is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerWatch(Answer[WatchAnswered]):
    """Where the play surface is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAskers(Answer[AskersKnown]):
    """Who they are that asked the captain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDeed(Answer[DeedAnswered]):
    """Whether it is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRoom(Answer[RoomDescribed]):
    """What the room is like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerConfirm(Answer[Confirmed]):
    """Whether somebody has said so in writing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerButton(Answer[ButtonAnswered]):
    """What came of pressing it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOrder(Answer[StayOrderAnswered]):
    """What became of an order about a stay."""


# --- orders to the account --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter:
    """Have the account seen in a room."""

    room: RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """Have the account seen there no longer."""

    room: RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """Write into a room's chat."""

    room: RoomId
    text: str
    reply_to: MessageId | None = None
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Typing:
    """Let a room see that he is writing (`on`), or is not."""

    room: RoomId
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Have the play surface of a room opened (`start`) or closed."""

    room: RoomId
    start: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Do:
    """Have this done in a room."""

    name: DeedId
    deed: Deed
    room: RoomId
    message: MessageId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """Learn which roles somebody has now."""

    guild: GuildId
    person: PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """Show this with two buttons."""

    confirmation: ConfirmationId
    room: RoomId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle:
    """Take the buttons away and show what came of it."""

    confirmation: ConfirmationId
    outcome: str


# --- and the rest -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Warn:
    """Tell the operator what is wrong and what to do."""

    reason: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Put this on record."""

    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: GatewayTimer


AnyAnswer: TypeAlias = (
    AnswerJoin
    | AnswerLeave
    | AnswerConsent
    | AnswerStatus
    | AnswerWatch
    | AnswerAskers
    | AnswerDeed
    | AnswerRoom
    | AnswerConfirm
    | AnswerButton
    | AnswerOrder
)
Order: TypeAlias = Enter | Leave | Watch | Post | Typing | Do | LookUp | Confirm | Settle
Decision: TypeAlias = Begin | TellStay | TellCaptain | Passed | AnyAnswer | Order | Warn | Record | Wake

Step: TypeAlias = tuple[State, tuple[Decision, ...]]
