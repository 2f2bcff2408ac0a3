"""Whom a proposal would let into the group, read from its bytes before anybody acts on it."""

from __future__ import annotations

from typing import Final

_PUBLIC: Final = b"\x00\x01\x00\x01"
_EXTERNAL: Final = b"\x02\x00\x00\x00\x00"
_PROPOSAL: Final = b"\x02"
_ADD: Final = b"\x00\x01"
_BASIC: Final = b"\x00\x01"


class _Odd(Exception):
    """These bytes are no proposal."""


def newcomers(proposals: bytes) -> frozenset[int]:
    """The users whom the body of op 27 (append) adds; none if it cannot be read, which the group will say."""
    found: set[int] = set()
    try:
        messages = _Bytes(_Bytes(proposals).vector())
        while messages.left:
            found |= _added(messages)
    except _Odd:
        return frozenset()
    return frozenset(found)


def _added(message: _Bytes) -> set[int]:
    """Reads one message; the user whom it adds."""
    message.expect(_PUBLIC)
    message.vector()  # group id
    message.take(8)  # epoch
    message.expect(_EXTERNAL)
    message.vector()  # authenticated data
    message.expect(_PROPOSAL)
    if message.take(2) != _ADD:
        message.take(4)  # the leaf that goes
        message.vector()  # signature
        return set()
    message.take(4)  # version and suite of the key package
    for _ in range(3):  # init key, encryption key, signature key
        message.vector()
    message.expect(_BASIC)
    identity = message.vector()
    for _ in range(5):  # capabilities
        message.vector()
    message.expect(b"\x01")  # the leaf is of a key package
    message.take(16)  # life time
    for _ in range(5):  # extensions, signature, extensions, signature; signature of the message
        message.vector()
    return {int.from_bytes(identity, "big")}


class _Bytes:
    """Bytes that are read from the front."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._body) - self._at

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise _Odd
        self._at += count
        return self._body[self._at - count : self._at]

    def expect(self, wanted: bytes) -> None:
        if self.take(len(wanted)) != wanted:
            raise _Odd

    def vector(self) -> bytes:
        """Bytes behind their own length: 1, 2 or 4 bytes, as the first two bits say."""
        first = self.take(1)[0]
        width = 1 << (first >> 6)
        if width > 4:
            raise _Odd
        rest = self.take(width - 1)
        return self.take(int.from_bytes(bytes([first & 0x3F]) + rest, "big"))
