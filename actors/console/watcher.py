"""An eye at the window: sees what the house shows, one view after the other, until either side goes away."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPResponse
from pathlib import Path
from threading import Lock
from typing import Final

from actors.console.knock import (
    CONNECT_SECONDS,
    ClientError,
    NoAnswer,
    as_said,
    hung_up,
    other_version,
    refused,
    reply_in,
    said_with,
    sentence_in,
    stranger,
    troubles,
)
from actors.console.settings import HOST
from actors.console.wire_views import Shown, parse_view

SILENT_SECONDS: Final = 12.0
"""Two heartbeats should have come in this time."""
LONGEST_LINE: Final = 8 * 2**20
_SAID: Final = b"data: "
_MOST_SAID: Final = 4_096


class Watcher:
    """One who watches; to iterate over it connects, and ends with a ClientError, or by `close`."""

    def __init__(self, port: int, directory: Path, *, words: bool = False, logs: bool = False) -> None:
        self._port, self._directory = port, directory
        self._path = f"/events?words={words:d}&logs={logs:d}"
        self._lock = Lock()
        self._peer: socket.socket | None = None
        self._closed = False

    def __iter__(self) -> Iterator[Shown]:
        """Connect, and yield what is shown as it comes; once for each watcher."""
        try:
            with (
                troubles(self._port, f"nothing was heard on {HOST}:{self._port} for too long"),
                socket.create_connection((HOST, self._port), timeout=CONNECT_SECONDS) as peer,
            ):
                if self._keep(peer):
                    yield from self._views(peer)
        except ClientError:
            if not self._closed:
                raise

    def close(self) -> None:
        """Stop watching; from any thread, at any time, and whoever iterates comes to an end at once."""
        with self._lock:
            self._closed = True
            if self._peer is not None:
                with suppress(OSError):
                    self._peer.shutdown(socket.SHUT_RDWR)

    def _keep(self, peer: socket.socket) -> bool:
        with self._lock:
            self._peer = None if self._closed else peer
            return not self._closed

    def _views(self, peer: socket.socket) -> Iterator[Shown]:
        peer.sendall(said_with(self._port, self._directory, f"GET {self._path}"))
        peer.settimeout(SILENT_SECONDS)
        with HTTPResponse(peer, method="GET") as response:
            response.begin()
            if response.status != 200:
                raise refused(self._port, "/events", reply_in(response, _MOST_SAID))
            if response.headers.get_content_type() != "text/event-stream":
                raise stranger(self._port)
            while line := response.readline(LONGEST_LINE):
                if line.startswith(_SAID):
                    yield self._view(line.removeprefix(_SAID))
        raise hung_up(self._port)

    def _view(self, raw: bytes) -> Shown:
        view = parse_view(raw)
        if view is not None:
            return view
        if why := sentence_in(raw):
            raise NoAnswer(*as_said(why, "watch again"))
        raise other_version(self._port, "/events")


def watch(port: int, directory: Path, *, words: bool = False, logs: bool = False) -> Watcher:
    """Watch the house on this machine with the key in `directory`: iterate over what is returned.

    Every second or so comes a status, and receipts, words and lines of the log come as they are; see
    wire_views for what each holds. Nothing is read ahead: who looks away for long is dropped by the house.
    """
    return Watcher(port, directory, words=words, logs=logs)
