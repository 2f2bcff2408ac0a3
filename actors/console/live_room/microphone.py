"""What a browser records becomes what a client of Discord's would send: Opus, and nothing in silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from actors.audio.opus import OpusEncoder
from actors.audio.pcm import FRAME_BYTES, RATE, SAMPLE_BYTES
from actors.audio.resample import Resampler
from actors.console.live_room.allowance import Allowance
from actors.console.live_room.gate import Gate

FASTEST: Final = 1.5
"""So many seconds of sound a second are taken; a page that catches up needs more than one."""
AT_ONCE_SECONDS: Final = 3.0
"""So much after a pause: two seconds at the fastest."""


class Microphone:
    """One stream of mono s16le at `rate`; for one thread at a time. Raises ImportError and NoOpus."""

    def __init__(self, rate: int, opus_library: str | None = None) -> None:
        self._rate = rate
        self._resampler = None if rate == RATE else Resampler(rate, RATE)
        self._encoder = OpusEncoder(path=opus_library)
        self._allowance = Allowance(FASTEST, AT_ONCE_SECONDS)
        self._gate = Gate()
        self._waiting = b""
        self.refused_seconds = 0.0
        """How much came that was too much, and was dropped."""

    def packets(self, pcm: bytes, now: float) -> Iterator[bytes]:
        """What to send of these samples, which arrived at monotonic second `now`, and of those before."""
        seconds = len(pcm) / (SAMPLE_BYTES * self._rate)
        if not self._allowance.take(seconds, now):
            self.refused_seconds += seconds
            return
        self._waiting += pcm if self._resampler is None else self._resampler.feed(pcm)
        while len(self._waiting) >= FRAME_BYTES:
            frame, self._waiting = self._waiting[:FRAME_BYTES], self._waiting[FRAME_BYTES:]
            for one in self._gate.through(frame):
                yield self._encoder.encode(one)

    def close(self) -> None:
        """Free the encoder."""
        self._encoder.close()
