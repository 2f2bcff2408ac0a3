"""The hand that knocks at the window: one question, one answer, three seconds."""

from __future__ import annotations

import io
import socket
import time
from http.client import HTTPException, HTTPResponse
from typing import cast

from actors.console.report import StatusReport
from actors.console.settings import HOST
from actors.console.wire import parse

DEADLINE_SECONDS = 3.0
MAX_BYTES = 8 * 2**20


class ClientError(Exception):
    """The status is not known; `remedy` says what to do about it."""

    def __init__(self, text: str, remedy: str) -> None:
        super().__init__(f"{text}; {remedy}")
        self.remedy = remedy


class NotRunning(ClientError):
    """Nobody listens there."""


class NoAnswer(ClientError):
    """Somebody listens there, and says nothing in time."""


class NotClankie(ClientError):
    """Whoever listens there says something else."""


def fetch_status(port: int, deadline: float = DEADLINE_SECONDS) -> StatusReport:
    """Ask the house on this machine how things are; raises a ClientError after `deadline` seconds at most."""
    try:
        raw = _exchange(port, time.monotonic() + deadline)
    except TimeoutError:
        raise NoAnswer(
            f"no answer on {HOST}:{port} within {deadline} s", "look into its log, or stop it and start again"
        ) from None
    except OSError:
        raise NotRunning(
            f"clankie is not running, or not on {HOST}:{port}",
            "start it with 'clankie run', or name its port",
        ) from None
    return _read(raw, port)


def _exchange(port: int, until: float) -> bytes:
    """Everything that is said in answer to one request, up to MAX_BYTES."""
    raw = bytearray()
    with socket.create_connection((HOST, port), timeout=max(0.001, until - time.monotonic())) as line:
        line.sendall(f"GET /status HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n\r\n".encode())
        while len(raw) < MAX_BYTES:
            line.settimeout(max(0.001, until - time.monotonic()))
            piece = line.recv(65536)
            if not piece:
                break
            raw += piece
    return bytes(raw)


def _read(raw: bytes, port: int) -> StatusReport:
    remedy = "another program listens there: stop it, or name clankie's port"
    response = HTTPResponse(cast("socket.socket", _Said(raw)))
    try:
        response.begin()
        body = response.read()
    except (HTTPException, ValueError):
        raise NotClankie(f"no HTTP on {HOST}:{port}", remedy) from None
    if response.status == 503:
        raise NoAnswer(f"the console on {HOST}:{port} is stuck", "look into its log, or restart it")
    report = parse(body) if response.status == 200 else None
    if report is None:
        raise NotClankie(f"no status of clankie on {HOST}:{port}", remedy)
    return report


class _Said:
    """What was received, as the socket that HTTPResponse wants to read from."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._raw)
