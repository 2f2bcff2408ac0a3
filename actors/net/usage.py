"""Every provider counts tokens under other names; what it counts wrongly counts for nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from actors.net.service import is_loopback
from messages.usage import Spending

MOST: Final = 1_000_000_000
"""Nobody asks for more at once; whoever says so is wrong."""
OPENAI: Final = "openai"
LOCAL: Final = "local"
_OPENAI_HOST: Final = "api.openai.com"
_READ: Final = ("input_tokens", "prompt_tokens")
_WRITTEN: Final = ("output_tokens", "completion_tokens")
_DETAILS: Final = ("input_tokens_details", "input_token_details", "prompt_tokens_details")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """What a model read, what of it it had read before, and what it wrote."""

    read: int = 0
    cached: int = 0
    written: int = 0

    def spent(self, provider: str, model: str, audio_ms: int = 0) -> Spending:
        """As that of one model."""
        return Spending(
            provider=provider,
            model=model,
            input_tokens=self.read,
            cached_tokens=self.cached,
            output_tokens=self.written,
            audio_ms=audio_ms,
        )


def tokens_of(usage: object) -> Tokens | None:
    """What a provider's `usage` says of tokens, JSON or an object of a library; None if that is nothing."""
    read, written = _count(usage, _READ), _count(usage, _WRITTEN)
    if read is None or written is None or read + written == 0:
        return None
    details = next((one for name in _DETAILS if (one := _part(usage, name)) is not None), None)
    cached = _count(details, ("cached_tokens",)) or 0
    return Tokens(read=read, cached=min(cached, read), written=written)


def milliseconds_of(usage: object) -> int | None:
    """How long a provider's `usage` says that the sound was; None if it says nothing of that."""
    seconds = _part(usage, "seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    return round(1000 * seconds) if 0 < seconds <= MOST / 1000 else None


def whose(base_url: str, otherwise: str) -> str:
    """The provider at this address: OpenAI itself, this machine, or `otherwise`."""
    host = urlsplit(base_url).hostname or ""
    if host == _OPENAI_HOST:
        return OPENAI
    return LOCAL if is_loopback(host) else otherwise


def _count(usage: object, names: tuple[str, ...]) -> int | None:
    count = next((one for name in names if (one := _part(usage, name)) is not None), None)
    if isinstance(count, bool) or not isinstance(count, int):
        return None
    return count if 0 <= count <= MOST else None


def _part(whole: object, name: str) -> object:
    """A field of an object, or of what was JSON; None if there is none."""
    match whole:
        case Mapping():
            return whole.get(name)
        case _:
            return getattr(whole, name, None)
