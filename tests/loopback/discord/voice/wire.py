"""The words of voice gateway v8: the numbers of the ops, numbered frames and the address discovery."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from enum import IntEnum
from typing import Final, cast


class Op(IntEnum):
    """The ops that either side knows."""

    IDENTIFY = 0
    SELECT_PROTOCOL = 1
    READY = 2
    HEARTBEAT = 3
    DESCRIPTION = 4
    SPEAKING = 5
    HEARTBEAT_ACK = 6
    RESUME = 7
    HELLO = 8
    RESUMED = 9
    CLIENTS_CONNECT = 11
    VIDEO = 12
    CLIENT_DISCONNECT = 13
    FLAGS = 18
    PLATFORM = 20
    PREPARE_TRANSITION = 21
    EXECUTE_TRANSITION = 22
    TRANSITION_READY = 23
    PREPARE_EPOCH = 24
    EXTERNAL_SENDER = 25
    KEY_PACKAGE = 26
    PROPOSALS = 27
    COMMIT_WELCOME = 28
    ANNOUNCE_COMMIT = 29
    WELCOME = 30
    INVALID_COMMIT_WELCOME = 31


UNNUMBERED: Final = frozenset({Op.READY, Op.HEARTBEAT_ACK, Op.HELLO, Op.RESUMED})
"""JSON messages of the server that carry no `seq`."""

AES: Final = "aead_aes256_gcm_rtpsize"
XCHACHA: Final = "aead_xchacha20_poly1305_rtpsize"
MODES: Final = (AES, XCHACHA)

Body = Mapping[str, object]

DISCOVERY_BYTES: Final = 74
_DISCOVERY: Final = struct.Struct(">HHI64sH")


def text(op: int, body: object, seq: int | None = None) -> str:
    """One JSON message; `seq` is left out where None."""
    numbered: dict[str, object] = {"op": int(op), "d": body}
    if seq is not None:
        numbered["seq"] = seq
    return json.dumps(numbered)


def read_text(message: str) -> tuple[int, Body, int | None] | None:
    """The op, the body (empty where it is no object) and the seq of a JSON message; None if it is none."""
    try:
        parsed: object = json.loads(message)
    except ValueError:
        return None
    if not isinstance(parsed, dict):
        return None
    found = cast("dict[str, object]", parsed)
    op, body, seq = found.get("op"), found.get("d"), found.get("seq")
    if not isinstance(op, int):
        return None
    inner = cast("Body", body) if isinstance(body, dict) else {"": body}
    return op, inner, seq if isinstance(seq, int) else None


def number(body: Body, key: str, otherwise: int = 0) -> int:
    """A whole number, or an id in decimal, of a body; `otherwise` where it is missing or something else."""
    value = body.get(key)
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return int(value) if isinstance(value, (int, float)) else otherwise


def binary(op: int, body: bytes, seq: int) -> bytes:
    """A binary frame of the server."""
    return struct.pack(">HB", seq, op) + body


def read_binary(frame: bytes) -> tuple[int, int, bytes] | None:
    """The seq, the op and the body of a binary frame of the server; None if it is too short."""
    if len(frame) < 3:
        return None
    seq, op = struct.unpack_from(">HB", frame)
    return seq, op, frame[3:]


def discovery_request(ssrc: int) -> bytes:
    """What asks the server under which address it sees us."""
    return _DISCOVERY.pack(1, 70, ssrc, b"", 0)


def discovery_reply(ssrc: int, address: str, port: int) -> bytes:
    """What the server answers."""
    return _DISCOVERY.pack(2, 70, ssrc, address.encode("ascii"), port)


def read_discovery(datagram: bytes, kind: int) -> tuple[int, str, int] | None:
    """The ssrc, address and port of a request (`kind` 1) or a reply (2); None if it is neither."""
    if len(datagram) != DISCOVERY_BYTES:
        return None
    found, length, ssrc, address, port = _DISCOVERY.unpack(datagram)
    if found != kind or length != 70:
        return None
    return ssrc, address.rstrip(b"\0").decode("ascii", "replace"), port
