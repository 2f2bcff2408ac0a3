"""People whose packets are sealed before they talk, so that talking costs one system call for each."""

from __future__ import annotations

import itertools
import random
import socket
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from time import monotonic
from typing import Final

from actors.audio.opus import OpusEncoder
from actors.audio.pcm import frames, read_wav
from tests.loopback.discord.participant import Participant
from tests.loopback.discord.voice import rtp
from tests.loopback.discord.voice.session import Session
from tests.speech.clips import HUMAN

CLIPS: Final = 3
SLOT_SAMPLES: Final = 960
TRAILING_SILENCE: Final = 5


@cache
def speech() -> tuple[bytes, ...]:
    """Some seconds of people reading, as Opus packets."""
    encoder = OpusEncoder()
    try:
        sound = b"".join(read_wav(clip.path) for clip in HUMAN[:CLIPS])
        return tuple(encoder.encode(frame) for frame in frames(sound))
    finally:
        encoder.close()


class Speaker:
    """One person as one listener hears him; `begin` and `end` from one thread, `send` from another."""

    def __init__(self, person: Participant, place: int) -> None:
        self.person = person
        self.departures = array("d")
        self.breathless = 0
        """How often he had nothing more to say before he was told to end."""
        words = speech()
        self._words = itertools.islice(itertools.cycle(words), place * 37 % len(words), None)
        self._frames: list[bytes] = []
        self._packets: Iterator[bytes] = iter(())
        self._address: tuple[str, int] = ("", 0)
        self._sent = 0
        self._sequence, self._timestamp = random.getrandbits(16), random.getrandbits(32)
        self._talking = False
        self._leaves: Session | None = None

    def breathe(self, slots: int) -> None:
        """Have so many frames sealed from end to end; on the thread of his client."""
        member = self.person.client.member
        for opus in itertools.islice(self._words, max(0, slots - len(self._frames))):
            sealed = member.seal(opus)
            assert sealed is not None, "he has no group to talk in"
            self._frames.append(sealed)

    def begin(self, listener: Session) -> None:
        """Be ready to say to this listener what was breathed."""
        assert listener.address, "nobody listens"
        self._address, self._talking, self._leaves, self._sent = listener.address, True, None, 0
        self._packets = iter(self._sealed(listener, self._frames))

    def end(self, listener: Session) -> None:
        """Fall silent before the next packet, as applications do: with packets that say so."""
        self._leaves = listener

    def send(self, sender: socket.socket) -> bool:
        """Send the next packet; false when there is none."""
        if self._leaves is not None:
            self._trail_off(self._leaves)
        packet = next(self._packets, None)
        if packet is None:
            self.breathless += self._talking
            return False
        if self._talking:
            self.departures.append(monotonic())
            self._sent += 1
        sender.sendto(packet, self._address)
        return True

    def _trail_off(self, listener: Session) -> None:
        self._skip(self._sent)
        self._frames, self._talking, self._leaves = self._frames[self._sent :], False, None
        self._packets = iter(self._sealed(listener, [rtp.SILENCE] * TRAILING_SILENCE))
        self._skip(TRAILING_SILENCE)

    def _skip(self, packets: int) -> None:
        self._sequence, self._timestamp = self._sequence + packets, self._timestamp + packets * SLOT_SAMPLES

    def _sealed(self, listener: Session, inner: Sequence[bytes]) -> list[bytes]:
        cipher, ssrc = listener.cipher, self.person.client.ssrc
        assert cipher, "nobody listens"
        first, listener.counter = listener.counter + 1, listener.counter + len(inner)
        packets: list[bytes] = []
        for place, frame in enumerate(inner):
            sequence, timestamp = self._sequence + place, self._timestamp + place * SLOT_SAMPLES
            packets.append(cipher.seal(rtp.header(sequence, timestamp, ssrc), frame, first + place))
        return packets
