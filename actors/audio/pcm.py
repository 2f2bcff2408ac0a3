"""In this house sound has one shape: 24 kHz, one channel, 16-bit little-endian, cut into 20 ms frames."""

from __future__ import annotations

import functools
import math
import operator
import os
import stat
import wave
from array import array
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from messages.audio import FRAME_BYTES, FRAME_SAMPLES, FRAME_SECONDS, RATE, SILENT_FRAME

__all__ = [
    "FRAME_BYTES",
    "FRAME_SAMPLES",
    "FRAME_SECONDS",
    "RATE",
    "SAMPLE_BYTES",
    "SILENCE",
    "UnreadableSound",
    "frames",
    "peak_dbfs",
    "ramp",
    "read_wav",
    "rms_dbfs",
    "samples",
    "seconds",
    "wav_seconds",
    "write_wav",
]

SAMPLE_BYTES: Final = 2
SILENCE: Final = SILENT_FRAME
"""One frame in which nothing sounds."""
FULL_SCALE: Final = 32_768
FLOOR_DBFS: Final = -120.0
"""What a level reads when there is nothing to measure; 16 bits reach down to about -90."""


LONGEST_SECONDS: Final = 600.0
LARGEST_BYTES: Final = 100_000_000
RATES: Final = range(4_000, 192_001)
"""What is read of a sound file: minutes, not hours, at a rate that people record with."""


class UnreadableSound(Exception):
    """A sound file that cannot become house sound; `why` is a clause to print after the path."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = Path(path)
        self.why = why


def samples(pcm: bytes) -> array[int]:
    """The samples of s16le bytes, as a copy; an odd byte at the end is a ValueError."""
    return array("h", pcm)


def seconds(pcm: bytes) -> float:
    """How long these bytes of house sound last."""
    return len(pcm) / (RATE * SAMPLE_BYTES)


def rms_dbfs(pcm: bytes) -> float:
    """Loudness of s16le bytes in dB of full scale: 0.0 for the loudest square wave, at least FLOOR_DBFS."""
    sequence = samples(pcm)
    if not sequence:
        return FLOOR_DBFS
    return _dbfs(math.sqrt(sum(map(operator.mul, sequence, sequence)) / len(sequence)))


def peak_dbfs(pcm: bytes) -> float:
    """Highest sample of s16le bytes in dB of full scale, never below FLOOR_DBFS."""
    sequence = samples(pcm)
    return _dbfs(max(map(abs, sequence))) if sequence else FLOOR_DBFS


def _dbfs(amplitude: float) -> float:
    return max(FLOOR_DBFS, 20 * math.log10(amplitude / FULL_SCALE)) if amplitude > 0 else FLOOR_DBFS


def ramp(pcm: bytes, start: float, end: float) -> bytes:
    """The same sound with a gain that moves in a straight line from `start` to `end` (1.0 = unchanged).

    Samples that would leave the 16-bit range stay at its edge. Equal ends of 1.0 return the argument itself.
    """
    if start == end == 1.0:
        return pcm
    sequence = samples(pcm)
    louder: Iterator[int] = map(int, map(operator.mul, sequence, _line(start, end, len(sequence))))
    if max(start, end) > 1.0:
        louder = (max(-FULL_SCALE, min(FULL_SCALE - 1, value)) for value in louder)
    return array("h", louder).tobytes()


@functools.lru_cache(maxsize=64)
def _line(start: float, end: float, count: int) -> tuple[float, ...]:
    step = (end - start) / max(1, count - 1)
    return tuple(start + step * i for i in range(count))


def frames(pcm: bytes) -> Iterator[bytes]:
    """House sound cut into frames of FRAME_BYTES; the last one is filled up with silence."""
    for at in range(0, len(pcm), FRAME_BYTES):
        yield pcm[at : at + FRAME_BYTES].ljust(FRAME_BYTES, b"\0")


def read_wav(path: Path | str) -> bytes:
    """A 16-bit WAV of any rate and any number of channels (averaged) as house sound, or UnreadableSound.

    Rates other than 24 kHz need the soxr package.
    """
    with _opened(path) as sound:
        channels, rate = sound.getnchannels(), sound.getframerate()
        pcm = sound.readframes(sound.getnframes())
    mono = _mixed_down(pcm[: len(pcm) - len(pcm) % (SAMPLE_BYTES * channels)], channels)
    return mono if rate == RATE else _at_house_rate(path, mono, rate)


def wav_seconds(path: Path | str) -> float:
    """How long a WAV claims to be that `read_wav` can read, from its header alone, or UnreadableSound."""
    with _opened(path) as sound:
        return sound.getnframes() / sound.getframerate()


@contextmanager
def _opened(path: Path | str) -> Generator[wave.Wave_read]:
    """The file, if it is one that may be read whole; nothing but its header has been read then."""
    try:
        _is_modest(path, Path(path).stat())
        with wave.open(str(path), "rb") as sound:
            _is_known(path, sound)
            yield sound
    except FileNotFoundError as error:
        raise UnreadableSound(path, "there is no such file") from error
    except EOFError as error:
        raise UnreadableSound(path, "not a readable WAV (it ends too early)") from error
    except RuntimeError as error:  # so the library says that a part is longer than the file
        raise UnreadableSound(path, "not a readable WAV (a part of it is cut off)") from error
    except (OSError, ValueError, wave.Error) as error:
        raise UnreadableSound(path, f"not a readable WAV ({error})") from error


def _is_modest(path: Path | str, facts: os.stat_result) -> None:
    if not stat.S_ISREG(facts.st_mode):
        raise UnreadableSound(path, "not a file of sound but a folder, a pipe or a device")
    if facts.st_size > LARGEST_BYTES:
        larger, most = facts.st_size / 1e6, LARGEST_BYTES / 1e6
        raise UnreadableSound(path, f"has {larger:.0f} MB, and at most {most:.0f} MB are read; shorten it")


def _is_known(path: Path | str, sound: wave.Wave_read) -> None:
    width, rate, count = sound.getsampwidth(), sound.getframerate(), sound.getnframes()
    if width != SAMPLE_BYTES:
        raise UnreadableSound(path, f"has {8 * width} bits a sample; 16 are needed")
    if rate not in RATES:
        raise UnreadableSound(path, f"is at {rate} Hz; {RATES[0]} to {RATES[-1]} Hz can be read")
    if not count:
        raise UnreadableSound(path, "has no sound in it")
    if count / rate > LONGEST_SECONDS:
        why = f"lasts {count / rate:.0f} s, and at most {LONGEST_SECONDS:.0f} s are read; shorten it"
        raise UnreadableSound(path, why)


def _mixed_down(pcm: bytes, channels: int) -> bytes:
    if channels == 1:
        return pcm
    sequence = samples(pcm)
    voices = [sequence[channel::channels] for channel in range(channels)]
    return array("h", (sum(moment) // channels for moment in zip(*voices, strict=True))).tobytes()


def _at_house_rate(path: Path | str, pcm: bytes, rate: int) -> bytes:
    from actors.audio.resample import Resampler

    try:
        resampler = Resampler(rate, RATE)
    except ImportError as error:
        why = f"is at {rate} Hz, and without the soxr package only {RATE} Hz can be read"
        raise UnreadableSound(path, why) from error
    return resampler.feed(pcm) + resampler.flush()


def write_wav(path: Path | str, pcm: bytes) -> None:
    """Write house sound as a WAV file."""
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(SAMPLE_BYTES)
        sound.setframerate(RATE)
        sound.writeframes(pcm)
