"""What may be said to the console: a question from outside, and the answers of the house."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from messages.evidence import EvidenceOpened, PrivateWords, Recorded
from messages.ids import HandoffId, Token
from messages.lifecycle import TreeNode

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusAsked:
    """Somebody wants to know how things are; `answer` may be called from any thread, once, with JSON text."""

    answer: Callable[[str], None]


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
class ServerReady:
    """The console listens on this loopback port."""

    port: int
    trouble: str = ""
    """Why nobody can ask the captain there, and what to do about it; empty where it can be done."""


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
    | OperatorAsked
    | OperatorHungUp
    | OperatorNews
    | TreeNode
    | EvidenceOpened
    | Recorded
    | PrivateWords
    | ServerFailed
    | ServerReady
    | TreeDue
    | AnswerDue
)
