"""What the record may decide to do; the shell does it and asks no questions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from actors.evidence.files import Stream
from actors.evidence.state import State
from messages.evidence import EvidenceTick, Flushed, PrivateWords, Purged, ReceiptsKnown, Recorded
from messages.ids import PersonId, Token
from messages.mailbox import Mailbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """Hand this line to the sink; the answer may be Dropped."""

    stream: Stream
    day: date
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """Tell one watcher."""

    watcher: Mailbox[Recorded | PrivateWords]
    what: Recorded | PrivateWords


@dataclass(frozen=True, slots=True, kw_only=True)
class Sync:
    """Let the sink put on disk what it was handed so far."""

    token: Token


@dataclass(frozen=True, slots=True)
class Retry:
    """Let the sink try again."""


@dataclass(frozen=True, slots=True)
class Tidy:
    """Let the sink delete what is too old, and leave a sign of life."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Purge:
    """Let the sink take a person out of what it keeps; SinkPurged follows."""

    token: Token
    person: PersonId
    receipts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPurge:
    """Tell `done` what became of it."""

    done: Mailbox[Purged]
    purged: Purged


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: EvidenceTick


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Tell `done` that it need not wait any longer; if it `failed`, what still waits counts as lost."""

    done: Mailbox[Flushed]
    lost: int
    failed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReceipts:
    """Tell `asker` what happened last."""

    asker: Mailbox[ReceiptsKnown]
    known: ReceiptsKnown


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """Something that an operator has to know, in one line."""

    text: str


Decision: TypeAlias = (
    Append | Show | Sync | Retry | Tidy | Purge | AnswerPurge | Wake | Answer | AnswerReceipts | Log
)
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
