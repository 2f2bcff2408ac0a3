"""A peer that is nothing but a TCP socket: it says certain bytes, whatever it is asked, and stays."""

from __future__ import annotations

import base64
import hashlib
import re
import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

_MAGIC: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
DEADLINE_SECONDS: Final = 15.0

CLOSE_1011: Final = b"\x88\x02\x03\xf3"
HALF_A_TEXT: Final = b"\x01\x02{}"
A_TEXT: Final = b"\x81\x02{}"
RESERVED: Final = b"\x83\x00"
NO_UTF8: Final = b"\x81\x02\xff\xfe"


class RawPeer:
    """Answers one handshake, or says `instead`; then says `after`, reads no more and keeps the connection."""

    def __init__(self, after: bytes = b"", instead: bytes | None = None) -> None:
        self._after, self._instead = after, instead
        self._door = socket.create_server(("127.0.0.1", 0))
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._stand, name="raw-peer")

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self._door.getsockname()[1]}/line"

    def __enter__(self) -> Self:
        self._door.settimeout(DEADLINE_SECONDS)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join(DEADLINE_SECONDS)

    def _stand(self) -> None:
        with self._door, suppress(OSError):
            line, _ = self._door.accept()
            with line:
                line.sendall(self._answer(line))
                self._done.wait(DEADLINE_SECONDS)

    def _answer(self, line: socket.socket) -> bytes:
        asked = b""
        while b"\r\n\r\n" not in asked:
            asked += line.recv(4096)
        if self._instead is not None:
            return self._instead
        key = re.search(rb"(?i)sec-websocket-key: *(\S+)", asked)
        assert key is not None
        accept = base64.b64encode(hashlib.sha1(key[1] + _MAGIC, usedforsecurity=False).digest())
        return (
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n" + self._after
        )
