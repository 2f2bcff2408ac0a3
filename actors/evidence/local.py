"""A thread with a pen: it alone waits for the disk, and what it cannot write waits with it."""

from __future__ import annotations

import errno
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from actors.evidence.files import Stream
from actors.evidence.local_log import Journal, OpenToOthers, prepare
from actors.evidence.port import SinkEvent
from actors.evidence.settings import EvidenceSettings
from messages.evidence import SinkFailed, SinkRestored, SinkSynced
from messages.ids import Token

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    stream: Stream
    day: date
    text: str


class LocalSink:
    """JSON lines in files of a private directory; an EvidencePort."""

    def __init__(self, settings: EvidenceSettings) -> None:
        self._directory = settings.directory.expanduser()
        self._capacity = settings.backlog_lines
        self._journals = {stream: Journal(self._directory, stream, settings) for stream in Stream}
        self._changed = threading.Condition()
        # A sync before everything else tells a directory that does not work from the very start.
        self._orders: deque[_Line | Token] = deque([Token(0)])
        self._lines = 0
        self._failing = self._closing = False
        self._may_try = True
        self._thread = threading.Thread(target=self._carry_out_orders, name="evidence-disk", daemon=True)

    def open(self, events: Callable[[SinkEvent], None]) -> None:
        """Start the thread."""
        self._events = events
        self._thread.start()

    def append(self, stream: Stream, day: date, line: str) -> bool:
        """Take a line, or refuse it if the backlog is full."""
        with self._changed:
            if self._lines >= self._capacity:
                return False
            self._orders.append(_Line(stream=stream, day=day, text=line))
            self._lines += 1
            self._changed.notify_all()
            return True

    def sync(self, token: Token) -> None:
        """Order a sync; one that directly follows another takes its place."""
        with self._changed:
            # The first in line may be in the thread's hands.
            if len(self._orders) > 1 and isinstance(self._orders[-1], int):
                self._orders.pop()
            self._orders.append(token)
            self._changed.notify_all()

    def retry(self) -> None:
        """Let the thread try once more."""
        with self._changed:
            self._may_try = True
            self._changed.notify_all()

    def waiting(self) -> int:
        """How many lines are not in a file yet."""
        with self._changed:
            return self._lines

    def close(self, deadline: float) -> int:
        """Let the thread write what waits, a failed disk getting one more chance."""
        with self._changed:
            self._closing = self._may_try = True
            self._changed.notify_all()
        if self._thread.ident is not None:
            self._thread.join(deadline)
        return self.waiting()

    # --- the thread

    def _carry_out_orders(self) -> None:
        while (order := self._next()) is not None:
            try:
                self._carry_out(order)
            except Exception as failure:
                self._has_failed(failure)
            else:
                self._has_worked(order)
        self._let_go()

    def _next(self) -> _Line | Token | None:
        """The first order, which stays in its place until it is carried out; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or (self._orders and self._may_try))
            return self._orders[0] if self._orders and self._may_try else None

    def _carry_out(self, order: _Line | Token) -> None:
        if isinstance(order, _Line):
            self._journals[order.stream].write(order.day, order.text)
            return
        prepare(self._directory)
        for journal in self._journals.values():
            journal.sync()

    def _has_failed(self, failure: Exception) -> None:
        for journal in self._journals.values():
            journal.close()
        with self._changed:
            self._failing, self._may_try = True, False
        self._events(_told(failure, self._directory))

    def _has_worked(self, order: _Line | Token) -> None:
        with self._changed:
            self._orders.popleft()
            self._lines -= isinstance(order, _Line)
            restored, self._failing = self._failing, False
        if restored:
            self._events(SinkRestored())
        if not isinstance(order, _Line):
            self._events(SinkSynced(token=order))

    def _let_go(self) -> None:
        for journal in self._journals.values():
            try:
                journal.sync()
            except OSError as failure:
                self._events(_told(failure, self._directory))
            journal.close()


def _told(failure: Exception, directory: Path) -> SinkFailed:
    """A failure in the words of an operator."""
    code = failure.errno if isinstance(failure, OSError) else None
    if isinstance(failure, OpenToOthers):
        remedy = f"others may look into {directory}; run chmod 700 on it or set [evidence] directory"
    elif code in _FULL:
        remedy = f"make room on the disk of {directory}, or set [evidence] directory"
    elif code in _FORBIDDEN:
        remedy = f"let this user write to {directory}, or set [evidence] directory"
    else:
        remedy = f"see that {directory} is a directory on a disk that works, or set [evidence] directory"
    return SinkFailed(reason=errno.errorcode.get(code or 0, type(failure).__name__), remedy=remedy)
