"""Birth, death and everything a supervisor may be told about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from messages.mailbox import Mailbox

Scalar: TypeAlias = str | int | float | bool | None
R = TypeVar("R")


class Ending(StrEnum):
    """Why one life of an actor ended."""

    FINISHED = "finished"
    """It ended by its own decision."""
    CRASHED = "crashed"
    """A message that it could not survive."""
    OPEN_FAILED = "open_failed"
    """It never opened."""
    SHUTDOWN = "shutdown"
    """The house, or the family around it, is closing in good order."""
    SIBLING_FAILED = "sibling_failed"
    """A sibling failed and the strategy takes this one along."""
    GIVEN_UP = "given_up"
    """Its supervisor, or one further up, exceeded its intensity."""
    ORDERED = "ordered"
    """The operator ordered a new life of it, or of one that takes it along."""
    REMOVED = "removed"
    """A dynamic child, closed on request."""


class LifeState(StrEnum):
    """How far one life of an actor has come."""

    OPENING = "opening"
    OPEN = "open"
    CLOSING = "closing"
    GONE = "gone"
    ABANDONED = "abandoned"
    """It did not stop in time; its thread may still run, its letters are no longer read."""


class RestartType(StrEnum):
    """When a child that ended is started again; the words are OTP's."""

    PERMANENT = "permanent"
    TRANSIENT = "transient"
    TEMPORARY = "temporary"


class Strategy(StrEnum):
    """Which siblings share the fate of a failed child; the words are OTP's."""

    ONE_FOR_ONE = "one_for_one"
    REST_FOR_ONE = "rest_for_one"
    ONE_FOR_ALL = "one_for_all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exited:
    """The last act of a worker: everything it held is closed.

    `child` is the path; `incarnation` counts from 1; `error` is an exception's type and place, not its text.
    """

    child: str
    incarnation: int
    ending: Ending
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeNode:
    """One actor as it stood when somebody looked; `mailbox_depth` in messages."""

    path: str
    kind: str
    state: LifeState
    restarts: int
    mailbox_depth: int
    facts: Mapping[str, Scalar]
    children: tuple[TreeNode, ...] = ()

    def every(self) -> Iterator[TreeNode]:
        """This one and all below it, from the top."""
        yield self
        for child in self.children:
            yield from child.every()


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeTree:
    """To a supervisor: say what you and everyone below you are doing."""

    reply_to: Mailbox[TreeNode]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrashChild:
    """To any supervisor above `path`: let that actor crash at its next message (a rehearsal)."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartChild:
    """To any supervisor above `path`: stop that actor in good order and start it again."""

    path: str
    reply_to: Mailbox[RestartAnswered] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestartAnswered:
    """The actor at `path` began a new life, or did not: nobody has that name, or it is never restarted.

    `ended` are the paths of those who ended with it and are never restarted.
    """

    path: str
    restarted: bool
    ended: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CloseHouse:
    """To whoever keeps the house open: close it in good order, as an interrupt would."""


@dataclass(frozen=True, slots=True)
class Poison:
    """To any worker, from its supervisor: crash now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Open(Generic[R]):
    """To a dynamic supervisor: start a child for this request."""

    request: R


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """To a dynamic supervisor: stop the child of this name; one that is not there is closed already."""

    name: str


class Refusal(StrEnum):
    """Why a dynamic supervisor did not start a child."""

    FULL = "full"
    ALREADY_OPEN = "already_open"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRefused(Generic[R]):
    """From a dynamic supervisor: the request that was not honoured, and why."""

    request: R
    refusal: Refusal
