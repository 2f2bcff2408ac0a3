"""Real speech at the rate of his voice, the very same bytes in Python and in C."""

from __future__ import annotations

import wave
from array import array
from pathlib import Path
from typing import Final

from actors.audio.opus import NoOpus, load_opus
from messages.audio import FRAME_BYTES
from tests.speech.clips import AUSTEN, FOLDER

FILES: Final = tuple(FOLDER / "human" / f"{AUSTEN}{number}.wav" for number in ("0870", "0890"))
"""More than 8 s by one reader, 16 kHz mono."""


def opus() -> str:
    """The libopus that he uses, for C to use it, too; a name that is not found where there is none."""
    try:
        return str(load_opus()._name)
    except NoOpus:
        return "libopus.so.0"


def frames(seconds: float, files: tuple[Path, ...] = FILES) -> list[bytes]:
    """Return so much of it as frames of 20 ms, from its beginning."""
    sound = b"".join(map(_read, files))
    whole = min(len(sound) // FRAME_BYTES, round(seconds * 50))
    return [sound[at * FRAME_BYTES : (at + 1) * FRAME_BYTES] for at in range(whole)]


def _read(file: Path) -> bytes:
    with wave.open(str(file), "rb") as recording:
        return faster(array("h", recording.readframes(recording.getnframes())))


def faster(sound: array[int]) -> bytes:
    """Return 16 kHz as 24 kHz, in a straight line from sample to sample."""
    made = array("h")
    for at in range(0, len(sound) - 2, 2):
        first, second, third = sound[at : at + 3]
        made.extend((first, (first + 2 * second) // 3, (2 * second + third) // 3))
    return made.tobytes()
