"""Marks in sound that outlive Opus: which line somebody says and how far he is, which answer this is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from actors.audio.pcm import FRAME_SAMPLES, RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

# --- lines of people: above 8 kHz, where the ear for voices hears nothing -------------------------------
SPEECH_HERTZ: Final = 8_000
_LOWEST, _STEP = 8_400, 180
_NAMES, PARTS = 10, 8
"""Two of ten tones name a line, one of eight says which eighth of it this is."""
PAIRS: Final = tuple(combinations(range(_NAMES), 2))
"""So many lines can be told apart."""
_MARK: Final = 700.0
"""The amplitude of each of the three."""
_WINDOW: Final = 2 * FRAME_SAMPLES
_FAINTEST: Final = 60.0
"""A fainter tone is none."""

# --- his answers: a chord of four ---------------------------------------------------------------------------
_BANDS: Final = (300, 1_400, 2_500, 3_600)
NUMBERS: Final = 1_000
"""So many numbers there are; the fourth tone is a check of the other three."""
_CHORD: Final = 2_500.0
_CLEAR: Final = 0.35
"""So much of a packet's energy is in its four tones, or it tells nothing."""
_QUIET: Final = 40.0


def marked(speech: NDArray[np.float64], line: int) -> bytes:
    """House PCM of this speech, with nothing above 8 kHz but the marks of this line."""
    spectrum = np.fft.rfft(speech)
    spectrum[np.fft.rfftfreq(len(speech), 1 / RATE) > SPEECH_HERTZ] = 0
    sound = np.fft.irfft(spectrum, len(speech))
    at = np.arange(len(speech))
    part = np.minimum(PARTS - 1, at * PARTS // max(1, len(speech)))
    tones = [np.full(len(speech), tone) for tone in PAIRS[line]]
    for tone in (*tones, _NAMES + part):
        sound = sound + _MARK * np.sin(2 * np.pi * (_LOWEST + _STEP * tone) * at / RATE)
    return np.clip(sound, -32_768, 32_767).astype("<i2").tobytes()


def read_marks(pcm: bytes) -> list[tuple[int, int]]:
    """The line and the part of it in each 40 ms of house PCM that have any, in order."""
    samples = np.frombuffer(pcm[: len(pcm) // (2 * _WINDOW) * 2 * _WINDOW], "<i2").astype(np.float64)
    if not len(samples):
        return []
    powers = np.abs(np.fft.rfft(samples.reshape(-1, _WINDOW) * np.hanning(_WINDOW), axis=1)) * 4 / _WINDOW
    bins = [round((_LOWEST + _STEP * tone) * _WINDOW / RATE) for tone in range(_NAMES + PARTS)]
    found: list[tuple[int, int]] = []
    for window in powers[:, bins]:
        names, parts = window[:_NAMES], window[_NAMES:]
        third, second, first = (int(one) for one in np.argsort(names)[-3:])
        part = int(np.argmax(parts))
        if names[second] > _FAINTEST and names[second] > 2 * names[third] and parts[part] > _FAINTEST:
            pair = (min(first, second), max(first, second))
            found.append((PAIRS.index(pair), part))
    return found


def chord(number: int, samples: int) -> bytes:
    """House PCM that says this number, so long."""
    at = np.arange(samples)
    sound = sum((_CHORD * np.sin(2 * np.pi * one * at / RATE) for one in _chord(number)), np.zeros(samples))
    edge = np.minimum(1.0, np.minimum(at, samples - 1 - at) / (RATE * 0.004))
    return (sound * edge).astype("<i2").tobytes()


def read_chord(frame: bytes) -> int | None:
    """The number in 20 ms of house PCM; None where it says none clearly."""
    samples = np.frombuffer(frame, "<i2").astype(np.float64)
    powers = (np.abs(np.fft.rfft(samples * np.hanning(len(samples)))) * 4 / max(1, len(samples))) ** 2
    resolution = RATE / max(1, len(samples))
    digits: list[int] = []
    heard = 0.0
    for band in _BANDS:
        bins = [round((band + 100 * digit) / resolution) for digit in range(10)]
        digit = int(np.argmax(powers[bins]))
        digits.append(digit)
        heard += float(powers[bins[digit] - 1 : bins[digit] + 2].sum())
    if heard < _QUIET**2 or heard < _CLEAR * float(powers.sum()) or digits[3] != _check(digits):
        return None
    return digits[0] * 100 + digits[1] * 10 + digits[2]


def _chord(number: int) -> list[int]:
    digits = [number // 100 % 10, number // 10 % 10, number % 10]
    digits.append(_check(digits))
    return [band + 100 * digit for band, digit in zip(_BANDS, digits, strict=True)]


def _check(digits: Sequence[int]) -> int:
    return (digits[0] + 3 * digits[1] + 7 * digits[2] + 5) % 10
