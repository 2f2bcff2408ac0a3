"""What may come back of a question: an answer of some kind, or a code for why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Got(Generic[T]):
    """An answer, and how long it took."""

    value: T = field(repr=False)
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """No answer; `reason` is one of actors.net.reasons, or another short code of the provider's."""

    reason: str
    seconds: float


Answer: TypeAlias = Got[T] | Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """What was spoken: 24 kHz mono 16-bit samples, and the seconds until the first of them came."""

    pcm: bytes = field(repr=False)
    first_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedUp:
    """Whether a server has a model: None where it does not tell. `others` are the ones that it names."""

    has: bool | None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """A short answer: the seconds until it began, and whether it called the tool as it was asked to."""

    first_seconds: float
    called: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What is left of the plan's characters, and whether more may be used than it has."""

    left: int
    of: int
    may_exceed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Whether the account has a model: it speaks or not, or there is no such model (None)."""

    speaks: bool | None
