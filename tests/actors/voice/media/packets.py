"""Packets as a voice server makes them, with everything that a header can hold."""

import struct
from dataclasses import dataclass, replace

from actors.voice.media.cipher import AES_GCM, Cipher
from actors.voice.media.rtp import OPUS, Packet

KEY = bytes(range(32))
FIXED = struct.Struct(">BBHII")


@dataclass(frozen=True, kw_only=True)
class Envelope:
    """A header to build, with `csrc` sources and an extension of so many words (None: without one)."""

    sequence: int = 1000
    timestamp: int = 96_000
    ssrc: int = 7
    csrc: int = 0
    extension: int | None = None
    padding: int = 0
    marker: bool = False

    def header(self) -> bytes:
        first = 0x80 | bool(self.padding) << 5 | (self.extension is not None) << 4 | self.csrc
        fixed = FIXED.pack(first, OPUS | self.marker << 7, self.sequence, self.timestamp, self.ssrc)
        extended = b"" if self.extension is None else struct.pack(">HH", 0xBEDE, self.extension)
        return fixed + b"csrc" * self.csrc + extended

    def plaintext(self, frame: bytes) -> bytes:
        padding = bytes(self.padding - 1) + bytes([self.padding]) if self.padding else b""
        return b"ext!" * (self.extension or 0) + frame + padding

    def packet(self) -> Packet:
        """What has to be read of it."""
        return Packet(
            sequence=self.sequence,
            timestamp=self.timestamp,
            ssrc=self.ssrc,
            header=len(self.header()),
            extension=self.extension or 0,
            padded=bool(self.padding),
            marker=self.marker,
        )

    def after(self, packets: int, pause: int = 0) -> "Envelope":
        """The header so many packets later, `pause` slots of them in which nothing was sent."""
        return replace(
            self,
            sequence=self.sequence + packets & 0xFFFF,
            timestamp=self.timestamp + 960 * (packets + pause) & 0xFFFFFFFF,
        )


class Sender:
    """The voice server's side of a line: seals what others send."""

    def __init__(self, mode: str = AES_GCM, key: bytes = KEY) -> None:
        self.cipher = Cipher(mode, key)

    def packet(self, envelope: Envelope, frame: bytes) -> bytes:
        return self.cipher.seal(envelope.header(), envelope.plaintext(frame))
