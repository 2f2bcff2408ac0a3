"""Numbers for Prometheus, which outlive every life of the meter, and spans for an OpenTelemetry collector."""

from __future__ import annotations

from collections.abc import Mapping

import prometheus_client as prometheus

from actors.meter.live_spans import SpanExport
from actors.meter.metrics import Counter, Gauge, Histogram
from actors.meter.settings import TelemetrySettings
from actors.meter.spans import Span

# A second series for each, with the moment at which it began, is for nobody.
prometheus.disable_created_metrics()  # type: ignore[no-untyped-call]


class Board:
    """All numbers of one house; any thread may read it."""

    def __init__(self) -> None:
        self._registry = prometheus.CollectorRegistry()
        self._counters = {
            one: prometheus.Counter(one.value[0], one.value[1], one.value[2], registry=self._registry)
            for one in Counter
        }
        self._histograms = {
            one: prometheus.Histogram(
                one.value[0], one.value[1], buckets=one.value[2], registry=self._registry
            )
            for one in Histogram
        }
        self._gauges = {
            one: prometheus.Gauge(one.value[0], one.value[1], one.value[2], registry=self._registry)
            for one in Gauge
        }

    def text(self) -> str:
        """Everything in the text format of Prometheus."""
        return prometheus.generate_latest(self._registry).decode()

    def count(self, counter: Counter, labels: tuple[str, ...], amount: float) -> None:
        """So much more."""
        series = self._counters[counter]
        (series.labels(*labels) if labels else series).inc(amount)

    def measure(self, histogram: Histogram, seconds: float) -> None:
        """One more value."""
        self._histograms[histogram].observe(seconds)

    def show(self, gauge: Gauge, levels: Mapping[tuple[str, ...], float]) -> None:
        """Exactly these series."""
        series = self._gauges[gauge]
        if gauge.value[2]:
            series.clear()
        for labels, level in levels.items():
            (series.labels(*labels) if labels else series).set(level)


class LiveMeter:
    """A MeterPort on a board that others read, and on a collector if there is one."""

    def __init__(self, board: Board, settings: TelemetrySettings) -> None:
        self._board = board
        self._spans = SpanExport(settings) if settings.otlp_endpoint else None

    def open(self) -> None:
        """Begin to export."""
        if self._spans is not None:
            self._spans.open()

    def count(self, counter: Counter, labels: tuple[str, ...], amount: float) -> None:
        """So much more."""
        self._board.count(counter, labels, amount)

    def measure(self, histogram: Histogram, seconds: float) -> None:
        """One more value."""
        self._board.measure(histogram, seconds)

    def show(self, gauge: Gauge, levels: Mapping[tuple[str, ...], float]) -> None:
        """Exactly these series."""
        self._board.show(gauge, levels)

    def export(self, span: Span) -> None:
        """Hand it over, if there is a collector."""
        if self._spans is not None:
            self._spans.add(span)

    def close(self) -> None:
        """Let the exporter finish."""
        if self._spans is not None:
            self._spans.close()
