"""The director's seat: everything that anybody tells him arrives in one queue, with its second."""

from __future__ import annotations

import queue
import time
from typing import TypeAlias

from messages.console import OperatorAnswered, OperatorNews, OperatorTold
from messages.evidence import PrivateWords, Recorded
from messages.gateway import JoinAnswer, Joined, JoinRefused, LeaveAnswered
from supervisors.rehearsal.moments import Moment, Sounding, Writing

Told: TypeAlias = Moment | JoinAnswer | Sounding | Writing | OperatorAnswered


class Start:
    """The second 0 of a rehearsal, in monotonic and in wall-clock time: when he is asked to come."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """It is now."""
        self.monotonic = time.monotonic()
        self.wall = time.time()

    def now(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.monotonic


class Seat:
    """A watcher's and an asker's mailbox in one: whatever is told ends up in the director's queue."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self.waiting: queue.SimpleQueue[Told] = queue.SimpleQueue()

    def tell(self, message: Recorded | PrivateWords | JoinAnswer | LeaveAnswered | OperatorNews, /) -> None:
        """Any thread; receipts keep the second at which they were recorded, and tell of every tool."""
        if isinstance(message, Joined | JoinRefused | OperatorAnswered):
            self.waiting.put(message)
        elif not isinstance(message, LeaveAnswered | OperatorTold):
            recorded = message.at - self._start.wall if isinstance(message, Recorded) else None
            at = self._start.now() if recorded is None else recorded
            self.waiting.put(Moment(at=at, what=message))
