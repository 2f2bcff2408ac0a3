"""Real speech as discord.py takes it, 48 kHz stereo: the same recordings that everybody else encodes."""

import audioop
import wave
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "speech" / "human"
NAMES = ("0870", "0890")
FRAME_BYTES = 3_840


def frames(seconds: float) -> list[bytes]:
    """Return so much of it as frames of 20 ms; making them is not what is measured."""
    sound = b""
    for name in NAMES:
        with wave.open(str(FOLDER / f"sense_and_sensibility_01_austen_64kb-{name}.wav")) as recording:
            sound += recording.readframes(recording.getnframes())
    wide = audioop.tostereo(audioop.ratecv(sound, 2, 1, 16_000, 48_000, None)[0], 2, 1, 1)
    whole = min(len(wide) // FRAME_BYTES, round(seconds * 50))
    return [wide[at * FRAME_BYTES : (at + 1) * FRAME_BYTES] for at in range(whole)]
