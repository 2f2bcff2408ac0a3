"""The hand that knocks at the window: how it shows the key, and what it means if nobody opens."""

from __future__ import annotations

import errno
import io
import json
import re
import socket
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse, IncompleteRead
from pathlib import Path
from typing import Final, cast

from actors.console.live.guard import SERVER
from actors.console.live.key import shown_in
from actors.console.settings import HOST, key_file

CONNECT_SECONDS: Final = 3.0
MAX_BYTES: Final = 8 * 2**20
_LONGEST_SENTENCE: Final = 1_000
_NO_FILE: Final = frozenset((errno.ELOOP, errno.EINVAL))
"""What it is to open a link, or a folder, where the key should be."""
_LIKE_A_KEY: Final = re.compile("[!-~]+")
"""Anything else would be no header, and the house would not even ask whose key that is."""


class ClientError(Exception):
    """Nobody answered, or not what was asked for; `remedy` says what to do about it."""

    def __init__(self, text: str, remedy: str) -> None:
        super().__init__(f"{text}; {remedy}")
        self.remedy = remedy


class NotRunning(ClientError):
    """Nobody listens there."""


class NoAnswer(ClientError):
    """Somebody listens there, and says nothing in time, or has no time now."""


class NotClankie(ClientError):
    """Whoever listens there says something else."""


class OtherVersion(ClientError):
    """It is clankie, but not this one: it does not know what it is asked, or answers in other words."""


class NoKey(ClientError):
    """There is no key to show, or not the right one."""


class BadRequest(ClientError):
    """Nothing that can be asked, or ordered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What was said at the window."""

    status: int
    body: bytes
    ours: bool
    """Whether a house said it."""

    @property
    def error(self) -> str:
        """The sentence in a refusal of ours; empty if it is none."""
        return sentence_in(self.body)


def exchange(
    port: int, directory: Path | None, line: str, body: Mapping[str, object] | None = None, *, seconds: float
) -> Reply:
    """Say one thing with the key of the house ("GET /status") and return what is said to it, whatever it is.

    The key is in `directory`; without one, none is shown.
    Raises a ClientError after `seconds` at most, except where somebody answers in HTTP.
    """
    until = time.monotonic() + seconds
    with troubles(port, f"no answer on {HOST}:{port} within {seconds:g} s"):
        with socket.create_connection((HOST, port), timeout=_left(until)) as peer:
            peer.sendall(said_with(port, directory, line, body))
            raw = _everything(peer, until)
        response = HTTPResponse(cast("socket.socket", _Said(raw)), method=line.partition(" ")[0])
        response.begin()
        return reply_in(response)


def reply_in(response: HTTPResponse, most: int | None = None) -> Reply:
    """What was said, as far as it is read; the headers have been."""
    ours = response.headers.get("Server") == SERVER
    return Reply(status=response.status, body=response.read(most), ours=ours)


@contextmanager
def troubles(port: int, nothing: str) -> Generator[None]:
    """Whatever goes wrong with a line to this port as a ClientError; `nothing` is for no answer in time."""
    try:
        yield
    except TimeoutError:
        raise NoAnswer(nothing, "look into its log, or stop it and start again") from None
    except IncompleteRead:
        raise hung_up(port) from None
    except (HTTPException, ValueError):
        raise stranger(port) from None
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


def refused(port: int, path: str, reply: Reply) -> ClientError:
    """What an answer means that is not the one that was wanted."""
    if not reply.ours:
        return stranger(port)
    match reply.status:
        case 401:
            return NoKey(f"the house on {HOST}:{port} does not accept the key", "start that house again")
        case 413 | 422 | 429 | 503 if reply.error:
            kind = NoAnswer if reply.status in {429, 503} else BadRequest
            return kind(*as_said(reply.error, "mend that and try again"))
        case _:
            return other_version(port, path)


def sentence_in(body: bytes) -> str:
    """The sentence of `{"error": …}`, if it is that and can be shown on a terminal."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    error = cast("dict[str, object]", said).get("error") if isinstance(said, dict) else None
    fits = isinstance(error, str) and error.isprintable() and len(error) <= _LONGEST_SENTENCE
    return error if isinstance(error, str) and fits else ""


def as_said(sentence: str, otherwise: str) -> tuple[str, str]:
    """A sentence of the house in two: what is wrong, and what to do about it, or that if it does not say."""
    text, _, remedy = sentence.rpartition("; ")
    return (text, remedy) if text else (sentence, otherwise)


def hung_up(port: int) -> NoAnswer:
    """Somebody went away in the middle of a sentence."""
    return NoAnswer(f"the house on {HOST}:{port} hung up", "see whether it runs, and look into its log")


def stranger(port: int) -> NotClankie:
    """Somebody else listens there."""
    return NotClankie(
        f"no clankie that takes orders on {HOST}:{port}",
        "another program listens there: stop it, or name clankie's port",
    )


def other_version(port: int, path: str) -> OtherVersion:
    """It is a house, but not of this program."""
    return OtherVersion(
        f"the house on {HOST}:{port} is of another version, and answers {path} otherwise",
        "start it again with the version that asks",
    )


def said_with(
    port: int, directory: Path | None, line: str, body: Mapping[str, object] | None = None
) -> bytes:
    """One request as it goes over the wire; raises NoKey if there is to be a key, and is none."""
    sent = b"" if body is None else body_of(body)
    heads = [f"{line} HTTP/1.1", f"Host: {HOST}:{port}", "Connection: close"]
    if directory is not None:
        heads.append(f"Authorization: Bearer {key_of(port, directory)}")
    if body is not None:
        heads += ["Content-Type: application/json", f"Content-Length: {len(sent)}"]
    return "\r\n".join([*heads, "", ""]).encode() + sent


def body_of(body: Mapping[str, object]) -> bytes:
    """A body as it goes over the wire; halves of signs are none."""
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def key_of(port: int, directory: Path) -> str:
    """The key of the house on this port; raises NoKey."""
    path = key_file(directory, port)
    try:
        key = shown_in(path)
    except FileNotFoundError:
        raise NoKey(
            f"the key of the house is not at {path}",
            "name the [console] directory and the port of the house that runs, which says in its log if it "
            "could not put it there",
        ) from None
    except OSError as error:
        if error.errno in _NO_FILE:
            raise NoKey(f"{path} is no plain file", "start the house again, which writes a new one") from None
        raise NoKey(f"{path} cannot be read", "ask as the user as whom the house runs") from None
    if not _LIKE_A_KEY.fullmatch(key):
        raise NoKey(f"what is in {path} is no key", "start the house again, which writes a new one")
    return key


def _everything(peer: socket.socket, until: float) -> bytes:
    """All that is said, up to MAX_BYTES."""
    raw = bytearray()
    while len(raw) < MAX_BYTES:
        peer.settimeout(_left(until))
        if not (piece := peer.recv(65536)):
            break
        raw += piece
    return bytes(raw)


def _left(until: float) -> float:
    return max(0.001, until - time.monotonic())


class _Said:
    """What was received, as the socket that HTTPResponse wants to read from."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._raw)
