"""Everybody at the window is looked at in the same order, and told the first thing that is wrong."""

from __future__ import annotations

import json
import socket

import pytest

from actors.console.live.admission import MOST_BYTES
from actors.console.live.routes import ROUTES
from actors.console.settings import HOST
from actors.console.wire_bodies import BODIES
from messages.console import OrderGiven
from tests.actors.console.window import DEADLINE, Window

WRONG = {
    403: {"Host": "example.com"},
    "origin": {"Origin": "http://example.com"},
    401: {"Authorization": "Bearer wrong"},
    415: {"Content_Type": "text/plain"},
}


def refused(window: Window, said: str, body: bytes | None = None, **headers: str | None) -> int:
    """The status of a refusal, which is one sentence that says what to do, in JSON, and holds no key."""
    reply = window.says(said, body, **headers)
    assert reply.ours
    assert list(json.loads(reply.body)) == ["error"]
    assert reply.error
    assert window.key not in reply.error
    return reply.status


def test_of_many_things_that_are_wrong_the_first_is_said(window: Window) -> None:
    """One fault after the other is mended, from the first that is looked at to the last."""
    wrong = {name: value for each in WRONG.values() for name, value in each.items()}
    too_much = b"{" * (MOST_BYTES + 1)
    assert refused(window, "PUT /nowhere", too_much, **wrong) == 403
    del wrong["Host"]
    assert refused(window, "PUT /nowhere", too_much, **wrong) == 403
    del wrong["Origin"]
    assert refused(window, "PUT /nowhere", too_much, **wrong) == 404
    assert refused(window, "PUT /say", too_much, **wrong) == 401
    del wrong["Authorization"]
    assert refused(window, "PUT /say", too_much, **wrong) == 405
    assert refused(window, "POST /say", too_much, **wrong) == 413
    assert refused(window, "POST /say", b"{", **wrong) == 415
    del wrong["Content_Type"]
    assert refused(window, "POST /say", b"{") == 422
    assert window.says("POST /say", b'{"text": "Hi."}').status == 200


@pytest.mark.parametrize(
    "host", ["example.com", "127.0.0.1.example.com:4330", "127.0.0.1@example.com", "", "[::1]"]
)
def test_a_page_of_another_host_is_refused_even_what_is_open(window: Window, host: str) -> None:
    assert refused(window, "GET /health", Host=host) == 403


@pytest.mark.parametrize(
    "origin",
    ["null", "http://127.0.0.1", "https://127.0.0.1:{}", "http://localhost:{}", "http://127.0.0.1:1"],
)
def test_a_page_of_another_origin_is_refused(window: Window, origin: str) -> None:
    assert refused(window, "GET /health", Origin=origin.format(window.port)) == 403


@pytest.mark.parametrize("first", [True, False])
def test_a_page_of_another_origin_gains_nothing_by_naming_two(window: Window, first: bool) -> None:
    origins = [f"http://{HOST}:{window.port}", "http://example.com"]
    both = "\r\nOrigin: ".join(reversed(origins) if first else origins)
    assert refused(window, "GET /health", Origin=both) == 403


def test_the_page_itself_may_ask(window: Window) -> None:
    assert window.says("GET /status", Origin=f"http://{HOST}:{window.port}").status == 200
    named = {"Host": f"localhost:{window.port}", "Origin": f"http://localhost:{window.port}"}
    assert window.says("GET /status", None, **named).status == 200


@pytest.mark.parametrize("path", [path for path, route in ROUTES.items() if not route.is_open])
def test_nothing_that_is_not_open_is_told_without_the_key(window: Window, path: str) -> None:
    method = ROUTES[path].methods[0]
    for shown in (None, "Bearer wrong", "Basic KEY", "KEY", "Bearer", "Bearer \u00fc"):
        header = shown and shown.replace("KEY", window.key)
        with window.line(f"{method} {path}", b"{}", Authorization=header) as response:
            assert response.status == 401
            assert response.getheader("WWW-Authenticate") == "Bearer"
            assert response.getheader("Access-Control-Allow-Origin") is None
    assert (
        refused(window, f"{method} {path}", Authorization=None, Sec_WebSocket_Protocol="clankie, key.x")
        == 401
    )
    offered = {"Authorization": None, "Sec_WebSocket_Protocol": f"clankie, key.{window.key}"}
    assert (window.says(f"HEAD {path}", None, **offered).status != 401) is ROUTES[path].takes_websockets
    assert window.told.received()[1:] == []


@pytest.mark.parametrize(
    "path", [path for path, route in ROUTES.items() if route.is_open and "{" not in path]
)
def test_what_is_open_is_told_without_the_key(window: Window, path: str) -> None:
    assert window.says(f"GET {path}", Authorization=None).status == 200


@pytest.mark.parametrize("path", sorted(ROUTES))
@pytest.mark.parametrize("method", ["OPTIONS", "DELETE", "TRACE", "PATCH", "PROPFIND"])
def test_another_method_is_refused_and_the_right_ones_are_named(
    window: Window, path: str, method: str
) -> None:
    with window.line(f"{method} {path.format(name='console.css')}") as response:
        assert (response.status, response.getheader("Allow")) == (405, ", ".join(ROUTES[path].methods))


@pytest.mark.parametrize(
    "path", ["/status/", "/Status", "//status", "/assets/", "/assets/{name}", "/ask", "/%00", "/.."]
)
def test_there_is_nothing_else(window: Window, path: str) -> None:
    assert "there is nothing of that name" in window.says(f"GET {path}").error
    assert refused(window, f"GET {path}") == 404
    assert refused(window, f"GET {path}", Authorization=None) == 404


def test_a_websocket_that_offers_the_key_and_not_the_protocol_leaves_no_trace_of_it(
    window: Window, caplog: pytest.LogCaptureFixture
) -> None:
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    offered = {"Sec_WebSocket_Protocol": f"key.{window.key}"}
    assert window.says("GET /events", None, **upgrade, **offered).status == 401
    assert window.key not in caplog.text


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"text": 1}',
        b'{"text": "a", "more": 1}',
        b'{"text": "\\ud800"}',
        b'{"text": "\xff"}',
        b'{"text": "a\\u0000b"}',
        b'{"text": "a\x00b"}',
        b'{"text": "a", "stay": "\\u0000"}',
        b"[" * MOST_BYTES,
        b'{"a":' * (MOST_BYTES // 5),
        b'{"text": ' + b"9" * (MOST_BYTES - 10) + b"}",
        b'{"text": "%s"}' % (b"x" * 601),
    ],
    ids=range(15),
)
def test_what_is_no_order_is_refused(window: Window, body: bytes) -> None:
    assert refused(window, "POST /say", body) == 422
    assert not any(isinstance(event, OrderGiven) for event in window.told.received())


@pytest.mark.parametrize("path", sorted(BODIES))
def test_every_order_is_refused_with_a_field_that_nobody_knows(window: Window, path: str) -> None:
    assert refused(window, f"POST {path}", b'{"nonsense": 1}') == 422


def test_of_a_field_that_is_there_twice_the_last_one_counts(window: Window) -> None:
    assert window.says("POST /say", b'{"text": "first", "text": "last"}').status == 200
    assert "last" in repr(window.told.expect(OrderGiven).order)


def test_too_much_is_refused_before_it_is_there(window: Window) -> None:
    assert refused(window, "POST /say", b"", Content_Length=str(MOST_BYTES + 1)) == 413
    assert refused(window, "POST /say", b" " * MOST_BYTES) == 422


def test_an_old_client_is_answered_as_well(window: Window) -> None:
    said = f"GET /events HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer {window.key}\r\n\r\n"
    with socket.create_connection((HOST, window.port), timeout=DEADLINE) as peer:
        peer.sendall(said.encode())
        assert peer.recv(65536).startswith(b"HTTP/1.0 200 OK\r\n")
