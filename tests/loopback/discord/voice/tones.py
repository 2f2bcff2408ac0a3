"""Tones to say and to recognise: what comes out of a line with the right pitch went through it whole."""

from __future__ import annotations

import math
from array import array

from actors.audio.opus import OpusEncoder
from actors.audio.pcm import RATE, frames


def tone(hertz: float, seconds: float) -> bytes:
    """House sound."""
    count = round(RATE * seconds)
    return array(
        "h", (round(9_000 * math.sin(2 * math.pi * hertz * i / RATE)) for i in range(count))
    ).tobytes()


def pitch(pcm: bytes) -> float:
    """The strongest frequency of house sound in Hz."""
    import numpy as np

    sound = np.frombuffer(pcm, dtype="<i2").astype(float)
    spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound))))
    return float(np.argmax(spectrum)) * RATE / len(sound)


def packets(hertz: float, seconds: float) -> list[bytes]:
    """The Opus packets of a tone."""
    encoder = OpusEncoder()
    try:
        return [encoder.encode(frame) for frame in frames(tone(hertz, seconds))]
    finally:
        encoder.close()
