"""What the captain may decide: to think, to use, to ask, to answer, to write down, to wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from actors.captain.brief import Brief, Item
from actors.captain.journal import Entry, LaneId, Note
from messages.captain import CaptainTick, ForgetInMind
from messages.console import OperatorAnswered, OperatorTold
from messages.evidence import Receipt, ReceiptsAsked
from messages.gateway import (
    CaptainOrder,
    ForgetAnswered,
    JoinVoice,
    LeaveVoice,
    NotesAnswered,
    PostText,
    TextAnswered,
    TurnLost,
    WatchAsked,
)
from messages.ids import CallId, HandoffId
from messages.mailbox import Mailbox
from messages.realtime import (
    HandoffFailed,
    HandoffMerged,
    HandoffReturned,
    HandoffTakenBack,
)

M = TypeVar("M")


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """Give this turn to the slow mind."""

    brief: Brief


@dataclass(frozen=True, slots=True, kw_only=True)
class Think:
    """Have the mind think one step."""

    turn: HandoffId
    step: int
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Over:
    """Let the mind forget this turn."""

    turn: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """Use a tool of one of the operator's servers."""

    turn: HandoffId
    call: CallId
    tool: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Nobody waits any longer for what this turn uses."""

    turn: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell(Generic[M]):
    """Tell whoever asked."""

    mailbox: Mailbox[M]
    message: M

    def deliver(self) -> None:
        """Put the message into the mailbox: only here it is known that they fit."""
        self.mailbox.tell(self.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class TellGateway:
    """Tell the account what to write, and where, or have it do or find out something."""

    message: PostText | TextAnswered | TurnLost | CaptainOrder | JoinVoice | LeaveVoice | WatchAsked


@dataclass(frozen=True, slots=True, kw_only=True)
class TellEvidence:
    """Put this on record, or ask what is on record."""

    message: Receipt | ReceiptsAsked


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """Write this down, for good, before whatever is decided after it."""

    lane: LaneId
    entry: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """These are all the notes now; `call`, of `turn`, waits to learn whether they could be written down."""

    notes: tuple[Note, ...]
    turn: HandoffId | None = None
    call: CallId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """Take what this person said out of every lane on disk, and put these notes in place of all."""

    asked: ForgetInMind
    notes: tuple[Note, ...]
    deleted: tuple[str, ...]
    """The texts of the notes that are gone; answers that tell them go as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: CaptainTick


Decision: TypeAlias = (
    Begin
    | Think
    | Over
    | Use
    | Drop
    | Tell[HandoffReturned]
    | Tell[HandoffFailed]
    | Tell[HandoffMerged]
    | Tell[HandoffTakenBack]
    | Tell[OperatorTold]
    | Tell[OperatorAnswered]
    | Tell[ForgetAnswered]
    | Tell[NotesAnswered]
    | TellGateway
    | TellEvidence
    | Journal
    | Keep
    | Forget
    | Wake
)
