"""What comes from a server is made small, plain and named by us before anybody reads it."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import CallToolResult, Tool

from actors.captain.live_toolbox.gauge import BURST, FINEST, LINE_COST, PER_SECOND, Gauge, Measure
from actors.captain.live_toolbox.listing import MOST_SCHEMA_BYTES, shelved
from actors.captain.live_toolbox.outcome import LONGEST_TEXT, Outcome, bounded, read
from messages.attachment import MOST_ATTACHED_BYTES, MOST_ATTACHMENTS


def result(*content: dict[str, Any], **fields: Any) -> Outcome:
    """What is read from a result on the wire."""
    return read(CallToolResult.model_validate({"content": list(content), **fields}))


def image(size: int, kind: str = "image/png") -> dict[str, Any]:
    """A picture of so many bytes."""
    return {"type": "image", "data": base64.b64encode(bytes(size)).decode(), "mimeType": kind}


def blob(uri: str, kind: str | None) -> dict[str, Any]:
    """A file of that address."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "blob": "YQ=="}}


@pytest.mark.parametrize(
    ("uri", "kind", "name"),
    [
        ("file:///a/b/tides.csv", "text/csv", "tides.csv"),
        ("file:///../../etc/passwd", None, "passwd.bin"),
        ("x:.bashrc", "text/plain", "bashrc.txt"),
        ("file:///a/run.exe", "image/png", "run.png"),
        ("file:///a%2F..%2Fb%00c.pdf", "application/pdf; charset=x", "b_c.pdf"),
        ("c:\\autoexec.bat", "no kind", "autoexec.bin"),
        ("file:///", "IMAGE/PNG", "file.png"),
        ("http://[broken", "image/png", "file.png"),
        (f"file:///{'n' * 300}.txt", "text/plain", f"{'n' * 48}.txt"),
    ],
)
def test_a_file_has_a_plain_name(uri: str, kind: str | None, name: str) -> None:
    assert [one.name for one in result(blob(uri, kind)).attachments] == [name]


def test_two_files_of_a_name_have_two() -> None:
    outcome = result(image(1), image(1), image(1, "image/jpeg"))
    assert [one.name for one in outcome.attachments] == ["image.png", "image-2.png", "image.jpg"]


def test_files_beyond_the_bounds_are_left_out_and_that_is_said_once() -> None:
    many = result(*[image(1) for _ in range(MOST_ATTACHMENTS + 3)])
    assert len(many.attachments) == MOST_ATTACHMENTS
    assert many.text == "[too_large: a file was left out]"
    large = result(image(MOST_ATTACHED_BYTES), image(1))
    assert [len(one.data) for one in large.attachments] == [MOST_ATTACHED_BYTES]
    assert (
        result({"type": "image", "data": "%", "mimeType": "image/png"}).text == "[a file could not be read]"
    )


def test_text_links_and_errors_are_kept() -> None:
    outcome = result(
        {"type": "text", "text": "one"},
        {"type": "resource", "resource": {"uri": "a:b", "text": "two"}},
        {"type": "resource_link", "uri": "https://example.com/t", "name": "tides"},
        isError=True,
    )
    assert outcome == Outcome(text="one\ntwo\ntides: https://example.com/t", failed="tool_error")


@given(st.text(alphabet=st.characters(), max_size=100).map(lambda text: text * 2_000))
def test_no_text_is_longer_than_it_may_be(text: str) -> None:
    assert len(bounded(text).encode()) <= LONGEST_TEXT


def tool(name: str, **fields: Any) -> Tool:
    """A tool on the wire."""
    return Tool.model_validate({"name": name, "inputSchema": {"type": "object"}, **fields})


@given(st.lists(st.text(max_size=100), max_size=80))
def test_names_are_plain_and_unlike_each_other_and_lead_back(names: list[str]) -> None:
    shelf = shelved("music", [tool(name) for name in names])
    assert len({one.name for one in shelf.tools}) == len(shelf.tools) == min(len(names), 64)
    for one, own in zip(shelf.tools, names, strict=False):
        assert one.name.isascii()
        assert one.name.startswith("music__")
        assert len(one.name) <= 64
        assert shelf.own[one.name] == own


@pytest.mark.parametrize(
    ("hints", "destroys"),
    [
        (None, True),
        ({}, True),
        ({"destructiveHint": True}, True),
        ({"readOnlyHint": False}, True),
        ({"readOnlyHint": True}, False),
        ({"destructiveHint": False}, False),
    ],
)
def test_who_does_not_say_that_he_is_harmless_is_not(hints: dict[str, bool] | None, destroys: bool) -> None:
    (one,) = shelved("m", [tool("t", annotations=hints)]).tools
    assert one.destructive is destroys


def test_schemas_and_descriptions_have_a_measure() -> None:
    large = {"type": "object", "description": "x" * (MOST_SCHEMA_BYTES // 2)}
    shelf = shelved("m", [tool("a", inputSchema=large), tool("b", inputSchema=large), tool("c")])
    assert [one.name for one in shelf.tools] == ["m__a", "m__c"]
    assert shelf.left_out == 1
    (one,) = shelved("m", [tool("d", description="y" * 9_000)]).tools
    assert one.description == "y" * 2_000
    assert shelved("m", [tool("n" * 300)]).left_out == 1


def test_who_is_over_the_measure_is_read_later() -> None:
    now = [0.0]
    gauge = Gauge(lambda: now[0])
    assert gauge.cost(BURST) == 0
    assert gauge.cost(PER_SECOND) == 1
    now[0] = 2.0
    assert gauge.cost(PER_SECOND) == 0
    now[0] = 1_000.0
    assert gauge.cost(BURST) == 0
    assert gauge.cost(1) > 0


def test_each_line_costs_whatever_it_ends_with() -> None:
    gauge = Gauge(lambda: 0.0)
    asyncio.run(gauge.spend(b"\r" * 1_024))
    assert gauge.cost(BURST) >= LINE_COST * 1_024 / PER_SECOND


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n", b"\r\r"])
def test_each_event_is_measured_and_not_all_of_them(end: bytes) -> None:
    event = b"data: " + b"," * (FINEST - 1)
    stream = (event + end) * 3
    measure = Measure(events=True)
    assert all(measure.fits(stream[at : at + 1_001]) for at in range(0, len(stream), 1_001))
    assert measure.fits(event + end[:1])
    assert measure.fits(end[1:] + event)
    assert not measure.fits(b",,")
    assert not Measure(events=True).fits(b"," + end + event + b",," + end + b",")


def test_what_is_no_stream_of_events_is_measured_as_a_whole() -> None:
    measure = Measure(events=False)
    assert measure.fits(b"," * FINEST + b"\n\n")
    assert not measure.fits(b",")
