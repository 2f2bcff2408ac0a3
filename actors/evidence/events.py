"""What the record may hear, beside its door plate: receipts that were put into words of the wire."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from messages.evidence import (
    EvidenceTick,
    Flush,
    PrivateWords,
    PurgePerson,
    ReceiptsAsked,
    Recorded,
    SinkFailed,
    SinkPurged,
    SinkRestored,
    SinkSynced,
    Watch,
)


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


AsItIs: TypeAlias = (
    Watch
    | ReceiptsAsked
    | Flush
    | PurgePerson
    | SinkFailed
    | SinkRestored
    | SinkSynced
    | SinkPurged
    | EvidenceTick
)
Event: TypeAlias = Written | Unfit | Private | Dropped | AsItIs
