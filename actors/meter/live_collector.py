"""The way to an OpenTelemetry collector; what goes wrong there is told once, and not by the library."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import Final

from loguru import logger
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from actors.meter.settings import TelemetrySettings
from actors.meter.spans import Span

MOST_WAITING: Final = 512
"""Spans that wait for the collector; of more, the library drops the oldest."""
BATCH_SECONDS: Final = 2.0
SEND_SECONDS: Final = 5.0
CLOSE_SECONDS: Final = 1.0
SET_OUT_SECONDS: Final = 0.3
"""By then the last spans are on their way; what fails from then on is not tried again."""
_NANO: Final = 1_000_000_000

# It writes several lines for each batch that fails, with the whole address, and headers that it cannot read.
logging.getLogger("opentelemetry").addHandler(logging.NullHandler())
logging.getLogger("opentelemetry").propagate = False


class Taker(SpanExporter):
    """Passes batches on; `away` is a collector that did not take the last one."""

    def __init__(self, settings: TelemetrySettings) -> None:
        self._exporter = OTLPSpanExporter(endpoint=settings.otlp_endpoint, timeout=SEND_SECONDS)
        self.away = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send a batch, and say in the log when that begins to fail, and when it works again."""
        result = self._exporter.export(spans)
        away = result is not SpanExportResult.SUCCESS
        if away and not self.away:
            logger.warning(
                "the collector does not take spans; look whether it runs, at the path in [telemetry] "
                "otlp_endpoint and at OTEL_EXPORTER_OTLP_HEADERS; he goes on without it"
            )
        elif self.away and not away:
            logger.info("the collector takes spans again")
        self.away = away
        return result

    def shutdown(self) -> None:
        """Begin nothing more, and do not wait to try again."""
        self._exporter.shutdown()  # type: ignore[no-untyped-call]


class Collector:
    """One way to the collector, with a thread of the library's own."""

    def __init__(self, settings: TelemetrySettings) -> None:
        self._taker = Taker(settings)
        resource = Resource.create({"service.name": settings.service_name})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        # What is not said here the library takes from OTEL_BSP_…, and refuses where the two do not fit.
        batches = BatchSpanProcessor(
            self._taker,
            max_queue_size=MOST_WAITING,
            schedule_delay_millis=BATCH_SECONDS * 1000,
            max_export_batch_size=MOST_WAITING,
        )
        self._provider.add_span_processor(batches)
        self._tracer = self._provider.get_tracer("clankie")

    def add(self, span: Span, within: Context | None = None) -> None:
        """Queue a span and all within it."""
        told = self._tracer.start_span(
            span.name,
            context=within,
            attributes={name: value for name, value in span.attributes.items() if value is not None},
            start_time=round(span.began * _NANO),
        )
        if span.failed:
            told.set_status(trace.StatusCode.ERROR)
        inside = trace.set_span_in_context(told)
        for child in span.children:
            self.add(child, inside)
        told.end(end_time=round(span.ended * _NANO))

    def close(self) -> None:
        """Send what waits, within CLOSE_SECONDS; a collector that does not answer is left waiting."""
        ending = threading.Thread(target=self._provider.shutdown, name="spans-close", daemon=True)
        ending.start()
        ending.join(0.0 if self._taker.away else SET_OUT_SECONDS)
        self._taker.shutdown()
        ending.join(CLOSE_SECONDS - SET_OUT_SECONDS)
