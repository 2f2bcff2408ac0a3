"""How long a breath is, and how sure we must be that it was a word."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureSettings:
    """All numbers of one listener; seconds and probabilities."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    provider: Literal["local", "openai"] = "local"
    """Who writes down words: Whisper on this machine, or OpenAI, which gets the sound of voices."""
    model: str = "gpt-live-transcribe"
    """OpenAI's model, with "openai"."""
    keywords: tuple[str, ...] = ()
    """Words that OpenAI's model should know how to spell; his names are among them always."""
    noise_reduction: Literal["near_field", "far_field", "none"] = "near_field"
    """What OpenAI filters out first: what a headset, or what a microphone across the room, picks up."""
    commit_early: bool = True
    """Have OpenAI write down what was said so far at each pause: words come sooner, in more pieces."""
    window_seconds: float = 0.032
    """Length of the windows in which voice activity is judged."""
    begin_probability: float = 0.5
    """A window at or above this is voiced."""
    begin_seconds: float = 0.096
    """So much voice in a row begins a segment."""
    end_probability: float = 0.35
    """A window below this is silence."""
    end_seconds: float = 0.6
    """So much silence in a row ends a segment."""
    pre_roll_seconds: float = 0.3
    """Sound from before the voice that belongs to the segment."""
    packets_end_seconds: float = 0.1
    """No packet for so long, after silence, ends a segment as well."""
    packets_end_silence: float = 0.096
    """The silence that tells an end of packets from a loss of packets."""
    utterance_seconds: float = 0.35
    """Shorter segments earn no receipt of an utterance."""
    voiced_seconds: float = 0.2
    """Segments with less voice are near-silence, and never transcribed."""
    longest_seconds: float = 30.0
    """A longer segment is closed and continued in a new one."""
    held_seconds: float = 0.1
    """How much more voice is worth telling the floor about."""
    first_partial_seconds: float = 0.3
    """Age at which an open segment is first transcribed while he speaks."""
    partial_seconds: float = 0.5
    """How often an open segment is transcribed while he speaks."""
    pause_seconds: float = 0.13
    """So much silence after voice is worth a partial at once while he speaks."""
    speculate_seconds: float = 0.25
    """So much silence is worth a transcript that may turn out to be the final one."""
    final_seconds: float = 8.0
    """A final that is not back by then has failed."""
    idle_seconds: float = 120.0
    """An unused listener is closed after this, and reopened on demand."""
    retry_seconds: float = 1.0
    """First pause after a lost listener; it doubles."""
    retry_longest_seconds: float = 30.0
    """Longest pause after a lost listener."""
    short_seconds: float = 1.5
    """In a segment with less voice than this, words in a foreign script are no words."""
    languages: tuple[str, ...] = field(default=("en",))
    """Languages that are spoken here: OpenAI's model is told, and words in other scripts are doubted."""

    def __post_init__(self) -> None:
        """Raise ValueError, with a remedy, for numbers that cannot work."""
        for key in ("window_seconds", "begin_seconds", "end_seconds", "final_seconds", "partial_seconds"):
            if getattr(self, key) <= 0:
                raise ValueError(f"{key} must be above 0, got {getattr(self, key)}; leave it out")
        if not 0 < self.end_probability <= self.begin_probability < 1:
            raise ValueError(
                f"begin_probability must be between end_probability and 1, got {self.begin_probability} "
                f"and {self.end_probability}; 0.5 and 0.35 are known to work"
            )
        if self.longest_seconds <= self.end_seconds:
            raise ValueError(
                f"longest_seconds must be above end_seconds, got {self.longest_seconds}; 30 is known to work"
            )
        if not self.languages:
            raise ValueError('languages must name a language, got none; write languages = ["en"]')
