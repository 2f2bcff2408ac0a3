"""What one service was asked to do, as its provider counts it: numbers, and nobody's name."""

from __future__ import annotations

from dataclasses import dataclass, replace

from messages.evidence import Usage
from messages.ids import StayId


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """Of one model of one provider; `input_tokens` has those `cached_tokens` in it.

    `audio_ms` is sound that was written down, `characters` what was to be spoken.
    """

    provider: str
    """openai | elevenlabs | chat and responses (any server that speaks so) | local (this machine)."""
    model: str
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    audio_ms: int = 0
    characters: int = 0

    def plus(self, more: Spending) -> Spending:
        """This, and more of the same model."""
        return replace(
            self,
            input_tokens=self.input_tokens + more.input_tokens,
            cached_tokens=self.cached_tokens + more.cached_tokens,
            output_tokens=self.output_tokens + more.output_tokens,
            audio_ms=self.audio_ms + more.audio_ms,
            characters=self.characters + more.characters,
        )

    def on_record(self, stay: StayId, service: str) -> Usage:
        """The receipt of it; service: conversation | transcription | speech."""
        return Usage(
            stay_id=stay,
            service=service,
            provider=self.provider,
            model=self.model,
            input_tokens=self.input_tokens,
            cached_tokens=self.cached_tokens,
            output_tokens=self.output_tokens,
            audio_ms=self.audio_ms,
            characters=self.characters,
        )
