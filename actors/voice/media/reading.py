"""A voice server's frames as letters: whatever is odd in them is nothing, never an error."""

from __future__ import annotations

import json
import math
from typing import Final

from actors.voice.media.letters import (
    Acknowledged,
    Came,
    Commit,
    Description,
    ExecuteTransition,
    ExternalSender,
    GroupLetter,
    Hello,
    Letter,
    PrepareEpoch,
    PrepareTransition,
    Proposals,
    Ready,
    Reunited,
    Stream,
    Welcome,
    Went,
)

_LONGEST_BEAT: Final = 5.0
_SHORTEST_BEAT: Final = 0.02
_U16: Final = 1 << 16
_U32: Final = 1 << 32
_U64: Final = 1 << 64
_USER: Final = 1 << 63
"""No id is as large: its first bits are milliseconds, and the first of them are still to come."""
_KEY: Final = 32
_SAFE: Final = 1 << 53


def read_text(text: str) -> tuple[int | None, Letter | None]:
    """The sequence number, if there is one, and the letter, if it is one that counts."""
    try:
        frame: object = json.loads(text)
    except (ValueError, RecursionError):
        return None, None
    if not isinstance(frame, dict):
        return None, None
    return _whole(frame.get("seq"), _SAFE), _letter(_whole(frame.get("op"), 256), frame.get("d"))


def read_binary(body: bytes) -> tuple[int | None, GroupLetter | None]:
    """As `read_text`: `seq u16 | opcode u8 | body`."""
    if len(body) < 3:
        return None, None
    seq, op, rest = int.from_bytes(body[:2], "big"), body[2], body[3:]
    if op == 25:
        return seq, ExternalSender(body=rest)
    if op == 27 and rest and rest[0] in (0, 1):
        return seq, Proposals(append=rest[0] == 0, body=rest[1:])
    if op in (29, 30) and len(rest) > 2:
        kind = Commit if op == 29 else Welcome
        return seq, kind(transition=int.from_bytes(rest[:2], "big"), body=rest[2:])
    return seq, None


def _letter(op: int | None, d: object) -> Letter | None:
    if op == 6:
        return Acknowledged()
    if op == 9:
        return Reunited()
    if not isinstance(d, dict):
        return None
    match op:
        case 2:
            return _ready(d)
        case 4:
            return _description(d)
        case 5:
            return _stream(d)
        case 8:
            return _hello(d.get("heartbeat_interval"))
        case 11:
            return _came(d.get("user_ids"))
        case 12:
            return _video(d)
        case 13:
            user = _user(d.get("user_id"))
            return None if user is None else Went(user=user)
        case _:
            return _group_letter(op, d)


def _group_letter(op: int | None, d: dict[str, object]) -> Letter | None:
    transition, version = _whole(d.get("transition_id"), _U16), _whole(d.get("protocol_version"), _U16)
    epoch = _whole(d.get("epoch"), _U64)
    if op == 21 and transition is not None and version is not None:
        return PrepareTransition(transition=transition, version=version)
    if op == 22 and transition is not None:
        return ExecuteTransition(transition=transition)
    if op == 24 and version is not None and epoch is not None:
        return PrepareEpoch(version=version, epoch=epoch)
    return None


def _hello(interval: object) -> Letter | None:
    if isinstance(interval, bool) or not isinstance(interval, (int, float)) or not 0 < interval < _SAFE:
        return None
    return Hello(beat=min(max(interval / 1000, _SHORTEST_BEAT), _LONGEST_BEAT))


def _ready(d: dict[str, object]) -> Letter | None:
    ssrc, port, ip, modes = (
        _whole(d.get("ssrc"), _U32),
        _whole(d.get("port"), _U16),
        d.get("ip"),
        d.get("modes"),
    )
    if ssrc is None or not port or not isinstance(ip, str) or not ip or not isinstance(modes, list):
        return None
    return Ready(ssrc=ssrc, ip=ip, port=port, modes=tuple(mode for mode in modes if isinstance(mode, str)))


def _description(d: dict[str, object]) -> Letter | None:
    mode, numbers = d.get("mode"), d.get("secret_key")
    version = _whole(d.get("dave_protocol_version", 0), _U16)
    if version is None or not isinstance(mode, str) or not isinstance(numbers, list):
        return None
    key = [byte for byte in (_whole(number, 256) for number in numbers[: _KEY + 1]) if byte is not None]
    if len(key) != _KEY:
        return None
    return Description(mode=mode, secret_key=bytes(key), dave_version=version)


def _stream(d: dict[str, object]) -> Letter | None:
    ssrc, user = _whole(d.get("ssrc"), _U32), _user(d.get("user_id"))
    return None if ssrc is None or user is None else Stream(ssrc=ssrc, user=user)


def _video(d: dict[str, object]) -> Letter | None:
    ssrc, user = _whole(d.get("audio_ssrc"), _U32), _user(d.get("user_id"))
    return Stream(ssrc=ssrc, user=user) if ssrc and user is not None else None


def _came(ids: object) -> Letter | None:
    if not isinstance(ids, list):
        return None
    return Came(users=frozenset(user for user in map(_user, ids) if user is not None))


def _user(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 20:
        return _whole(int(value), _USER)
    return _whole(value, _USER)


def _whole(value: object, below: int) -> int | None:
    """The value if it is a whole number from 0 up to but not including `below`."""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below else None
