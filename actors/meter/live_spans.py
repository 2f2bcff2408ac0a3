"""Spans go out over OTLP from a thread of the library's own; a collector that is away costs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loguru import logger

from actors.meter.settings import TelemetrySettings
from actors.meter.spans import Span

if TYPE_CHECKING:
    from actors.meter.live_collector import Collector


class SpanExport:
    """One exporter, for one life of the meter."""

    def __init__(self, settings: TelemetrySettings) -> None:
        self._settings = settings
        self._collector: Collector | None = None

    def open(self) -> None:
        """Load the library, which takes its time; spans go nowhere without it, and the log says so."""
        try:
            from actors.meter.live_collector import Collector

            self._collector = Collector(self._settings)
        except ImportError:
            logger.warning("[telemetry] needs the extra `telemetry`; run: make setup, or take it out")
        except Exception as refused:  # whatever the library makes of its own variables
            kind = type(refused).__name__
            logger.warning(
                "[telemetry] cannot be used ({}); look at the variables OTEL_…, or take it out", kind
            )

    def add(self, span: Span) -> None:
        """Queue a span and all within it."""
        if self._collector is not None:
            self._collector.add(span)

    def close(self) -> None:
        """Send what waits, within a second."""
        collector, self._collector = self._collector, None
        if collector is not None:
            collector.close()
