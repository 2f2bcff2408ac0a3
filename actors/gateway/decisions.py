"""What the gateway may decide to do: to begin, to tell, to answer, to be seen, to write, to warn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.gateway.state import State
from messages.captain import AskInText
from messages.evidence import Receipt
from messages.gateway import (
    ConsentAnswered,
    ForgetAnswered,
    JoinAnswer,
    JoinOverdue,
    LeaveAnswered,
    StatusAnswered,
    TextOverdue,
    WatchAnswered,
    WatchOverdue,
)
from messages.ids import MessageId, RoomId
from messages.mailbox import Mailbox
from messages.stay import BeginStay, StayMessage


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
class AnswerJoin:
    """Tell who asked whether he has come."""

    asker: Mailbox[JoinAnswer]
    answer: JoinAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLeave:
    """Tell who asked whether there was anything to leave."""

    asker: Mailbox[LeaveAnswered]
    answer: LeaveAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerConsent:
    """Tell who spoke of being heard what came of it."""

    asker: Mailbox[ConsentAnswered]
    answer: ConsentAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerStatus:
    """Tell who asked how he is."""

    asker: Mailbox[StatusAnswered]
    answer: StatusAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerForget:
    """Tell who asked that he is forgotten."""

    asker: Mailbox[ForgetAnswered]
    answer: ForgetAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerWatch:
    """Tell who asked about the play surface."""

    asker: Mailbox[WatchAnswered]
    answer: WatchAnswered


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Typing:
    """Let a room see that he is writing (`on`), or is not."""

    room: RoomId
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TellCaptain:
    """Ask the slow mind for an answer."""

    message: AskInText


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Have the play surface of a room opened (`start`) or closed."""

    room: RoomId
    start: bool


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
    message: JoinOverdue | WatchOverdue | TextOverdue


Answer: TypeAlias = AnswerJoin | AnswerLeave | AnswerConsent | AnswerStatus | AnswerForget | AnswerWatch
Order: TypeAlias = Enter | Leave | Watch | Post | Typing
Decision: TypeAlias = Begin | TellStay | TellCaptain | Answer | Order | Warn | Record | Wake


Step: TypeAlias = tuple[State, tuple[Decision, ...]]
