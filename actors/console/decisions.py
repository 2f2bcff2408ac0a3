"""What the console may decide to do: to look around, to watch, to wait, to answer, to log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from actors.console.report import StatusReport
from actors.console.state import State
from messages.console import StatusAsked, TreeDue


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
    message: TreeDue


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Give the report to one who asked."""

    asked: StatusAsked
    report: StatusReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """Something that an operator has to know, in one line."""

    text: str
    failed: bool


Decision: TypeAlias = LookAround | Watch | Wake | Answer | Log
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
