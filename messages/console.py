"""What may be said to the console: a question from outside, and the answers of the house."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from messages.evidence import EvidenceOpened, PrivateWords, Recorded
from messages.ids import Token
from messages.lifecycle import TreeNode

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusAsked:
    """Somebody wants to know how things are; `answer` may be called from any thread, once, with JSON text."""

    answer: Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerFailed:
    """The console cannot listen, and what to do about it."""

    reason: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerReady:
    """The console listens on this loopback port."""

    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeDue:
    """From the clock: the house should have described itself by now."""

    token: Token


ConsoleMessage: TypeAlias = (
    StatusAsked | TreeNode | EvidenceOpened | Recorded | PrivateWords | ServerFailed | ServerReady | TreeDue
)
