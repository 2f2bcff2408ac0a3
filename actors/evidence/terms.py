"""What the record may hear beside its door plate, and what it may decide to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from actors.evidence.files import Stream
from messages.evidence import (
    EvidenceTick,
    Flush,
    Flushed,
    PrivateWords,
    Recorded,
    SinkFailed,
    SinkRestored,
    SinkSynced,
    Watch,
)
from messages.ids import Token
from messages.mailbox import Mailbox

# --- events beside those of the door plate --------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A receipt in words of the wire, on a day in UTC."""

    recorded: Recorded
    day: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfit:
    """A receipt of this kind breaks the schema; `reason` names the field."""

    kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Private:
    """Words; `line` is None where they are not to be kept."""

    words: PrivateWords
    day: date
    line: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """The sink had no room for a line."""


AsItIs: TypeAlias = Watch | Flush | SinkFailed | SinkRestored | SinkSynced | EvidenceTick
Event: TypeAlias = Written | Unfit | Private | Dropped | AsItIs

# --- decisions ------------------------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """An EvidenceTick is wanted after `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Tell `done` that it need not wait any longer; if not `whole`, what still waits counts as lost."""

    done: Mailbox[Flushed]
    lost: int
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """Something that an operator has to know, in one line."""

    text: str


Decision: TypeAlias = Append | Show | Sync | Retry | Wake | Answer | Log
