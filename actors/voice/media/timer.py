"""An alarm to the microsecond: a selector's own timeouts are rounded up to the millisecond."""

from __future__ import annotations

import asyncio
import ctypes
import os
import struct
from collections.abc import Callable
from typing import Final

_MONOTONIC: Final = 1
_ABSOLUTE: Final = 1
_NOT_BLOCKING: Final = os.O_NONBLOCK | os.O_CLOEXEC
_SPEC: Final = struct.Struct("@qqqq")
_NANOSECONDS: Final = 1_000_000_000


class Timer:
    """Rings once for the second last `set`; uses the loop's own timers where the system has no better one."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, ring: Callable[[], None], *, fine: bool = True
    ) -> None:
        self._loop = loop
        self._ring = ring
        self._due: float | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._libc = ctypes.PyDLL(None, use_errno=True)
        self._fd = _descriptor(self._libc) if fine else -1
        if self.fine:
            loop.add_reader(self._fd, self._rang)

    @property
    def fine(self) -> bool:
        """Whether it is the better kind."""
        return self._fd >= 0

    def set(self, due: float | None) -> None:
        """Ring at this monotonic second, at once if it is past, or with None not at all."""
        if due == self._due:
            return
        self._due = due
        if self.fine:
            # Zero would disarm it; a nanosecond is long past.
            at = 0 if due is None else max(1, round(due * _NANOSECONDS))
            spec = _SPEC.pack(0, 0, *divmod(at, _NANOSECONDS))
            self._libc.timerfd_settime(self._fd, _ABSOLUTE, spec, None)
            return
        if self._handle is not None:
            self._handle.cancel()
        self._handle = None if due is None else self._loop.call_at(due, self._rang)

    def close(self) -> None:
        """Ring no more."""
        self.set(None)
        if self.fine:
            self._loop.remove_reader(self._fd)
            os.close(self._fd)
            self._fd = -1

    def _rang(self) -> None:
        if self.fine:
            try:
                os.read(self._fd, 8)
            except BlockingIOError:
                return
        self._due = None
        self._ring()


def _descriptor(libc: ctypes.PyDLL) -> int:
    try:
        return int(libc.timerfd_create(_MONOTONIC, _NOT_BLOCKING))
    except AttributeError:
        return -1
