"""What the meter needs of the outside world: places where numbers and spans are kept for whoever asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from actors.meter.metrics import Counter, Gauge, Histogram
from actors.meter.spans import Span


class MeterPort(Protocol):
    """For one life of one actor; nothing raises and nothing blocks but `close`."""

    def open(self) -> None:
        """Begin."""
        ...

    def count(self, counter: Counter, labels: tuple[str, ...], amount: float) -> None:
        """So much more."""
        ...

    def measure(self, histogram: Histogram, seconds: float) -> None:
        """One more value."""
        ...

    def show(self, gauge: Gauge, levels: Mapping[tuple[str, ...], float]) -> None:
        """The levels of all series of a gauge."""
        ...

    def export(self, span: Span) -> None:
        """Hand a span over; where they go nowhere, or too many wait, it is dropped."""
        ...

    def close(self) -> None:
        """Hand over what waits, within a second."""
        ...
