"""The numbers as Prometheus reads them, and spans at a collector on this machine, polite and not."""

from __future__ import annotations

import io
import logging
import socket
import threading
import time
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from loguru import logger
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.parser import text_string_to_metric_families

from actors.meter.live import Board, LiveMeter
from actors.meter.live_collector import CLOSE_SECONDS, Taker
from actors.meter.metrics import Counter, Gauge, Histogram
from actors.meter.settings import TelemetrySettings
from actors.meter.spans import Span

SPAN = Span(
    name="turn",
    began=1000.0,
    ended=1002.5,
    attributes={"clankie.turn_id": "t", "clankie.first_audio_ms": 300},
    failed=True,
    children=(Span(name="decided", began=1000.0, ended=1000.25, attributes={}),),
)


def samples(board: Board) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in text_string_to_metric_families(board.text())
        for one in family.samples
    }


def test_numbers_survive_the_meter_and_read_as_prometheus_text() -> None:
    board = Board()
    for _ in range(2):
        meter = LiveMeter(board, TelemetrySettings())
        meter.open()
        meter.count(Counter.TURNS, ("address", "spoke"), 1)
        meter.count(Counter.JOINED, (), 1)
        meter.measure(Histogram.ANSWER, 0.7)
        meter.export(SPAN)  # there is no collector: it goes nowhere
        meter.close()
    found = samples(board)
    assert found["clankie_turns_total", (("outcome", "spoke"), ("trigger", "address"))] == 2
    assert found["clankie_stays_joined_total", ()] == 2
    assert found["clankie_answer_seconds_bucket", (("le", "0.8"),)] == 2
    assert found["clankie_answer_seconds_bucket", (("le", "0.6"),)] == 0
    assert not [name for name, _ in found if name.endswith("_created")]


def test_a_series_that_is_no_more_is_not_shown_any_more() -> None:
    board = Board()
    board.show(Gauge.MAILBOX, {("Capture",): 3, ("Floor",): 1})
    board.show(Gauge.MAILBOX, {("Floor",): 2})
    board.show(Gauge.STAYS, {(): 1})
    found = {name: value for name, value in samples(board).items() if "mailbox" in name[0]}
    assert found == {("clankie_mailbox_depth", (("kind", "Floor"),)): 2}


class Collector(ThreadingHTTPServer):
    """Takes traces over OTLP; a deaf one never answers, and another may refuse."""

    daemon_threads = True

    def __init__(self, *, deaf: bool = False) -> None:
        self.asked: list[ExportTraceServiceRequest] = []
        self.status = 200
        self.came, self.over, self.deaf = threading.Event(), threading.Event(), deaf
        super().__init__(("127.0.0.1", 0), _Post)


class _Post(BaseHTTPRequestHandler):
    server: Collector  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append(ExportTraceServiceRequest.FromString(body))
        self.server.came.set()
        if self.server.deaf:
            self.server.over.wait(60)
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_request(self, code: Any = "", size: Any = "") -> None:
        """Say nothing."""


@pytest.fixture
def collector(request: pytest.FixtureRequest) -> Generator[Collector]:
    server = Collector(deaf=getattr(request, "param", False))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def log() -> Generator[list[str]]:
    lines = list[str]()
    sink = logger.add(lambda line: lines.append(str(line)), format="{message}", level="INFO")
    yield lines
    logger.remove(sink)


def at(port: int) -> TelemetrySettings:
    return TelemetrySettings(otlp_endpoint=f"http://127.0.0.1:{port}/v1/traces")


def a_meter(port: int) -> LiveMeter:
    meter = LiveMeter(Board(), at(port))
    meter.open()
    return meter


def closing() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name == "spans-close" or "Otel" in one.name]


def test_a_turn_arrives_as_one_trace_with_its_own_times(collector: Collector) -> None:
    meter = a_meter(collector.server_port)
    meter.export(SPAN)
    meter.close()
    (asked,) = collector.asked
    (told,) = asked.resource_spans
    assert [one.value.string_value for one in told.resource.attributes if one.key == "service.name"] == [
        "clankie"
    ]
    inner, outer = sorted(told.scope_spans[0].spans, key=lambda one: one.name)
    assert (outer.start_time_unix_nano, outer.end_time_unix_nano) == (1_000_000_000_000, 1_002_500_000_000)
    assert (inner.parent_span_id, inner.trace_id) == (outer.span_id, outer.trace_id)
    assert {one.key for one in outer.attributes} == {"clankie.turn_id", "clankie.first_audio_ms"}
    assert outer.status.code == 2


@pytest.mark.parametrize("collector", [True], indirect=True)
def test_a_collector_that_never_answers_holds_nobody_up(collector: Collector) -> None:
    meter = a_meter(collector.server_port)
    meter.export(SPAN)
    began = time.monotonic()
    meter.close()
    assert collector.came.is_set()
    assert time.monotonic() - began < CLOSE_SECONDS + 10.0
    collector.over.set()
    for thread in closing():
        thread.join(10)


def test_a_collector_that_is_not_there_is_not_waited_for(log: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    meter = a_meter(port)
    meter.export(SPAN)
    meter.close()
    for thread in closing():
        thread.join(0.2)  # it sleeps for a second before it would try again
    assert closing() == []
    assert len(log) == 1


def test_a_collector_that_refuses_is_told_of_once_and_once_more_when_it_takes_spans(
    collector: Collector, log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "s3cret")
    aloud = logging.StreamHandler(io.StringIO())
    logging.getLogger().addHandler(aloud)
    taker = Taker(at(collector.server_port))
    for collector.status in (401, 500, 200, 200):
        taker.export(())
    taker.shutdown()
    logging.getLogger().removeHandler(aloud)
    assert ["does not take" in line for line in log] == [True, False]
    assert "OTEL_EXPORTER_OTLP_HEADERS" in log[0]
    assert aloud.stream.getvalue() == ""  # the library names addresses and headers there


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1024", 0), ("OTEL_ATTRIBUTE_COUNT_LIMIT", "-1", 1)],
)
def test_a_variable_of_the_library_that_is_wrong_is_no_reason_to_fall(
    variable: str, value: str, told: int, log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    meter = a_meter(9)
    meter.close()
    assert len(log) == told


@pytest.mark.parametrize(
    "endpoint",
    [
        "127.0.0.1:4318",
        "ftp://h/x",
        "http://me:secret@h/v1",
        "http://",
        "http://[x",
        "http://h:99999/v1",
        "http://h:0",
        "http://h/a b",
    ],
)
def test_what_is_no_address_is_refused_with_a_remedy(endpoint: str) -> None:
    with pytest.raises(ValueError, match="otlp_endpoint must be") as refused:
        TelemetrySettings(otlp_endpoint=endpoint)
    assert "secret" not in str(refused.value)


def test_a_service_needs_a_name() -> None:
    with pytest.raises(ValueError, match="service_name"):
        TelemetrySettings(service_name="")
