"""Sound that does not fit into the pipe is dropped and counted; orders and news wait, in order."""

from __future__ import annotations

import ctypes
import errno
import socket
import threading
from collections import deque
from collections.abc import Callable, Generator
from typing import Final

from actors.voice.media.ipc import MOST_BYTES

SEND_BUFFER: Final = 1 << 20
"""About 2 s of eight speakers."""
MOST_AT_ONCE: Final = 64
"""Messages read in one turn of a loop."""
MOST_WAITING: Final = 4_096

# PyDLL keeps the GIL: the calls take microseconds, getting it back from a busy thread takes milliseconds.
_LIBC: Final = ctypes.PyDLL(None, use_errno=True)
_SEND: Final = _LIBC.send
_SEND.restype, _SEND.argtypes = (
    ctypes.c_ssize_t,
    (ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int),
)
_RECEIVE: Final = _LIBC.recv
_RECEIVE.restype, _RECEIVE.argtypes = (
    ctypes.c_ssize_t,
    (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int),
)
_DO_NOT_WAIT: Final = 0x40
_NO_SIGNAL: Final = 0x4000
_TELL_TRUE_LENGTH: Final = 0x20


class PipeClosed(Exception):
    """Nobody is at the other end any more."""


def socket_pair() -> tuple[socket.socket, socket.socket]:
    """Both ends of a pipe that keeps messages apart; neither is inherited unless it is passed on by name."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (near, far):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    return near, far


class Pipe:
    """One end. Any thread may send; one thread receives, and flushes when told that something waits."""

    def __init__(self, end: socket.socket, waits: Callable[[], None]) -> None:
        """`waits` is told, in the sender's thread, that a message has to wait for the pipe to empty."""
        end.setblocking(False)
        self._end = end
        self._waits = waits
        self._lock = threading.Lock()
        self._waiting: deque[bytes] = deque()
        self._buffer = ctypes.create_string_buffer(MOST_BYTES)
        self.dropped = 0
        """Messages of sound that did not fit."""
        self.cut_off = 0
        """Messages that were longer than any may be."""

    def fileno(self) -> int:
        """The descriptor, -1 once it is closed."""
        return self._end.fileno()

    def send(self, message: bytes, *, sound: bool) -> bool:
        """Send with one system call, or drop it (`sound`), or keep it for `flush`; never raises, never waits.

        False if it was dropped. What is sent to somebody who has gone vanishes: his going is seen by whoever
        receives.
        """
        with self._lock:
            if not self._waiting and self._sent(message):
                return True
            if sound or len(self._waiting) == MOST_WAITING:
                self.dropped += 1
                return False
            self._waiting.append(message)
        self._waits()
        return True

    def flush(self) -> bool:
        """Send what waited; true if nothing waits any more."""
        with self._lock:
            while self._waiting and self._sent(self._waiting[0]):
                self._waiting.popleft()
            return not self._waiting

    def receive(self) -> list[bytes]:
        """At most MOST_AT_ONCE messages, none if none came, or PipeClosed."""
        return list(self.each())

    def each(self) -> Generator[bytes]:
        """The same one by one: whoever obeys an order need not first look whether it was the last."""
        for place in range(MOST_AT_ONCE):
            length = _RECEIVE(self.fileno(), self._buffer, MOST_BYTES, _DO_NOT_WAIT | _TELL_TRUE_LENGTH)
            if length > MOST_BYTES:
                self.cut_off += 1
            elif length > 0:
                yield ctypes.string_at(self._buffer, length)
            elif (length < 0 and ctypes.get_errno() in {errno.EAGAIN, errno.EINTR}) or place:
                return
            else:
                raise PipeClosed

    def close(self) -> None:
        """Let go of this end."""
        with self._lock:
            self._waiting.clear()
            self._end.close()

    def _sent(self, message: bytes) -> bool:
        """Whether this message is off one's hands; only a full pipe says no."""
        while True:
            sent = _SEND(self._end.fileno(), message, len(message), _DO_NOT_WAIT | _NO_SIGNAL)
            if sent >= 0:
                return True
            code = ctypes.get_errno()
            if code != errno.EINTR:
                return code not in {errno.EAGAIN, errno.ENOBUFS}
