"""Sound that is easily told apart: a tone for each person."""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Iterator

from actors.audio.opus import OpusEncoder
from actors.audio.pcm import RATE, frames


def tone(hertz: float, seconds: float, rate: int = RATE, amplitude: int = 8_000) -> bytes:
    """s16le at `rate`."""
    turn = 2 * math.pi * hertz / rate
    return array("h", (round(amplitude * math.sin(turn * n)) for n in range(round(seconds * rate)))).tobytes()


def tone_packets(count: int, *, closed: bool = True) -> Iterator[bytes]:
    """So many packets of a tone; unless it is `closed`, the encoder is left to whoever collects."""
    encoder = OpusEncoder()
    for frame in frames(tone(440, 0.02 * count)):
        yield encoder.encode(frame)
    if closed:
        encoder.close()


def pitch_of(pcm: bytes) -> float:
    """The frequency of house sound that is one tone, from how often it crosses zero."""
    samples = array("h", pcm)
    rises = sum(1 for before, after in itertools.pairwise(samples) if before < 0 <= after)
    return rises * RATE / len(samples)
