"""The hand that knocks with a key: it gives one order, and stays until the captain has answered."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Generator, Iterator
from http.client import HTTPResponse
from pathlib import Path
from typing import Final

from actors.console.knock import (
    CONNECT_SECONDS,
    BadRequest,
    NoKey,
    hung_up,
    refused,
    reply_in,
    said_with,
    stranger,
    troubles,
)
from actors.console.settings import HOST
from actors.console.wire import LONGEST_REQUEST, Answered, Used, Works, read_line

__all__ = ["BadRequest", "NoKey", "TookTooLong", "ask"]
PATH: Final = "/captain/ask"
SILENT_SECONDS: Final = 20.0
"""Four lines that say nothing should have come in this time."""
LONGEST_LINE: Final = 2**20
_LONGEST_REFUSAL: Final = 4_096


class TookTooLong(Exception):
    """No answer within the time that the caller had; by hanging up it was taken back."""


def _never() -> bool:
    return False


def ask(
    port: int, directory: Path, request: str, *, seconds: float, given_up: Callable[[], bool] = _never
) -> Generator[Used | Answered]:
    """Have the captain of the house on this machine do something; yields each tool he used, last his answer.

    Raises a ClientError if he cannot be asked, and TookTooLong after `seconds`. To close it before the answer
    takes the order back, and so does `given_up`, which is asked before each line of the house, those included
    that only say that it is there.
    """
    until = time.monotonic() + seconds
    body = _body(request)
    with troubles(port, f"nothing was heard on {HOST}:{port} for too long"):
        try:
            with socket.create_connection((HOST, port), timeout=CONNECT_SECONDS) as line:
                line.sendall(said_with(port, directory, f"POST {PATH}", body))
                with HTTPResponse(line, method="POST") as response:
                    yield from _answer(line, response, port, until, given_up)
        except TimeoutError:
            if time.monotonic() >= until:
                raise TookTooLong from None
            raise


def _body(request: str) -> dict[str, object]:
    """Whatever the terminal made of it, as what can be sent; raises BadRequest."""
    request = request.encode("utf-8", "replace").decode().strip()
    if not request:
        raise BadRequest("there is nothing to ask", 'say what he should do: clankie ask "come here"')
    if len(request) > LONGEST_REQUEST:
        raise BadRequest(f"that is more than {LONGEST_REQUEST:,} characters", "say it shorter")
    return {"request": request}


def _answer(
    line: socket.socket, response: HTTPResponse, port: int, until: float, given_up: Callable[[], bool]
) -> Iterator[Used | Answered]:
    _have_patience(line, until)
    response.begin()
    if response.status != 200:
        raise refused(port, PATH, reply_in(response, _LONGEST_REFUSAL))
    while not given_up():
        _have_patience(line, until)
        if not (raw := response.readline(LONGEST_LINE)):
            raise hung_up(port)
        match read_line(raw):
            case Answered() as answer:
                yield answer
                return
            case Used() as told:
                yield told
            case Works():
                pass
            case None:
                raise stranger(port)


def _have_patience(line: socket.socket, until: float) -> None:
    left = until - time.monotonic()
    if left <= 0:
        raise TookTooLong
    line.settimeout(min(left, SILENT_SECONDS))
