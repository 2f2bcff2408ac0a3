"""Spans go out over OTLP from a thread of the library's own; a collector that is away costs nothing."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from loguru import logger

from actors.meter.settings import TelemetrySettings
from actors.meter.spans import Span

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer

MOST_WAITING: Final = 512
"""Spans that wait for the collector; of more, the library drops the newest."""
BATCH_SECONDS: Final = 2.0
SEND_SECONDS: Final = 5.0
CLOSE_SECONDS: Final = 2.0
_NANO: Final = 1_000_000_000


class SpanExport:
    """One exporter, for one life of the meter."""

    def __init__(self, settings: TelemetrySettings) -> None:
        self._settings = settings
        self._provider: TracerProvider | None = None
        self._tracer: Tracer | None = None

    def open(self) -> None:
        """Load the library, which takes a moment; without it spans go nowhere, and the log says so."""
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ImportError:
            logger.warning("[telemetry] needs the extra `telemetry`; run: make setup, or take it out")
            return
        exporter = OTLPSpanExporter(endpoint=self._settings.otlp_endpoint, timeout=SEND_SECONDS)
        resource = Resource.create({"service.name": self._settings.service_name})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(
            BatchSpanProcessor(
                exporter, max_queue_size=MOST_WAITING, schedule_delay_millis=BATCH_SECONDS * 1000
            )
        )
        self._tracer = self._provider.get_tracer("clankie")

    def add(self, span: Span) -> None:
        """Queue a span and all within it."""
        if self._tracer is not None:
            self._add(self._tracer, span, None)

    def close(self) -> None:
        """Send what waits, within CLOSE_SECONDS; a collector that does not answer is left waiting."""
        provider, self._provider, self._tracer = self._provider, None, None
        if provider is None:
            return
        ending = threading.Thread(target=provider.shutdown, name="spans-close", daemon=True)
        ending.start()
        ending.join(CLOSE_SECONDS)

    def _add(self, tracer: Tracer, span: Span, within: Context | None) -> None:
        from opentelemetry import trace

        told = tracer.start_span(
            span.name,
            context=within,
            attributes={name: value for name, value in span.attributes.items() if value is not None},
            start_time=round(span.began * _NANO),
        )
        if span.failed:
            told.set_status(trace.StatusCode.ERROR)
        inside = trace.set_span_in_context(told)
        for child in span.children:
            self._add(tracer, child, inside)
        told.end(end_time=round(span.ended * _NANO))
