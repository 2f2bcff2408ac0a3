"""Who he is, how much he remembers, and how long he may think."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

PERSONA = (
    "You are Clankie, one voice among others in a voice channel: friendly, dry and brief, with a mind of "
    "your own, and never in a hurry to fill a silence."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RealtimeSettings:
    """The `[realtime]` table; times in seconds."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    provider: Literal["rules", "openai", "chat"] = "rules"
    """Who thinks: a page of rules, OpenAI's Realtime, or any server that speaks OpenAI's chat completions."""
    model: str | None = None
    """The model's name; without one "openai" takes gpt-realtime-2.1, and "chat" needs one."""
    base_url: str | None = None
    """Where the server of "chat" is, as in "http://127.0.0.1:11434/v1"."""
    key_file: Path | None = None
    """A file of mode 600 with the key for it, if it wants one; CLANKIE_CHAT_API_KEY will do as well."""
    reasoning_effort: Literal["", "minimal", "low", "medium", "high", "xhigh"] = "low"
    """How long OpenAI's model thinks first; "" leaves it to the model."""
    max_output_tokens: int = 600
    """Longest answer, in the model's tokens."""
    context_tokens: int = 12_000
    """How much of a long conversation the model reads again for each answer, which is what costs."""
    persona: str = PERSONA
    """Who he is; how the room works is told to the model anyway."""
    ring_lines: int = 30
    """Most lines that are remembered."""
    ring_bytes: int = 4_000
    """Most bytes of UTF-8 in all remembered lines."""
    response_seconds: float = 20.0
    """A response that has made no progress for so long has failed."""
    hold_seconds: float = 300.0
    """How long an unused conversation is held open."""
    session_seconds: float = 3_600.0
    """The provider's limit for one conversation."""
    renew_seconds: float = 300.0
    """How long before that limit a conversation is renewed."""
    retry_seconds: float = 1.0
    """First pause after a lost conversation; it doubles."""
    retry_longest_seconds: float = 30.0
    """Longest pause after a lost conversation."""
    original_characters: int = 2_000
    """Most characters of a request, and of the lines that asked for it, that go with a hand-off."""
    recent_lines: int = 8
    """Most recent lines that go with a hand-off."""
    observations: int = 20
    """Most observations of the room that go with a hand-off."""
    observation_characters: int = 4_000
    """Most characters of them."""
    observation_seconds: float = 600.0
    """Older ones do not go along."""
    result_tries: int = 2
    """How often a result is tried to be said before it is written instead."""

    def __post_init__(self) -> None:
        """Raise ValueError, with a remedy, for numbers that cannot work."""
        if not self.persona.strip():
            raise ValueError("persona must be a text, got an empty one; leave it out for the default")
        for key in ("ring_lines", "ring_bytes", "response_seconds", "hold_seconds", "retry_seconds"):
            if getattr(self, key) <= 0:
                raise ValueError(f"{key} must be above 0, got {getattr(self, key)}; leave it out")
        if self.max_output_tokens < 16 or self.context_tokens < 1_000:
            raise ValueError(
                "max_output_tokens must be at least 16 and context_tokens at least 1000, got "
                f"{self.max_output_tokens} and {self.context_tokens}; 600 and 12000 are known to work"
            )
        if self.renew_seconds >= self.session_seconds:
            raise ValueError(
                f"renew_seconds must be below session_seconds, got {self.renew_seconds}; 300 suits 3600"
            )
        if self.result_tries < 1:
            raise ValueError(f"result_tries must be at least 1, got {self.result_tries}; 2 is known to work")
