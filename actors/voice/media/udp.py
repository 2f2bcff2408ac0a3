"""The socket that sound goes through: whatever it complains about, it is counted and never the end."""

from __future__ import annotations

import asyncio
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from messages.audio import FRAME_SECONDS

MOST_AT_ONCE: Final = 8
"""Datagrams read in one turn of the loop, so that a flood cannot make his own next frame late."""
A_CROWD: Final = 5
"""So many datagrams in FRAME_SECONDS are more than people send who let each other finish."""
NAP_SECONDS: Final = 0.005
"""In a crowd the socket is looked at so often: to be woken costs more than all that is done with a packet."""
LONGEST: Final = 2_048
RECEIVE_BUFFER: Final = 1 << 20


class Udp:
    """Connected to one address, so that strangers are not heard; raises OSError for an impossible one."""

    def __init__(self, ip: str, port: int, came: Callable[[Sequence[bytes]], None]) -> None:
        """`came` takes all that was there at one look, in order: at once, or after a nap in a crowd."""
        family = socket.AF_INET6 if ":" in ip else socket.AF_INET
        self._loop = asyncio.get_running_loop()
        self._came = came
        self._last: deque[float] = deque(maxlen=A_CROWD)
        self._nap: asyncio.Handle | None = None
        self._socket = socket.socket(family, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
            self._socket.connect((ip, port))
        except OSError:
            self._socket.close()
            raise
        self._loop.add_reader(self._socket, self._readable)
        self.refused = 0
        """How often the system said that a datagram found nobody, or could not leave."""

    def send(self, datagram: bytes) -> bool:
        """Whether it left. An error is often that of an earlier datagram: hence a second try."""
        for _ in range(2):
            try:
                self._socket.send(datagram)
            except BlockingIOError:
                self.refused += 1
                return False
            except OSError:
                self.refused += 1
            else:
                return True
        return False

    def close(self) -> None:
        """Let go of it; again is no harm."""
        if self._nap is not None:
            self._nap.cancel()
        if self._is_open:
            self._loop.remove_reader(self._socket)
            self._socket.close()

    @property
    def _is_open(self) -> bool:
        return self._socket.fileno() >= 0

    @property
    def _crowded(self) -> bool:
        last = self._last
        return len(last) == A_CROWD and time.monotonic() - last[0] < FRAME_SECONDS

    def _readable(self) -> None:
        self._take()
        if self._is_open and self._crowded:
            self._loop.remove_reader(self._socket)
            self._nap = self._loop.call_later(NAP_SECONDS, self._wake)

    def _wake(self) -> None:
        """After a nap: take what came meanwhile, then nap again or wait for the next datagram."""
        self._nap = None
        took = self._take()
        if not self._is_open:
            return
        if took == MOST_AT_ONCE:
            self._nap = self._loop.call_soon(self._wake)
        elif self._crowded:
            self._nap = self._loop.call_later(NAP_SECONDS, self._wake)
        else:
            self._loop.add_reader(self._socket, self._readable)

    def _take(self) -> int:
        """Pass on what is there, but not more than is good for him; how much that was."""
        datagrams: list[bytes] = []
        for _ in range(MOST_AT_ONCE):
            try:
                datagrams.append(self._socket.recv(LONGEST))
            except BlockingIOError:
                break
            except OSError:
                self.refused += 1
        if datagrams:
            self._last.extend([time.monotonic()] * len(datagrams))
            self._came(datagrams)
        return len(datagrams)
