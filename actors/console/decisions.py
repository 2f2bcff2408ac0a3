"""What the console may decide to do: look around, wait, answer, pass on, have something done, show, log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.console.report import StatusReport, WhyReport
from actors.console.state import State
from messages.captain import TakeBack
from messages.console import (
    AnswerDue,
    ListenDue,
    OperatorAsked,
    OperatorNews,
    OrderAnswer,
    OrderDue,
    OrderGiven,
    StatusAsked,
    TreeDue,
    ViewDue,
    WhyAsked,
)
from messages.evidence import PrivateWords


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAround:
    """Ask the house for its tree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Ask the record for its news, with the words or without."""

    words: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: TreeDue | AnswerDue | OrderDue | ViewDue | ListenDue


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    """Try again to listen, after a failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Give the report to one who asked."""

    asked: StatusAsked
    report: StatusReport


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerWhy:
    """Say why he spoke or did not."""

    asked: WhyAsked
    why: WhyReport | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CarryOut:
    """Have an order carried out."""

    given: OrderGiven


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOrder:
    """Say what became of an order."""

    given: OrderGiven
    answer: OrderAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowStatus:
    """Show viewers how things are."""

    report: StatusReport


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowReceipt:
    """Show viewers what was put on record, as it stands there."""

    json_line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowWords:
    """Show words to the viewers who want to see them."""

    words: PrivateWords


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCaptain:
    """Ask the captain, and be told what comes of it."""

    asked: OperatorAsked


@dataclass(frozen=True, slots=True, kw_only=True)
class TellCaptain:
    """Say that nobody waits any more."""

    message: TakeBack


@dataclass(frozen=True, slots=True, kw_only=True)
class PassOn:
    """Tell the operator who asked this what came of it."""

    asked: OperatorAsked
    news: OperatorNews


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """Something that an operator has to know, in one line."""

    text: str
    failed: bool


Show: TypeAlias = ShowStatus | ShowReceipt | ShowWords
Tell: TypeAlias = Answer | AnswerWhy | AnswerOrder | PassOn
Decision: TypeAlias = (
    LookAround | Watch | Wake | Listen | CarryOut | AskCaptain | TellCaptain | Log | Show | Tell
)
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
