"""A packet's envelope, read from the outside: nothing here opens what is inside."""

from __future__ import annotations

import struct
from collections.abc import Callable
from enum import StrEnum
from typing import Final, NamedTuple

OPUS: Final = 120
"""The payload type of audio; everything else is somebody's camera."""
TICKS: Final = 960
"""What 20 ms are on the RTP clock, which runs at 48 kHz whatever rate the sound has."""
TAG_BYTES: Final = 16
COUNTER_BYTES: Final = 4
SHORTEST: Final = 12 + TAG_BYTES + COUNTER_BYTES
LONGEST: Final = 1500

_FIXED: Final = struct.Struct(">BBHII")
_VERSION: Final = 0x80
_PADDED: Final = 0x20
_EXTENDED: Final = 0x10
_RTCP: Final = range(192, 224)


class Unfit(StrEnum):
    """Why a datagram, or what it held, is no frame of sound."""

    SHORT = "short"
    LONG = "long"
    VERSION = "version"
    RTCP = "rtcp"
    PAYLOAD_TYPE = "payload_type"
    HEADER = "header"
    """It ends before its own header does."""
    EXTENSION = "extension"
    """The extension is longer than what was encrypted."""
    PADDING = "padding"
    """The padding is empty, or longer than what was encrypted."""
    EMPTY = "empty"
    SEALED = "sealed"
    """The key of this line did not seal it."""


class Packet(NamedTuple):
    """What the clear part of a packet says.

    The first `header` bytes are authenticated and clear, the last COUNTER_BYTES are the nonce, all between
    is sealed. `extension` counts 32-bit words at the beginning of the sealed part.
    """

    sequence: int
    timestamp: int
    ssrc: int
    header: int
    extension: int
    padded: bool
    marker: bool


def parse(datagram: bytes) -> Packet | Unfit:
    """The envelope of an audio packet, or why it is none; never raises."""
    size = len(datagram)
    if not SHORTEST <= size <= LONGEST:
        return Unfit.SHORT if size < SHORTEST else Unfit.LONG
    first, second, sequence, timestamp, ssrc = _FIXED.unpack_from(datagram)
    if first & 0xC0 != _VERSION:
        return Unfit.VERSION
    if second & 0x7F != OPUS:
        return Unfit.RTCP if second in _RTCP else Unfit.PAYLOAD_TYPE
    header, extension = 12 + 4 * (first & 0x0F), 0
    if first & _EXTENDED:
        extension = int.from_bytes(datagram[header + 2 : header + 4], "big")
        header += 4
    if header + TAG_BYTES + COUNTER_BYTES > size:
        return Unfit.HEADER
    return Packet(sequence, timestamp, ssrc, header, extension, bool(first & _PADDED), bool(second & 0x80))


def strip(packet: Packet, plaintext: bytes) -> bytes | Unfit:
    """The frame inside what was sealed: without header extension and padding, still end-to-end encrypted."""
    start, end = 4 * packet.extension, len(plaintext)
    if packet.padded:
        padding = plaintext[-1] if plaintext else 0
        if not 0 < padding <= end:
            return Unfit.PADDING
        end -= padding
    if start >= end:
        return Unfit.EXTENSION if start > end else Unfit.EMPTY
    return plaintext[start:end]


class Outgoing:
    """The headers of his own packets: the sequence steps with packets, the clock with 20 ms slots.

    Both begin anywhere: `chance(bits)` is a random number of so many bits, such as `secrets.randbits`.
    """

    def __init__(self, ssrc: int, chance: Callable[[int], int]) -> None:
        self.ssrc = ssrc
        self._sequence = chance(16)
        self._timestamp = chance(32)

    def next(self) -> bytes:
        """The header of the packet for this slot, 12 bytes; the clock then stands at the next slot."""
        header = _FIXED.pack(_VERSION, OPUS, self._sequence, self._timestamp, self.ssrc)
        self._sequence = self._sequence + 1 & 0xFFFF
        self.skip(1)
        return header

    def skip(self, slots: int) -> None:
        """So many slots passed in which nothing was sent."""
        self._timestamp = self._timestamp + TICKS * slots & 0xFFFFFFFF
