"""Sound that waits its turn: put in at one end in any lengths, taken out at the other in whole frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from messages.audio import FRAME_BYTES, FRAME_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Pieces of 24 kHz mono sound; the first `taken` bytes of the first piece are gone."""

    pieces: tuple[bytes, ...] = ()
    taken: int = 0
    size: int = 0

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return seconds(self.size)

    def put(self, pcm: bytes) -> Waiting:
        """The same with more at the end."""
        if not pcm:
            return self
        return Waiting(pieces=(*self.pieces, pcm), taken=self.taken, size=self.size + len(pcm))

    def take(self, most_frames: int, ended: bool) -> tuple[bytes, Waiting]:
        """At most `most_frames` whole frames, and the rest; once it has `ended` the last is filled up."""
        wanted = min(most_frames * FRAME_BYTES, self.size)
        if not ended or wanted < self.size:
            wanted -= wanted % FRAME_BYTES
        got, pieces, taken = bytearray(), list(self.pieces), self.taken
        while len(got) < wanted:
            piece = pieces[0][taken : taken + wanted - len(got)]
            got += piece
            taken += len(piece)
            if taken == len(pieces[0]):
                pieces.pop(0)
                taken = 0
        left = Waiting(pieces=tuple(pieces), taken=taken, size=self.size - wanted)
        return bytes(got).ljust(-(-wanted // FRAME_BYTES) * FRAME_BYTES, b"\0"), left


NOTHING: Final = Waiting()


def seconds(size: int) -> float:
    """How long so many bytes of sound last."""
    return size / FRAME_BYTES * FRAME_SECONDS
