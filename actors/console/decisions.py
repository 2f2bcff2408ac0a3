"""What the console may decide to do: to look around, to watch, to wait, to answer, to pass on, to log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.console.report import StatusReport
from actors.console.state import State
from messages.captain import TakeBack
from messages.console import AnswerDue, OperatorAsked, OperatorNews, StatusAsked, TreeDue


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAround:
    """Ask the house for its tree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Ask the record for its news."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: TreeDue | AnswerDue


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Give the report to one who asked."""

    asked: StatusAsked
    report: StatusReport


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


Decision: TypeAlias = LookAround | Watch | Wake | Answer | AskCaptain | TellCaptain | PassOn | Log
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
