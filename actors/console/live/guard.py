"""Whoever only stands in front of the window makes room for whoever wants to know something."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, cast

SERVER: Final = "clankie"
"""What every answer says of who gives it, so that another program is not taken for him."""
MOST_CONNECTIONS: Final = 64
"""Viewers, seats and those who wait for the captain are 28 at most; who has no key makes room for others."""
SILENT_SECONDS: Final = 5.0
"""How long a connection may ask nothing, or not finish to ask, at first and after each answer."""
LIFE_SECONDS: Final = 15.0
"""How long a connection may last, whether its peer reads what it asked for or not."""
LINGER_SECONDS: Final = 1.0
"""How long what nobody wants to read is waited for: a body, or the end of one who was sent away."""
_FULL: Final = (
    "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\n"
    f"Server: {SERVER}\r\nContent-Length: 52\r\n\r\n"
    '{"error":"too many are asking now; ask again later"}'
).encode()


class Guests:
    """Who may stay longer than others, because what he asked for takes its time, and who has shown no key."""

    def __init__(self) -> None:
        self._lines: weakref.WeakSet[asyncio.BaseTransport] = weakref.WeakSet()
        self._strangers: weakref.WeakKeyDictionary[asyncio.BaseTransport, None] = weakref.WeakKeyDictionary()

    def came(self, line: asyncio.BaseTransport) -> None:
        """Somebody new, of whom nothing is known."""
        self._strangers[line] = None

    def known(self, line: asyncio.BaseTransport | None) -> None:
        """Somebody has shown the key: from now on he makes room for nobody."""
        if line is not None:
            self._strangers.pop(line, None)

    def make_room(self) -> bool:
        """Hang up on whoever has stood here longest without the key; whether there was one."""
        for line in list(self._strangers):
            del self._strangers[line]
            if not line.is_closing():
                cast(asyncio.Transport, line).abort()
                return True
        return False

    @contextmanager
    def staying(self, line: asyncio.BaseTransport | None) -> Generator[None]:
        """Let this connection, if any, last meanwhile; after that it has as long as a new one."""
        if line is None:
            yield
            return
        self._lines.add(line)
        try:
            yield
        finally:
            self._lines.discard(line)
            asyncio.get_running_loop().call_later(LIFE_SECONDS, self.hang_up, weakref.ref(line))

    def hang_up(self, line: weakref.ref[asyncio.BaseTransport]) -> None:
        """End this connection if it is nobody's who may stay."""
        still = line()
        if still is not None and still not in self._lines:
            cast(asyncio.Transport, still).abort()


class Guard(asyncio.Protocol):
    """Stands before one connection until it is known whether there is room for it."""

    def __init__(
        self, guests: Guests, inside: Callable[[], int], admit: Callable[[], asyncio.Protocol]
    ) -> None:
        self._guests, self._inside, self._admit = guests, inside, admit

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let it in and step aside, or send it away."""
        line = cast(asyncio.Transport, transport)
        full = self._inside() >= MOST_CONNECTIONS and not self._guests.make_room()
        lasts = LINGER_SECONDS if full else LIFE_SECONDS
        asyncio.get_running_loop().call_later(lasts, self._guests.hang_up, weakref.ref(transport))
        if full:
            # To close at once, with a question unread, would take the answer back.
            line.write(_FULL)
            line.write_eof()
            return
        self._guests.came(line)
        admitted = self._admit()
        line.set_protocol(admitted)
        admitted.connection_made(line)
