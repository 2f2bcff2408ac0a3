"""What a voice line asks its loop to do and tells it: every answer of a Link is a tuple of these."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from actors.voice.media.close_codes import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class SendText:
    """One text frame on the websocket. It may hold the token: it is not shown."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SendBinary:
    """One binary frame on the websocket."""

    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connect:
    """A new websocket to the same endpoint, now; then `connected`, or `closed(None)` if nobody answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abort:
    """Drop the websocket, open or still opening, without a goodbye; the link is told nothing more of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenUdp:
    """A UDP socket connected to the voice server."""

    ip: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SendUdp:
    """One datagram as it is (IP discovery)."""

    datagram: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Up:
    """Sound can flow (above `dave_version` 0 once the group is ready); a second one brings a new key."""

    ssrc: int
    mode: str
    secret_key: bytes = field(repr=False)
    dave_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """The websocket is back after `ms` and `tries`; ssrc, socket, keys and group are the same as before."""

    ms: int
    tries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The line is over, once and for all; a websocket that still stands has been aborted.

    `code` is the close code, None if there was none. `plan` (never RESUME) says what its owner does next;
    `reason` is a bounded code and `remedy` a sentence for the operator (close_codes.py).
    """

    code: int | None
    plan: Plan
    reason: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """That stream is that user's."""

    ssrc: int
    user: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleNow:
    """Everybody on the call whom the server has named, without himself."""

    users: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Departed:
    """One user has left the call; his streams are nobody's."""

    user: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupChanged:
    """The end-to-end encryption stands otherwise than before; `privacy_code` is empty without a group."""

    version: int
    ready: bool
    epoch: int | None
    privacy_code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTrouble:
    """A letter about the group (its opcode) was refused for a bounded reason; the link repairs it."""

    op: int
    kind: str


Act: TypeAlias = (
    SendText
    | SendBinary
    | Connect
    | Abort
    | OpenUdp
    | SendUdp
    | Up
    | Resumed
    | Lost
    | Speaker
    | PeopleNow
    | Departed
    | GroupChanged
    | GroupTrouble
)
Acts: TypeAlias = tuple[Act, ...]
