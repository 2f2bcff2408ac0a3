"""What other threads tell the screen: it waits in a box with an end until the screen looks."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from threading import Lock
from typing import Final, TypeAlias

from actors.console.report import WhyReport
from actors.console.wire_views import LogView, ReceiptView, StatusView, WordsView
from messages.console import OrderAnswer
from supervisors.terminal.ink import Row

MOST: Final = 2_000
"""At twenty things a second, and ten looks, far more than ever waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """Nothing comes from the house, and what to do about it; it is looked for again."""

    trouble: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """What became of an order; `trouble` where it could not even be given."""

    what: str
    answer: OrderAnswer | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainSaid:
    """A line about what was asked of the captain, as the `asking`-th."""

    asking: int
    row: Row


News: TypeAlias = StatusView | ReceiptView | WordsView | LogView | WhyReport | Lost | Ordered | CaptainSaid


class Box:
    """News in their order; the oldest are dropped where nobody looks, and counted."""

    def __init__(self, most: int = MOST) -> None:
        self._lock = Lock()
        self._news: deque[News] = deque(maxlen=most)
        self.dropped = 0

    def put(self, news: News) -> None:
        """From any thread."""
        with self._lock:
            self.dropped += len(self._news) == self._news.maxlen
            self._news.append(news)

    def take(self) -> tuple[News, ...]:
        """All that is there."""
        with self._lock:
            news = tuple(self._news)
            self._news.clear()
            return news
