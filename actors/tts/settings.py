"""How long a sentence may be, and how long its sound may take."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

_LANGUAGE: Final = re.compile("[a-z]{2,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TtsSettings:
    """The `[tts]` table; times in seconds."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    provider: Literal["local", "elevenlabs", "openai"] = "local"
    """Whose voice he has: one on this machine, or one of a provider, which gets what he says."""
    model: str | None = None
    """With "elevenlabs" or "openai", their model; without one eleven_flash_v2_5, or gpt-4o-mini-tts."""
    voice: str | None = None
    """With "elevenlabs" the id of a voice, with "openai" a name as marin; without one, a voice of theirs."""
    language: str | None = None
    """As "en": the language he speaks, for ElevenLabs but not Multilingual v2; without one the text tells."""
    speed: float = 1.0
    """Above 1 is faster; for ElevenLabs before v3, and with "openai" for models that are no gpt-…."""
    stability: float = 0.5
    """Of an ElevenLabs voice, 0 to 1: lower is livelier."""
    similarity: float = 0.75
    """Of an ElevenLabs voice before v3, 0 to 1: how close to the original it keeps."""
    instructions: str | None = None
    """How a voice of OpenAI's gpt-… models should speak, in words."""
    unit_characters: int = 200
    """A sentence longer than this is spoken in pieces."""
    unit_seconds: float = 6.0
    """A piece of which no (more) sound comes for so long has failed; tried twice, that must be below 15."""
    text_seconds: float = 5.0
    """How long a failed utterance waits for the rest of its text, so that all of it can be posted."""
    pitch: float = 1.0
    """Of the local voice: above 1 is a smaller speaker, below it a bigger one."""

    def __post_init__(self) -> None:
        _within("unit_characters", self.unit_characters, 20, 2_000, "200 is about 12 seconds of speech")
        _within("unit_seconds", self.unit_seconds, 0.5, 7.0, "6 is patient enough")
        _within("text_seconds", self.text_seconds, 0.0, 60.0, "5 is patient enough")
        _within("speed", self.speed, 0.7, 1.2, "1.0 is the voice as it is")
        _within("stability", self.stability, 0.0, 1.0, "0.5 is the provider's own")
        _within("similarity", self.similarity, 0.0, 1.0, "0.75 is the provider's own")
        if self.language is not None and not _LANGUAGE.fullmatch(self.language):
            raise ValueError(f'language must be a code as "en" or "pt", got {self.language!r}; leave it out')
        _within("pitch", self.pitch, 0.6, 1.6, "1.0 is the voice as it is")


def _within(key: str, value: float, least: float, most: float, remedy: str) -> None:
    if not least <= value <= most:
        raise ValueError(f"{key} must be between {least} and {most}, got {value}; {remedy}")
