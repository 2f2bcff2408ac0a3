"""What the meter may decide: to count, to measure, to show a level, to export a span, to tell a cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from actors.meter.metrics import Counter, Gauge, Histogram
from actors.meter.spans import Span
from actors.meter.state import State
from messages.gateway import CostPassed
from messages.meter import LookDue


@dataclass(frozen=True, slots=True)
class Watch:
    """Ask the record for its news."""


@dataclass(frozen=True, slots=True)
class LookAround:
    """Ask the house for its tree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Set a timer."""

    seconds: float
    message: LookDue


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """So much more; `labels` in the order of the counter's own."""

    counter: Counter
    labels: tuple[str, ...] = ()
    amount: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One more value."""

    histogram: Histogram
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """The level of every series of a gauge, by its labels; a series that is not named is no more."""

    gauge: Gauge
    levels: Mapping[tuple[str, ...], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """Hand over what one turn was made of."""

    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class TellCost:
    """Tell the stay what it has cost."""

    passed: CostPassed


Decision: TypeAlias = Watch | LookAround | Wake | Count | Measure | Show | Export | TellCost
Step: TypeAlias = tuple[State, tuple[Decision, ...]]
