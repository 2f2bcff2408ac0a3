"""What may be said to the console: a question from outside, and the answers of the house."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from messages.evidence import EvidenceOpened, Flushed, PrivateWords, Purged, Recorded
from messages.gateway import JoinAnswer, LeaveAnswered
from messages.ids import HandoffId, OrderId, PersonId, RoomId, StayId, Token
from messages.lifecycle import RestartAnswered, Scalar, TreeNode
from messages.orders import StayOrderAnswered

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusAsked:
    """Somebody wants to know how things are; `answer` may be called from any thread, once, with JSON text."""

    answer: Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyAsked:
    """Somebody wants to know why he spoke or did not: the latest `most` lines and turns, of one stay or all.

    `answer` as for StatusAsked, but with an empty text where nobody knows that stay.
    """

    stay: StayId | None
    most: int
    answer: Callable[[str], None]


# --- orders ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinOrdered:
    """Come into this room, or to where the owner is; in the local room, into that."""

    room: RoomId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOrdered:
    """Leave this stay's room, or all."""

    stay: StayId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SayOrdered:
    """Say exactly this."""

    text: str
    stay: StayId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HushOrdered:
    """Be silent for so many seconds; 0 ends that."""

    seconds: float
    stay: StayId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InterruptOrdered:
    """Stop what he is saying."""

    stay: StayId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawOrdered:
    """Hear this person no longer."""

    person: PersonId
    stay: StayId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartOrdered:
    """Give the actor at this path a new life."""

    path: str


@dataclass(frozen=True, slots=True)
class FlushOrdered:
    """Put the record on disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeOrdered:
    """Take this person out of what is kept."""

    person: PersonId


@dataclass(frozen=True, slots=True)
class ShutdownOrdered:
    """Close the house in good order."""


Order: TypeAlias = (
    JoinOrdered
    | LeaveOrdered
    | SayOrdered
    | HushOrdered
    | InterruptOrdered
    | WithdrawOrdered
    | RestartOrdered
    | FlushOrdered
    | PurgeOrdered
    | ShutdownOrdered
)


class OrderResult(StrEnum):
    """How an order ended."""

    DONE = "done"
    REFUSED = "refused"
    """It could not be done, or may not be."""
    GONE = "gone"
    """Whom it was for is there no longer."""
    PENDING = "pending"
    """Nobody has answered in time; it may still be carried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderAnswer:
    """What became of an order: a bounded code, a sentence for people, and what there is to tell besides."""

    result: OrderResult
    code: str
    text: str
    facts: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderGiven:
    """The operator wants this done; `answer` may be called from any thread, once."""

    id: OrderId
    order: Order
    answer: Callable[[OrderAnswer], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinEnded:
    """What came of the order to join with this id."""

    order: OrderId
    answer: JoinAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveEnded:
    """What came of the order to leave with this id."""

    order: OrderId
    answer: LeaveAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartEnded:
    """What came of the order to restart with this id."""

    order: OrderId
    answer: RestartAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class FlushEnded:
    """What came of the order to flush with this id."""

    order: OrderId
    answer: Flushed


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeEnded:
    """What came of the order to purge with this id."""

    order: OrderId
    answer: Purged


OrderEnded: TypeAlias = JoinEnded | LeaveEnded | RestartEnded | FlushEnded | PurgeEnded | StayOrderAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderDue:
    """From the clock: whoever this order is for should have answered by now."""

    order: OrderId


# --- viewers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewersChanged:
    """So many watch at the window now, and so many of them want to see words."""

    viewers: int
    wanting_words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewDue:
    """From the clock: viewers see how things are again."""

    token: Token


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorAsked:
    """The operator wants something of the captain; `news` takes JSON lines, from any thread."""

    handoff: HandoffId
    request: str
    news: Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorHungUp:
    """Whoever asked this has gone away and wants it no longer."""

    handoff: HandoffId


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorTold:
    """From the captain: he used a tool for the operator; `outcome` is a bounded code."""

    handoff: HandoffId
    tool: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorAnswered:
    """From the captain, once: his answer, which may be silence; `failed` is a bounded code."""

    handoff: HandoffId
    text: str
    failed: str = ""
    files: tuple[str, ...] = ()
    """Names of files that came with it, and can be shown in chats only."""


OperatorNews: TypeAlias = OperatorTold | OperatorAnswered


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerFailed:
    """The console cannot listen, and what to do about it."""

    reason: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenDue:
    """The console could not listen, and it is time to try again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerReady:
    """The console listens on this loopback port."""

    port: int
    trouble: str = ""
    """Why there is no key to show there, and what to do about it; empty where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeDue:
    """From the clock: the house should have described itself by now."""

    token: Token


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDue:
    """From the clock: the captain should have answered the operator by now."""

    handoff: HandoffId


ConsoleMessage: TypeAlias = (
    StatusAsked
    | WhyAsked
    | OrderGiven
    | OrderEnded
    | OrderDue
    | ViewersChanged
    | ViewDue
    | OperatorAsked
    | OperatorHungUp
    | OperatorNews
    | TreeNode
    | EvidenceOpened
    | Recorded
    | PrivateWords
    | ServerFailed
    | ServerReady
    | ListenDue
    | TreeDue
    | AnswerDue
)
