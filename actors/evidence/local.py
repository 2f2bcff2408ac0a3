"""A thread with a pen: it alone waits for the disk, and what it cannot write waits with it."""

from __future__ import annotations

import errno
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeAlias

from actors.evidence.files import Stream
from actors.evidence.local_log import Journal
from actors.evidence.local_purge import purge
from actors.evidence.local_tidy import tidied
from actors.evidence.port import SinkEvent
from actors.evidence.settings import EvidenceSettings
from actors.seclusion import OpenToOthers, own_folder
from messages.evidence import SinkFailed, SinkPurged, SinkRestored, SinkSynced
from messages.ids import PersonId, Token

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    stream: Stream
    day: date
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tidy:
    today: date


@dataclass(frozen=True, slots=True, kw_only=True)
class _Purge:
    token: Token
    person: PersonId
    receipts: bool


_Order: TypeAlias = _Line | Token | _Tidy | _Purge


class LocalSink:
    """JSON lines in files of a private directory; an EvidencePort."""

    def __init__(self, settings: EvidenceSettings) -> None:
        self._directory = settings.directory.expanduser()
        self._capacity, self._keep_days = settings.backlog_lines, settings.retention_days
        self._journals = {stream: Journal(self._directory, stream, settings) for stream in Stream}
        self._changed = threading.Condition()
        # A sync before everything else tells a directory that does not work from the very start.
        self._orders: deque[_Order] = deque([Token(0)])
        self._lines = 0
        self._failing = self._closing = self._untidy = False
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

    def tidy(self, today: date) -> None:
        """Order it, unless it is ordered already."""
        with self._changed:
            if not self._untidy:
                self._untidy = True
                self._orders.append(_Tidy(today=today))
                self._changed.notify_all()

    def purge(self, token: Token, person: PersonId, *, receipts: bool) -> None:
        """Order it, behind all that is in line."""
        with self._changed:
            self._orders.append(_Purge(token=token, person=person, receipts=receipts))
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

    def _next(self) -> _Order | None:
        """The first order, which stays in its place until it is carried out; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or (self._orders and self._may_try))
            return self._orders[0] if self._orders and self._may_try else None

    def _carry_out(self, order: _Order) -> None:
        match order:
            case _Line():
                self._journals[order.stream].write(order.day, order.text)
            case _Tidy():
                tidied(self._directory, order.today, self._keep_days)
            case _Purge():
                self._sync()
                # The next line opens the file that stands in the place of the old one.
                for journal in self._journals.values():
                    journal.close()
                done = purge(self._directory, order.person, receipts=order.receipts)
                self._events(
                    SinkPurged(
                        token=order.token, lines=done.lines, receipts=done.receipts, failed=done.failed
                    )
                )
            case _:
                self._sync()

    def _sync(self) -> None:
        own_folder(self._directory)
        for journal in self._journals.values():
            journal.sync()

    def _has_failed(self, failure: Exception) -> None:
        for journal in self._journals.values():
            journal.close()
        with self._changed:
            self._failing, self._may_try = True, False
        self._events(_told(failure, self._directory))

    def _has_worked(self, order: _Order) -> None:
        with self._changed:
            self._orders.popleft()
            self._lines -= isinstance(order, _Line)
            self._untidy &= not isinstance(order, _Tidy)
            restored, self._failing = self._failing, False
        if restored:
            self._events(SinkRestored())
        if isinstance(order, int):
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
        remedy = f"{directory} {failure.why}; {failure.remedy} or set [evidence] directory"
    elif code in _FULL:
        remedy = f"make room on the disk of {directory}, or set [evidence] directory"
    elif code in _FORBIDDEN:
        remedy = f"let this user write to {directory}, or set [evidence] directory"
    else:
        remedy = f"see that {directory} is a directory on a disk that works, or set [evidence] directory"
    return SinkFailed(reason=errno.errorcode.get(code or 0, type(failure).__name__), remedy=remedy)
