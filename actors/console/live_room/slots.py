"""Whose sound it is says its first byte; a number that became free is not given away again at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from actors.audio.opus import BadPacket, OpusDecoder
from actors.audio.pcm import frames
from messages.ids import PersonId

HIM: Final = 0
"""Clankie's."""
LAST: Final = 255


class Slots:
    """The numbers of those who are here, and a decoder for each who speaks; for one thread at a time."""

    def __init__(self, opus_library: str | None) -> None:
        self._opus_library = opus_library
        self._slots: dict[PersonId, int] = {}
        self._decoders: dict[int, OpusDecoder] = {}
        self._latest = HIM
        self.broken = 0
        """Packets that were no Opus."""

    def keep(self, people: Iterable[PersonId]) -> None:
        """These are here now; those who are new get a number while there are any."""
        here = list(people)
        for gone in self._slots.keys() - set(here):
            self._forget(self._slots.pop(gone))
        for person in here:
            if person not in self._slots and len(self._slots) < LAST:
                self._slots[person] = self._latest = self._next()

    def of(self, person: PersonId) -> int | None:
        """The number of one who is here and has one."""
        return self._slots.get(person)

    def sounds(self, slot: int, packet: bytes) -> Iterator[bytes]:
        """The frames of sound in this packet, each with the number before it; none of one that is no Opus."""
        decoder = self._decoders.get(slot)
        if decoder is None:
            decoder = self._decoders[slot] = OpusDecoder(path=self._opus_library)
        try:
            pcm = decoder.decode(packet)
        except BadPacket:
            self.broken += 1
            return
        for frame in frames(pcm):
            yield bytes((slot,)) + frame

    def close(self) -> None:
        """Free all decoders."""
        self._slots.clear()
        for slot in list(self._decoders):
            self._forget(slot)

    def _forget(self, slot: int) -> None:
        decoder = self._decoders.pop(slot, None)
        if decoder is not None:
            decoder.close()

    def _next(self) -> int:
        taken, slot = set(self._slots.values()), self._latest
        while True:
            slot = slot % LAST + 1
            if slot not in taken:
                return slot
