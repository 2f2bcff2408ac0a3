"""What the record needs of a disk: to take a line at once, and to be honest later."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Protocol, TypeAlias

from actors.evidence.files import Stream
from messages.evidence import SinkFailed, SinkPurged, SinkRestored, SinkSynced
from messages.ids import PersonId, Token

SinkEvent: TypeAlias = SinkFailed | SinkRestored | SinkSynced | SinkPurged


class EvidencePort(Protocol):
    """Where lines are kept, for one life of one actor. Nothing raises; only `close` may take time."""

    def open(self, events: Callable[[SinkEvent], None]) -> None:
        """Begin; a disk that does not work is told to `events` and is no reason not to begin."""
        ...

    def append(self, stream: Stream, day: date, line: str) -> bool:
        """Take a line without its end, of a day in UTC; false, and it is lost, if too many wait already."""
        ...

    def sync(self, token: Token) -> None:
        """Put all that was taken on disk, then tell SinkSynced."""
        ...

    def tidy(self, today: date) -> None:
        """Delete what is too old on this day, and leave a sign of life."""
        ...

    def purge(self, token: Token, person: PersonId, *, receipts: bool) -> None:
        """Take a person out of all that was taken before, then tell SinkPurged; `receipts` keep an alias."""
        ...

    def retry(self) -> None:
        """After SinkFailed nothing is tried until this; SinkRestored or another SinkFailed follows."""
        ...

    def waiting(self) -> int:
        """How many lines were taken and are not in a file yet."""
        ...

    def close(self, deadline: float) -> int:
        """Write and sync what waits within `deadline` seconds, let go, and return how many lines are left."""
        ...
