"""What this ElevenLabs has to offer: voices, models and formats, and which model lives behind which door."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Dialect(StrEnum):
    """The two websocket endpoints, which have nothing in common but their purpose."""

    SPEECH = "text-to-speech"
    DIALOGUE = "text-to-dialogue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model; `voices` is how many voices one dialogue may have."""

    name: str
    dialect: Dialect
    voices: int = 1
    knows_languages: bool = True


MODELS: dict[str, Model] = {
    "eleven_flash_v2_5": Model(name="Eleven Flash v2.5", dialect=Dialect.SPEECH),
    "eleven_flash_v2": Model(name="Eleven Flash v2", dialect=Dialect.SPEECH),
    "eleven_turbo_v2_5": Model(name="Eleven Turbo v2.5", dialect=Dialect.SPEECH),
    "eleven_turbo_v2": Model(name="Eleven Turbo v2", dialect=Dialect.SPEECH),
    "eleven_multilingual_v2": Model(
        name="Eleven Multilingual v2", dialect=Dialect.SPEECH, knows_languages=False
    ),
    "eleven_v3": Model(name="Eleven v3", dialect=Dialect.DIALOGUE, voices=10),
    "eleven_v3_conversational": Model(name="Eleven v3 Conversational", dialect=Dialect.DIALOGUE),
    "eleven_v4": Model(name="Eleven v4", dialect=Dialect.DIALOGUE, voices=10),
    "eleven_v4_turbo": Model(name="Eleven v4 Turbo", dialect=Dialect.DIALOGUE),
}
DEFAULT_MODELS: Mapping[Dialect, str] = {
    Dialect.SPEECH: "eleven_multilingual_v2",
    Dialect.DIALOGUE: "eleven_v3",
}
VOICES: dict[str, str] = {
    "21m00Tcm4TlvDq8ikWAM": "Rachel",
    "EXAVITQu4vr4xnSDxMaL": "Sarah",
    "IKne3meq5aSn9XLyUdCD": "Charlie",
    "JBFqnCBsd6RMkjVDRZzb": "George",
    "TX3LPaxmHKxFdv7VOQHJ": "Liam",
    "XB0fDUnXU5powFXDhCwa": "Charlotte",
    "nPczCjzI2devNBz1zQrb": "Brian",
    "onwK4e9ZLuTAKqWW03F9": "Daniel",
    "pNInz6obpgDQGcFmaJgB": "Adam",
}
"""The ids and names of voices that everybody has."""

PCM_RATES: dict[str, int] = {
    f"pcm_{rate}": rate for rate in (8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
}
_OTHER_FORMATS = frozenset(
    ["ulaw_8000", "alaw_8000"]
    + [f"opus_48000_{rate}" for rate in (32, 64, 96, 128, 192)]
    + ["mp3_22050_32", "mp3_24000_48", *(f"mp3_44100_{rate}" for rate in (32, 64, 96, 128, 192))]
)
FORMATS = frozenset(PCM_RATES) | _OTHER_FORMATS
"""What `output_format` may say. Only PCM is spoken here."""
