"""RTP as it lies on the wire: what is in clear, what is sealed, and how much of that is sound."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final, Protocol

from tests.loopback.discord.voice.wire import AES, XCHACHA

AUDIO: Final = 120
SILENCE: Final = b"\xf8\xff\xfe"
"""The Opus packet that says nothing; it is never end-to-end encrypted."""
DAVE_MARK: Final = b"\xfa\xfa"
_FIXED: Final = struct.Struct(">BBHII")
_EXTENSION: Final = 0xBEDE
_COUNTER_BYTES: Final = 4
_TAG_BYTES: Final = 16
SMALLEST: Final = _FIXED.size + _TAG_BYTES + _COUNTER_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """The clear part of one datagram; `clear` is how many bytes are authenticated only."""

    sequence: int
    timestamp: int
    ssrc: int
    marker: bool
    padded: bool
    clear: int
    extension_bytes: int
    counter: int


def header(
    sequence: int,
    timestamp: int,
    ssrc: int,
    *,
    csrcs: int = 0,
    extended: int | None = None,
    padded: bool = False,
    marker: bool = False,
) -> bytes:
    """The clear bytes of an audio packet; `extended` is the length of the extension in words."""
    first = 0x80 | (0x20 if padded else 0) | (0x10 if extended is not None else 0) | csrcs
    second = AUDIO | (0x80 if marker else 0)
    clear = _FIXED.pack(first, second, sequence & 0xFFFF, timestamp & 0xFFFFFFFF, ssrc)
    clear += b"".join(struct.pack(">I", 0xC5C50000 + place) for place in range(csrcs))
    return clear if extended is None else clear + struct.pack(">HH", _EXTENSION, extended)


def parse(datagram: bytes) -> Packet | None:
    """None for whatever is no audio packet."""
    if len(datagram) < SMALLEST:
        return None
    first, second, sequence, timestamp, ssrc = _FIXED.unpack_from(datagram)
    if first >> 6 != 2 or second & 0x7F != AUDIO:
        return None
    clear, extension = _FIXED.size + 4 * (first & 0x0F), 0
    if first & 0x10:
        if len(datagram) < clear + 4 + _TAG_BYTES + _COUNTER_BYTES:
            return None
        extension = 4 * int(struct.unpack_from(">H", datagram, clear + 2)[0])
        clear += 4
    return Packet(
        sequence=sequence,
        timestamp=timestamp,
        ssrc=ssrc,
        marker=bool(second & 0x80),
        padded=bool(first & 0x20),
        clear=clear,
        extension_bytes=extension,
        counter=int.from_bytes(datagram[-_COUNTER_BYTES:], "big"),
    )


def strip(packet: Packet, plaintext: bytes) -> bytes:
    """The frame within the opened part of a packet."""
    end = len(plaintext) - (plaintext[-1] if packet.padded and plaintext else 0)
    return plaintext[packet.extension_bytes : end]


class Cipher(Protocol):
    """The transport encryption of one client under one key."""

    def seal(self, clear: bytes, plaintext: bytes, counter: int) -> bytes:
        """The whole datagram."""
        ...

    def open(self, clear: int, datagram: bytes) -> bytes | None:
        """What was sealed behind the `clear` bytes; None if it is not authentic."""
        ...


class AesCipher:
    """AES-256-GCM."""

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        self._key = AESGCM(key)

    def seal(self, clear: bytes, plaintext: bytes, counter: int) -> bytes:
        """See Cipher."""
        tail = counter.to_bytes(_COUNTER_BYTES, "big")
        return clear + self._key.encrypt(tail + bytes(8), plaintext, clear) + tail

    def open(self, clear: int, datagram: bytes) -> bytes | None:
        """See Cipher."""
        from cryptography.exceptions import InvalidTag

        nonce = datagram[-_COUNTER_BYTES:] + bytes(8)
        try:
            return self._key.decrypt(nonce, datagram[clear:-_COUNTER_BYTES], datagram[:clear])
        except InvalidTag:
            return None


class XChaChaCipher:
    """XChaCha20-Poly1305."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def seal(self, clear: bytes, plaintext: bytes, counter: int) -> bytes:
        """See Cipher."""
        from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt as encrypt

        tail = counter.to_bytes(_COUNTER_BYTES, "big")
        return clear + encrypt(plaintext, clear, tail + bytes(20), self._key) + tail

    def open(self, clear: int, datagram: bytes) -> bytes | None:
        """See Cipher."""
        from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt as decrypt
        from nacl.exceptions import CryptoError

        nonce = datagram[-_COUNTER_BYTES:] + bytes(20)
        try:
            return decrypt(datagram[clear:-_COUNTER_BYTES], datagram[:clear], nonce, self._key)
        except CryptoError:
            return None


def cipher(mode: str, key: bytes) -> Cipher:
    """The cipher of a negotiated mode; another mode is a KeyError."""
    kinds: dict[str, type[AesCipher | XChaChaCipher]] = {AES: AesCipher, XCHACHA: XChaChaCipher}
    return kinds[mode](key)
