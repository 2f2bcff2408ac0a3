"""What providers charge: what was used is added up by model and priced from the operator's own table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from messages.evidence import CaptainUsage, Usage
from messages.lifecycle import Scalar

_MILLION = 1_000_000
_MINUTE_MS = 60_000
MOST_PRICE = 1e9
"""There is no currency in which a million tokens cost more."""
LEAST_TOLD = 0.0001


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one model costs, in the currency of `[costs]`; what is not billed stays 0."""

    __pydantic_config__: ClassVar[dict[str, Scalar]] = {"extra": "forbid"}

    input: float = 0.0
    """A million tokens that it reads."""
    cached: float = 0.0
    """A million tokens that it has read before."""
    output: float = 0.0
    """A million tokens that it writes."""
    minute: float = 0.0
    """A minute of sound that is written down."""
    characters: float = 0.0
    """A million characters that are spoken."""

    def __post_init__(self) -> None:
        """Refuse what nobody charges."""
        for key in ("input", "cached", "output", "minute", "characters"):
            if not 0 <= getattr(self, key) <= MOST_PRICE:
                raise ValueError(f"{key} must be 0 to 1e9, got {getattr(self, key)}; take it out for 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSettings:
    """What providers charge, and from which amount on he is told what a stay costs."""

    __pydantic_config__: ClassVar[dict[str, Scalar]] = {"extra": "forbid"}

    currency: str = "USD"
    """Of all prices here."""
    tell_at: float = 0.0
    """Once a stay has cost so much, and each time it costs as much again, he is told; 0 is never."""
    prices: Mapping[str, Price] = field(default_factory=dict[str, Price])
    """Prices of models, each in a table of its own: [costs.prices."gpt-realtime-2.1"]."""

    def __post_init__(self) -> None:
        """Refuse what cannot be an amount."""
        if self.tell_at != 0 and not LEAST_TOLD <= self.tell_at <= MOST_PRICE:
            raise ValueError(f"tell_at must be 0 or 0.0001 to 1e9, got {self.tell_at}; 0 never tells")
        if not 1 <= len(self.currency) <= 8 or not self.currency.isprintable():
            raise ValueError('currency must have 1 to 8 signs, as in "USD"; take it out for USD')


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """All that one model of one provider did; tokens, milliseconds of sound and characters."""

    provider: str
    model: str
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    audio_ms: int = 0
    characters: int = 0

    def cost(self, price: Price) -> float:
        """At this price, in its currency."""
        fresh = self.input_tokens - self.cached_tokens
        tokens = fresh * price.input + self.cached_tokens * price.cached + self.output_tokens * price.output
        return (
            tokens + self.characters * price.characters
        ) / _MILLION + self.audio_ms * price.minute / _MINUTE_MS


Bill = tuple[Spent, ...]
"""One entry for each provider and model, in the order in which they were first asked."""


def with_usage(bill: Bill, used: Usage | CaptainUsage) -> Bill:
    """The bill with this on it."""
    known = next((one for one in bill if (one.provider, one.model) == (used.provider, used.model)), None)
    before = known or Spent(provider=used.provider, model=used.model)
    after = replace(
        before,
        input_tokens=before.input_tokens + used.input_tokens,
        cached_tokens=before.cached_tokens + used.cached_tokens,
        output_tokens=before.output_tokens + used.output_tokens,
        audio_ms=before.audio_ms + (used.audio_ms if isinstance(used, Usage) else 0),
        characters=before.characters + (used.characters if isinstance(used, Usage) else 0),
    )
    return tuple(after if one is known else one for one in bill) if known else (*bill, after)


def total(bill: Iterable[Spent], prices: Mapping[str, Price]) -> float:
    """What all of it comes to; a model without a price counts nothing."""
    return sum(spent.cost(prices[spent.model]) for spent in bill if spent.model in prices)


def unpriced(bill: Iterable[Spent], prices: Mapping[str, Price]) -> tuple[str, ...]:
    """The models of others that have no price; what is done on this machine needs none."""
    return tuple(one.model for one in bill if one.provider != "local" and one.model not in prices)
