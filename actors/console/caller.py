"""The hand that knocks with a key: it gives one order, and stays until the captain has answered."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Generator, Iterator
from http.client import HTTPException, HTTPResponse, IncompleteRead
from pathlib import Path
from typing import Final

from actors.console.client import ClientError, NoAnswer, NotClankie, NotRunning
from actors.console.live.key import shown_in
from actors.console.settings import HOST, key_file
from actors.console.wire import LONGEST_REQUEST, Answered, Used, Works, read_line

CONNECT_SECONDS: Final = 3.0
SILENT_SECONDS: Final = 20.0
"""Four lines that say nothing should have come in this time."""
LONGEST_LINE: Final = 2**20
_LONGEST_REFUSAL: Final = 1_000
_LIKE_A_KEY: Final = re.compile("[!-~]+")
"""Anything else would be no header, and the house would not even ask whose key that is."""


class BadRequest(ClientError):
    """Nothing that can be asked."""


class NoKey(ClientError):
    """There is no key to show, or not the right one."""


class TookTooLong(Exception):
    """No answer within the time that the caller had; by hanging up it was taken back."""


def ask(port: int, directory: Path, request: str, *, seconds: float) -> Generator[Used | Answered]:
    """Have the captain of the house on this machine do something; yields each tool he used, last his answer.

    Raises a ClientError if he cannot be asked, and TookTooLong after `seconds`. To close it before the answer
    takes the order back.
    """
    until = time.monotonic() + seconds
    body = _body(request)
    try:
        with socket.create_connection((HOST, port), timeout=CONNECT_SECONDS) as line:
            line.sendall(_head(port, _key(key_file(directory, port)), len(body)) + body)
            with HTTPResponse(line, method="POST") as response:
                yield from _answer(line, response, port, until)
    except TimeoutError:
        if time.monotonic() >= until:
            raise TookTooLong from None
        raise NoAnswer(
            f"nothing was heard on {HOST}:{port} for too long",
            "look into its log, or stop it and start again",
        ) from None
    except IncompleteRead:
        raise _hung_up(port) from None
    except (HTTPException, ValueError):
        raise _stranger(port) from None
    except ConnectionRefusedError:
        raise NotRunning(
            f"clankie is not running, or not on {HOST}:{port}",
            "start it with 'clankie run', or name its port",
        ) from None
    except OSError as error:
        raise NoAnswer(
            f"the line to {HOST}:{port} broke ({error.strerror or type(error).__name__})",
            "look into the log of the house",
        ) from None


def _body(request: str) -> bytes:
    """Whatever the terminal made of it, as what can be sent; raises BadRequest."""
    request = request.encode("utf-8", "replace").decode().strip()
    if not request:
        raise BadRequest("there is nothing to ask", 'say what he should do: clankie ask "come here"')
    if len(request) > LONGEST_REQUEST:
        raise BadRequest(f"that is more than {LONGEST_REQUEST:,} characters", "say it shorter")
    return json.dumps({"request": request}, ensure_ascii=False).encode()


def _key(path: Path) -> str:
    try:
        key = shown_in(path)
    except FileNotFoundError:
        raise NoKey(
            f"the key of the house is not at {path}",
            "name the [console] directory and the port of the house that runs, which says in its log if it "
            "could not put it there",
        ) from None
    except OSError:
        raise NoKey(f"{path} cannot be read", "ask as the user as whom the house runs") from None
    if not _LIKE_A_KEY.fullmatch(key):
        raise NoKey(f"what is in {path} is no key", "start the house again, which writes a new one")
    return key


def _head(port: int, key: str, length: int) -> bytes:
    lines = (
        "POST /ask HTTP/1.1",
        f"Host: {HOST}:{port}",
        f"Authorization: Bearer {key}",
        "Content-Type: application/json",
        f"Content-Length: {length}",
        "Connection: close",
        "",
        "",
    )
    return "\r\n".join(lines).encode()


def _answer(
    line: socket.socket, response: HTTPResponse, port: int, until: float
) -> Iterator[Used | Answered]:
    _have_patience(line, until)
    response.begin()
    if response.status != 200:
        raise _refused(response, port)
    while True:
        _have_patience(line, until)
        if not (raw := response.readline(LONGEST_LINE)):
            raise _hung_up(port)
        match read_line(raw):
            case Answered() as answer:
                yield answer
                return
            case Used() as told:
                yield told
            case Works():
                pass
            case None:
                raise _stranger(port)


def _have_patience(line: socket.socket, until: float) -> None:
    left = until - time.monotonic()
    if left <= 0:
        raise TookTooLong
    line.settimeout(min(left, SILENT_SECONDS))


def _refused(response: HTTPResponse, port: int) -> ClientError:
    match response.status:
        case 401:
            return NoKey(f"the house on {HOST}:{port} does not accept the key", "start that house again")
        case 503:
            said = response.read(_LONGEST_REFUSAL).decode("utf-8", "replace").strip()
            return NoAnswer(said if said.isprintable() else "the console is busy", "try again later")
        case _:
            return _stranger(port)


def _hung_up(port: int) -> NoAnswer:
    return NoAnswer(f"the house on {HOST}:{port} hung up", "see whether it runs, and look into its log")


def _stranger(port: int) -> NotClankie:
    return NotClankie(
        f"no clankie that takes orders on {HOST}:{port}",
        "another program listens there: stop it, or name clankie's port",
    )
