"""A disk that takes what the test lets it take."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from actors.evidence.files import Stream
from actors.evidence.port import SinkEvent
from messages.ids import PersonId, Token


class FakeSink:
    """An EvidencePort without a disk; `room` says how many more lines it takes."""

    def __init__(self, room: int = 1000, unwritten: int = 0) -> None:
        self.room, self.unwritten = room, unwritten
        self.lines: list[tuple[Stream, date, str]] = []
        self.orders: list[str] = []
        self.tidied: list[date] = []
        self.told: Callable[[SinkEvent], None] | None = None

    def open(self, events: Callable[[SinkEvent], None]) -> None:
        self.told = events
        self.orders.append("open")

    def append(self, stream: Stream, day: date, line: str) -> bool:
        if len(self.lines) >= self.room:
            return False
        self.lines.append((stream, day, line))
        return True

    def sync(self, token: Token) -> None:
        self.orders.append(f"sync {token}")

    def tidy(self, today: date) -> None:
        self.tidied.append(today)

    def purge(self, token: Token, person: PersonId, *, receipts: bool) -> None:
        self.orders.append(f"purge {token} {person} {'all' if receipts else 'words'}")

    def retry(self) -> None:
        self.orders.append("retry")

    def waiting(self) -> int:
        return self.unwritten

    def close(self, deadline: float) -> int:
        self.orders.append(f"close {deadline}")
        return self.unwritten
