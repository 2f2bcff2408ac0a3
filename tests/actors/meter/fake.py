"""A board that remembers what was put on it."""

from __future__ import annotations

from collections.abc import Mapping

from actors.meter.metrics import Counter, Gauge, Histogram
from actors.meter.spans import Span


class FakeBoard:
    """A MeterPort that keeps everything."""

    def __init__(self) -> None:
        self.counts: dict[tuple[Counter, tuple[str, ...]], float] = {}
        self.measured: list[tuple[Histogram, float]] = []
        self.shown: dict[Gauge, Mapping[tuple[str, ...], float]] = {}
        self.spans: list[Span] = []
        self.life: list[str] = []

    def open(self) -> None:
        self.life.append("open")

    def count(self, counter: Counter, labels: tuple[str, ...], amount: float) -> None:
        assert len(labels) == len(counter.value[2])
        self.counts[counter, labels] = self.counts.get((counter, labels), 0.0) + amount

    def measure(self, histogram: Histogram, seconds: float) -> None:
        self.measured.append((histogram, seconds))

    def show(self, gauge: Gauge, levels: Mapping[tuple[str, ...], float]) -> None:
        assert all(len(labels) == len(gauge.value[2]) for labels in levels)
        self.shown[gauge] = levels

    def export(self, span: Span) -> None:
        self.spans.append(span)

    def close(self) -> None:
        self.life.append("close")
