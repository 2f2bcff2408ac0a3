"""One utterance on its way out: what of it waits, how loud it is and how much was sent."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from actors.audio.pcm import FRAME_SECONDS, ramp
from messages.ids import UtteranceId


@dataclass(slots=True, kw_only=True)
class Gain:
    """Loudness on its way from one factor to another, moved frame by frame."""

    now: float = 1.0
    target: float = 1.0
    frames_left: int = 0

    def aim(self, decibels: float, seconds: float) -> None:
        """Set out for `decibels`, to be there in `seconds`."""
        self.target = 10.0 ** (decibels / 20.0)
        self.frames_left = max(1, round(seconds / FRAME_SECONDS))

    def apply(self, pcm: bytes) -> bytes:
        """One frame on the way."""
        begin = self.now
        if self.frames_left:
            self.now += (self.target - self.now) / self.frames_left
            self.frames_left -= 1
        return ramp(pcm, begin, self.now)


@dataclass(slots=True, kw_only=True)
class Track:
    """The one utterance that is being sent."""

    utterance: UtteranceId
    frames: deque[bytes] = field(default_factory=deque)
    next: bytes | None = None
    """The frame that goes out next, in its final loudness, once it is known."""
    loose: bytes = b""
    """Less than a frame, until more comes."""
    gain: Gain = field(default_factory=Gain)
    ended: bool = False
    held: bool = False
    started: bool = False
    sent: int = 0
    starving: int = 0
    """Slots in a row for which there was nothing to send."""

    def waiting(self) -> int:
        """Frames that were given and not sent."""
        return self.ready() + bool(self.loose)

    def ready(self) -> int:
        """Frames of them that are whole."""
        return len(self.frames) + (self.next is not None)

    def coming(self) -> bytes | None:
        """The frame that goes out next; from now on its loudness stays as it is."""
        if self.next is None and self.frames:
            self.next = self.gain.apply(self.frames.popleft())
        return self.next
