"""Sound as it crosses rooms: 20 ms frames of 24 kHz mono, each with its time and its speaker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from messages.ids import CaptureId, PersonId

RATE = 24_000
"""Samples per second of the house's only sound format: signed 16-bit little-endian, one channel."""

FRAME_SECONDS = 0.02
FRAME_SAMPLES = 480
FRAME_BYTES = 960
SILENT_FRAME = bytes(FRAME_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """20 ms of one speaker: `pcm` is FRAME_BYTES long, `at` the monotonic second of its arrival."""

    person: PersonId
    capture: CaptureId
    pcm: bytes
    at: float


class SoundSink(Protocol):
    """The bounded end of a microphone: `put` never blocks and never raises; the oldest frame falls out."""

    def put(self, frame: Frame, /) -> None:
        """Take one frame from any thread."""
