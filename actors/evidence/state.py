"""What the record knows of itself, and of what it has written only the last of each stay."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from actors.evidence.recent import Recent
from messages.evidence import Flushed, Purged, Watch
from messages.ids import PersonId, Token
from messages.mailbox import Mailbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Somebody who asked for a flush, until when, and for which sync."""

    done: Mailbox[Flushed]
    token: Token
    until: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Purging:
    """A person who is being taken out of what is kept, and who wants to know of it, if anybody does."""

    token: Token
    person: PersonId
    done: Mailbox[Purged] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All that the record knows of itself; times are monotonic seconds."""

    sync_s: float
    retry_s: float
    flush_s: float
    token: Token
    """Of the last sync that was ordered."""
    recorded: int = 0
    lost: int = 0
    failing: str | None = None
    """Why nothing can be written at the moment."""
    behind: bool = False
    """A line was dropped since the last sync, and that was said."""
    sync_at: float | None = None
    retry_at: float | None = None
    tidy_at: float = -inf
    waiting: tuple[Waiting, ...] = ()
    purges: tuple[Purging, ...] = ()
    watchers: tuple[Watch, ...] = ()
    recent: tuple[Recent, ...] = ()
