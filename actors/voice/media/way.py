"""His sound's way to one voice server: locked for the people, locked for the road, on time or not at all."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final

from actors.voice.media.acts import Up
from actors.voice.media.cipher import Cipher
from actors.voice.media.group import SILENCE, DaveTrouble, Group
from actors.voice.media.rtp import Outgoing
from actors.voice.media.udp import Udp

KEEP_ALIVE_SECONDS: Final = 5.0
"""The way back through somebody's router stays open when so often something goes out."""


class Way:
    """One line's socket for sound, once it is opened, with its locks, once the line is up."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._udp: Udp | None = None
        self._outgoing: Outgoing | None = None
        self._alive_at = 0.0
        self._beats = 0
        self.cipher: Cipher | None = None
        """The lock of the road."""

    def open(self, ip: str, port: int, came: Callable[[Sequence[bytes]], None]) -> None:
        """Begin to receive; raises OSError."""
        self.close()
        self._udp = Udp(ip, port, came)

    def lock(self, up: Up) -> None:
        """From now on this key counts; raises cipher.Refused."""
        self.cipher = Cipher(up.mode, up.secret_key, before=self.cipher)
        if self._outgoing is None or self._outgoing.ssrc != up.ssrc:
            self._outgoing = Outgoing(up.ssrc, secrets.randbits)

    def send(self, frame: bytes, slots: int) -> bool:
        """Lock and send one Opus frame, `slots` slots after the last try; false if it did not leave."""
        if self._outgoing is None or self.cipher is None or self._udp is None:
            return False
        self._outgoing.skip(slots - 1)
        # The slot is over, whether or not its packet leaves.
        header = self._outgoing.next()
        try:
            sealed = frame if frame is SILENCE else self._group.seal(frame)
        except DaveTrouble:
            return False
        self._alive_at = time.monotonic()
        return self._udp.send(self.cipher.seal(header, sealed))

    def send_plain(self, datagram: bytes) -> None:
        """Send a datagram that is no sound, as it is."""
        if self._udp is not None:
            self._udp.send(datagram)

    def keep_alive(self, now: float) -> None:
        """Let something small out if nothing else went for so long."""
        if self._outgoing is not None and now - self._alive_at >= KEEP_ALIVE_SECONDS:
            self._alive_at = now
            self._beats += 1
            self.send_plain(self._beats.to_bytes(8, "little"))

    def close(self) -> None:
        """Let go of the socket."""
        if self._udp is not None:
            self._udp.close()
