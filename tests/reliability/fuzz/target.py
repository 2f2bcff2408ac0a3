"""One reader of the product with its usual surroundings, and what must hold whatever it reads."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_LENGTH: Final = struct.Struct(">I")
MOST_PARTS: Final = 64


class Form(StrEnum):
    """What valid inputs look like, so that hostile ones may look nearly so."""

    BYTES = "bytes"
    TEXT = "text"
    JSON = "json"
    LINES = "lines"
    """JSON, one value a line."""


class Broken(Exception):
    """A promise that a target looked after was not kept; the text says which."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Target:
    """`feed` gives one input to the reader, and raises nothing but `declared`, or Broken.

    `readers` are files of the product, whose lines lead the search. An input of a `sequence` is many
    messages, see `unpack`. Outside of the first run, no input may leave anything behind.
    """

    name: str
    of: str
    """Which kind of hostile input this is, in a word or two."""
    beside: str = ""
    """Whom it shares its time with, where that is not all that are given the same kind."""
    feed: Callable[[bytes], None]
    seeds: Callable[[], Sequence[bytes]]
    """Valid inputs, and those that were once worth a thought."""
    readers: tuple[str, ...]
    form: Form = Form.BYTES
    sequence: bool = False
    declared: tuple[type[BaseException], ...] = ()
    around: Callable[[], AbstractContextManager[object]] = nullcontext
    """What has to be there meanwhile, such as a server."""
    secrets: tuple[str, ...] = ()
    """What no error and no log may say."""
    seconds: float = 1.0
    """CPU that one input may cost."""
    few: int = 60
    """Inputs in `make test`."""
    times: int = 64
    """Bytes that may be allocated for each byte of the input, besides a constant."""


def pack(parts: Sequence[bytes]) -> bytes:
    """One input of many messages."""
    return b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def unpack(data: bytes) -> list[bytes]:
    """The messages in an input, whatever was done to it."""
    parts: list[bytes] = []
    at = 0
    while at + _LENGTH.size <= len(data) and len(parts) < MOST_PARTS:
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        parts.append(data[at : at + length])
        at += length
    return parts
