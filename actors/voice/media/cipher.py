"""The lock of the transport: one key, and a counter that never says the same number twice."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Final, TypeAlias

from actors.voice.media.rtp import COUNTER_BYTES, Packet

AES_GCM: Final = "aead_aes256_gcm_rtpsize"
XCHACHA: Final = "aead_xchacha20_poly1305_rtpsize"
KEY_BYTES: Final = 32

Lock: TypeAlias = Callable[[bytes, bytes, bytes], bytes]
"""From nonce, text and clear header to the other text; opening raises if anything was changed."""


class Refused(Exception):
    """A mode that this machine does not know, or a key of a wrong length."""


def usable_modes() -> tuple[str, ...]:
    """The modes that can be used on this machine, the best first: AES-GCM is five times cheaper."""
    return (AES_GCM, XCHACHA) if find_spec("nacl") else (AES_GCM,)


class Cipher:
    """One key of one mode, whose counter goes on where that of `before` stands; raises Refused.

    A key that comes back after others, or twice, thus never says a number again.
    """

    def __init__(self, mode: str, key: bytes, *, before: Cipher | None = None) -> None:
        if len(key) != KEY_BYTES:
            raise Refused(f"a key has {KEY_BYTES} bytes, not {len(key)}")
        self._lock, self._unlock, self._rest, self._errors = _locks(mode, key)
        self._counter = 0 if before is None else before.next_number

    @property
    def next_number(self) -> int:
        """The number that is said next."""
        return self._counter

    def open(self, packet: Packet, datagram: bytes) -> bytes | None:
        """What was sealed in `datagram`, whose envelope is `packet`; None if this key did not seal it."""
        header = packet.header
        try:
            return self._unlock(
                datagram[-COUNTER_BYTES:] + self._rest,
                datagram[header:-COUNTER_BYTES],
                datagram[:header],
            )
        except self._errors:
            return None

    def seal(self, header: bytes, frame: bytes) -> bytes:
        """A whole datagram; after 2**32 of them (994 days) an OverflowError, for the key is used up."""
        counter = self._counter.to_bytes(COUNTER_BYTES, "big")
        self._counter += 1
        return header + self._lock(counter + self._rest, frame, header) + counter


def _locks(mode: str, key: bytes) -> tuple[Lock, Lock, bytes, type[Exception]]:
    """How to seal, how to open, what follows the counter in a nonce, and how opening fails."""
    if mode == AES_GCM:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        aead = AESGCM(key)
        return aead.encrypt, aead.decrypt, bytes(8), InvalidTag
    if mode == XCHACHA and mode in usable_modes():
        return _xchacha(key)
    raise Refused(f"{mode} is no mode that can be used here")


def _xchacha(key: bytes) -> tuple[Lock, Lock, bytes, type[Exception]]:
    from nacl.bindings import (
        crypto_aead_xchacha20poly1305_ietf_decrypt,
        crypto_aead_xchacha20poly1305_ietf_encrypt,
    )
    from nacl.exceptions import CryptoError

    def lock(nonce: bytes, frame: bytes, header: bytes) -> bytes:
        return crypto_aead_xchacha20poly1305_ietf_encrypt(frame, header, nonce, key)

    def unlock(nonce: bytes, sealed: bytes, header: bytes) -> bytes:
        return crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, header, nonce, key)

    return lock, unlock, bytes(20), CryptoError
