"""The socket that sound goes through: whatever it complains about, it is counted and never the end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from typing import Final

MOST_AT_ONCE: Final = 8
"""Datagrams read in one turn of the loop, so that a flood cannot make his own next frame late."""
LONGEST: Final = 2_048
RECEIVE_BUFFER: Final = 1 << 20


class Udp:
    """Connected to one address, so that strangers are not heard; raises OSError for an impossible one."""

    def __init__(self, ip: str, port: int, came: Callable[[Sequence[bytes]], None]) -> None:
        """`came` takes all that was there at one look, in order."""
        family = socket.AF_INET6 if ":" in ip else socket.AF_INET
        self._loop = asyncio.get_running_loop()
        self._came = came
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
        if self._socket.fileno() >= 0:
            self._loop.remove_reader(self._socket)
            self._socket.close()

    def _readable(self) -> None:
        datagrams: list[bytes] = []
        for _ in range(MOST_AT_ONCE):
            try:
                datagrams.append(self._socket.recv(LONGEST))
            except BlockingIOError:
                break
            except OSError:
                self.refused += 1
        if datagrams:
            self._came(datagrams)
