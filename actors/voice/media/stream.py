"""One voice on the wire: its packets made sound, for as long as that stream is that person's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from actors.audio.opus import BadPacket, OpusDecoder
from actors.voice.media.group import Group
from actors.voice.media.mail import Heard
from actors.voice.media.rtp import TICKS
from actors.voice.media.window import Slot, Slots, Window
from messages.audio import FRAME_BYTES

Deliver: TypeAlias = Callable[[Heard], None]
MakeDecoder: TypeAlias = Callable[[], OpusDecoder]


@dataclass(slots=True, kw_only=True)
class Tally:
    """What became of the packets, in whole numbers that only grow."""

    transport_calls: int = 0
    """How often the transport's cipher was asked to open something."""
    decoded: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    """By bounded reasons: those of rtp.Unfit, Window.refuses, DaveTrouble, and Listening's own."""


class Stream:
    """One epoch of one stream: a window and a decoder, both fresh, from the packet `first` on."""

    def __init__(
        self, user: int, first: int, decoder: OpusDecoder, group: Group, deliver: Deliver, tally: Tally
    ) -> None:
        """Closes `decoder` when it is closed itself."""
        self.window = Window(first)
        self.decoded = 0
        self._user = user
        self._decoder = decoder
        self._group = group
        self._deliver = deliver
        self._tally = tally
        self._rest = b""

    def opened(self, frame: bytes) -> bytes:
        """A frame as Opus, or DaveTrouble."""
        return self._group.open(self._user, frame)

    def play(self, slots: Slots) -> None:
        """Decode and deliver. What is no Opus resets this decoder only."""
        for slot in slots:
            try:
                pcm = self._decoder.decode(slot.frame)
            except BadPacket:
                self._tally.dropped["opus"] += 1
                self._decoder.reset()
                continue
            if slot.frame is not None:
                self._tally.decoded += 1
                self.decoded += 1
            if len(pcm) == FRAME_BYTES and not self._rest:
                self._deliver(Heard(self._user, pcm, slot.at, slot.timestamp, slot.frame is None))
            else:
                self._cut(slot, pcm)

    def close(self) -> None:
        """Free the decoder; the stream is not used any more."""
        self._decoder.close()

    def _cut(self, slot: Slot, pcm: bytes) -> None:
        """Deliver whole frames; less than one waits for the next packet, unless a gap comes before that."""
        rest = b"" if slot.after_gap else self._rest
        sound, begins = rest + pcm, slot.timestamp - len(rest)  # a byte of ours is one tick of 48 kHz
        whole = len(sound) - len(sound) % FRAME_BYTES
        self._rest = sound[whole:]
        for at in range(0, whole, FRAME_BYTES):
            heard = Heard(
                self._user,
                sound[at : at + FRAME_BYTES],
                slot.at,
                begins + at // FRAME_BYTES * TICKS & 0xFFFFFFFF,
                slot.frame is None,
            )
            self._deliver(heard)
