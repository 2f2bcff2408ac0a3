"""Whoever watches sees all that he may, whoever does not look is dropped, and nobody is in anybody's way."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ParamSpec

import pytest
from loguru import logger
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from actors.console import client
from actors.console.live import guard, logs, viewing
from actors.console.live.logs import MOST_A_SECOND, LogTail
from actors.console.live.viewers import MOST_VIEWERS, MOST_WAITING
from actors.console.port import View
from actors.console.settings import HOST, key_file
from actors.console.watcher import watch
from actors.console.wire_views import LogView, Shown, StatusView, status_view
from actors.net.loop import IoLoop
from messages.console import OrderGiven
from tests.actors.console.test_guard import everything
from tests.actors.console.test_silence import REPORT
from tests.actors.console.window import DEADLINE, Stranger, Window

P = ParamSpec("P")
STATUS = status_view(REPORT)
WORDS = '{"view":"words","text":"hello"}'


@contextmanager
def eye(window: Window, query: str = "") -> Generator[Iterator[dict[str, Any]]]:
    """The views as a browser gets them that offers its key as a subprotocol."""
    address = f"ws://{HOST}:{window.port}/events{query}"
    with connect(address, subprotocols=["clankie", f"key.{window.key}"], open_timeout=DEADLINE) as line:  # type: ignore[list-item]
        assert line.subprotocol == "clankie"
        yield iter(lambda: json.loads(line.recv(DEADLINE)), None)


@contextmanager
def stream(window: Window, query: str = "") -> Generator[Iterator[dict[str, Any]]]:
    """The views as server-sent events."""
    with window.line(f"GET /events{query}") as response:
        assert response.getheader("Content-Type") == "text/event-stream"
        assert response.getheader("Cache-Control") == "no-store"
        said = (line for line in iter(response.readline, b"") if line.startswith(b"data: "))
        yield (json.loads(line.removeprefix(b"data: ")) for line in said)


both = pytest.mark.parametrize("way", [eye, stream])


@both
def test_everything_that_is_shown_is_seen_in_order(window: Window, way: Any) -> None:
    with way(window) as views:
        assert window.viewers() == (1, 0)
        for number in range(20):
            window.console.publish(View.RECEIPT, f'{{"view":"receipt","receipt":{number}}}')
        assert [next(views)["receipt"] for _ in range(20)] == [*range(20)]
    assert window.viewers() == (0, 0)


@both
def test_words_are_for_those_who_asked_for_them(window: Window, way: Any) -> None:
    with way(window, "?words=1") as curious:
        assert window.viewers() == (1, 1)
        with way(window, "?words=0&logs=0") as other:
            assert window.viewers() == (2, 1)
            window.console.publish(View.WORDS, WORDS)
            window.console.publish(View.STATUS, STATUS)
            assert [next(curious)["view"] for _ in range(2)] == ["words", "status"]
            assert next(other)["view"] == "status"
        assert window.viewers() == (1, 1)


def test_the_latest_status_is_there_at_once_and_never_an_old_one(window: Window) -> None:
    with stream(window) as first:
        assert window.viewers() == (1, 0)
        window.console.publish(View.STATUS, STATUS)
        assert next(first)["view"] == "status"
        with eye(window) as second:
            assert next(second) == json.loads(STATUS)
    while window.viewers() != (0, 0):
        pass
    with stream(window) as third:
        assert window.viewers() == (1, 0)
        window.console.publish(View.RECEIPT, '{"view":"receipt"}')
        assert next(third) == {"view": "receipt"}


def test_nobody_is_told_anything_while_nobody_watches(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert window.console._window is not None
    monkeypatch.setattr(window.console._window.viewers._loop, "call", None)
    window.console.publish(View.STATUS, STATUS)


def test_more_than_so_many_do_not_watch(window: Window) -> None:
    with ExitStack() as watching:
        for number in range(MOST_VIEWERS):
            watching.enter_context(stream(window))
            assert window.viewers() == (number + 1, 0)
        reply = window.says("GET /events")
        assert (reply.status, "watch already" in reply.error) == (429, True)
        assert window.says("GET /status").status == 200
    while window.viewers() != (0, 0):
        pass
    with stream(window):
        assert window.viewers() == (1, 0)


@pytest.mark.parametrize("query", ["words=2", "words=", "words=1&words=1", "more=1", "logs=yes"])
def test_what_nobody_can_mean_is_refused(window: Window, query: str) -> None:
    assert window.says(f"GET /events?{query}").status == 422


@pytest.mark.parametrize(
    "headers",
    [
        {"Upgrade": "h2c"},
        {"Upgrade": "websocket"},
        {"Upgrade": "websocket", "Connection": "Upgrade"},
        {
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec_WebSocket_Version": "13",
            "Sec_WebSocket_Key": "x",
        },
    ],
)
def test_what_is_no_handshake_is_refused(window: Window, headers: dict[str, str]) -> None:
    assert window.says("GET /events", None, **headers).status == 400
    assert [window.viewers(), window.viewers()] == [(1, 0), (0, 0)]


def test_whoever_says_something_is_told_that_nobody_listens(window: Window) -> None:
    protocols: Any = ["clankie", f"key.{window.key}"]
    with connect(f"ws://{HOST}:{window.port}/events", subprotocols=protocols) as line:
        line.send("hush!")
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(DEADLINE)
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (
        1003,
        "nobody listens here; POST what you want",
    )
    assert not any(isinstance(event, OrderGiven) for event in window.told.received())


def test_something_comes_from_time_to_time_even_if_there_is_nothing(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "LIFE_SECONDS", 0.05)
    monkeypatch.setattr(viewing, "HEARTBEAT_SECONDS", 0.05)
    with window.line("GET /events") as response:
        assert [response.readline() for _ in range(6)] == [b":\n", b"\n"] * 3


# --- those who do not look ------------------------------------------------------------------------


@contextmanager
def stuck(window: Window) -> Generator[socket.socket]:
    """One who asks for everything and never reads."""
    with socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        peer.connect((HOST, window.port))
        peer.settimeout(DEADLINE)
        head = f"GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {window.key}\r\n\r\n"
        peer.sendall(head.encode())
        yield peer


@pytest.mark.parametrize("why", ["too many views wait", "too long"])
def test_who_does_not_read_is_dropped_once_and_the_others_see_everything(
    window: Window, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    monkeypatch.setattr(viewing, "WRITE_SECONDS", 0.3)
    warnings = list[str]()
    sink = logger.add(warnings.append, format="{message}", level="WARNING")
    seen, big = 0, "x" * 16_384
    with stream(window) as views, stuck(window) as peer:
        assert [window.viewers(), window.viewers()] == [(1, 0), (2, 0)]
        until = time.monotonic() + DEADLINE
        many = 3 * MOST_WAITING if why != "too long" else MOST_WAITING // 2
        for number in range(many):
            window.console.publish(View.RECEIPT, f'{{"view":"receipt","number":{number},"big":"{big}"}}')
            assert next(views)["number"] == number
            seen += 1
        assert (seen, time.monotonic() < until) == (many, True)
        assert window.viewers() == (1, 0)
        assert len(everything(peer)) < 2**20
        window.console.publish(View.RECEIPT, '{"number":-1}')
        assert next(views)["number"] == -1
    logger.remove(sink)
    assert warnings == ["1 at the window did not look for too long, 1 so far\n"]


def test_who_falls_behind_and_reads_again_is_told_why(window: Window) -> None:
    with stream(window) as views:
        assert window.viewers() == (1, 0)
        held, free = threading.Event(), threading.Event()

        def hold() -> None:
            held.set()
            assert free.wait(5)

        window.console._loop.call(hold)
        assert held.wait(5)
        for number in range(MOST_WAITING + 1):
            window.console.publish(View.RECEIPT, f'{{"number":{number}}}')
        free.set()
        assert next(views) == {"error": "you do not read fast enough; watch again, and read all the time"}
        assert next(views, None) is None
    assert window.viewers() == (0, 0)


def test_who_answers_no_ping_is_dropped(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewing, "HEARTBEAT_SECONDS", 0.1)
    heads = [
        "Host: localhost",
        f"Authorization: Bearer {window.key}",
        "Upgrade: websocket",
        "Connection: Upgrade",
    ]
    heads += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
    upgrade = "\r\n".join(["GET /events HTTP/1.1", *heads, "", ""])
    with socket.create_connection((HOST, window.port), timeout=DEADLINE) as peer:
        peer.sendall(upgrade.encode())
        assert [window.viewers(), window.viewers()] == [(1, 0), (0, 0)]
    assert window.console._window is not None
    assert window.console._window.viewers.dropped == 1


@both
def test_whoever_watches_when_the_house_closes_is_told(window: Window, way: Any) -> None:
    with way(window) as views:
        assert window.viewers() == (1, 0)
        window.console.close()
        assert next(views) == {"error": "the house closes; watch again when it is open"}


def test_nobody_begins_to_watch_while_the_house_closes(window: Window) -> None:
    assert window.console._window is not None
    window.console._loop.call(window.console._window.viewers.close)
    reply = window.says("GET /events")
    assert (reply.status, "the house closes" in reply.error) == (503, True)


# --- the log --------------------------------------------------------------------------------------


def test_lines_of_the_log_are_taken_only_while_somebody_wants_them(window: Window) -> None:
    before = sinks()
    with stream(window) as other:
        assert window.viewers() == (1, 0)
        assert sinks() == before
        with stream(window, "?logs=1") as views, stream(window, "?logs=1") as more:
            assert [window.viewers(), window.viewers()] == [(2, 0), (3, 0)]
            assert sinks() == before + 1
            logger.debug("too fine")
            logger.bind(stay="s1").warning("a line\ud800 with {}", "words\n")
            line = next(views)
            assert next(more) == line
            assert (line["view"], line["level"], line["text"]) == ("log", "WARNING", "a line? with words\n")
            assert abs(line["at"] - time.time()) < 5
            window.console.publish(View.STATUS, STATUS)
            assert next(other)["view"] == "status"
        while window.viewers() != (1, 0):
            pass
        assert sinks() == before


class AtOnce(IoLoop):
    """A loop that waits for nothing."""

    def call(self, callback: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        callback(*args, **kwargs)
        return True


def test_of_too_many_lines_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    second, shown = [1.9], list[str]()
    monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: second[0], time=time.time))
    tail = LogTail(AtOnce(), shown.append)
    for wanted in (True, True):
        tail.keep(wanted)
    for number in range(MOST_A_SECOND * 5):
        logger.info("{}", number)
    assert len(shown) == MOST_A_SECOND
    second[0] = 2.0
    logger.info("later")
    assert [json.loads(line)["text"] for line in shown[MOST_A_SECOND:]] == [
        f"{MOST_A_SECOND * 4} lines more are in the log only",
        "later",
    ]
    logger.remove(tail._sink)
    tail.keep(False)
    tail.keep(False)
    logger.info("nobody looks")
    assert len(shown) == MOST_A_SECOND + 2


def sinks() -> int:
    return len(logger._core.handlers)  # type: ignore[attr-defined]


# --- the client -----------------------------------------------------------------------------------


def test_the_client_sees_views_until_it_closes_from_another_thread(window: Window) -> None:
    seen, watcher = list[Shown](), watch(window.port, window.directory, words=True, logs=True)
    thread = threading.Thread(target=lambda: seen.extend(watcher))
    thread.start()
    assert window.viewers() == (1, 1)
    with stream(window) as views:
        window.console.publish(View.STATUS, STATUS)
        assert next(views)["view"] == "status"
        logger.info("a line")
        window.viewers()
    assert window.viewers() == (1, 1)
    watcher.close()
    thread.join(DEADLINE)
    assert not thread.is_alive()
    assert [type(view) for view in seen] == [StatusView, LogView]
    assert list(watcher) == []


def test_the_client_is_told_when_the_house_closes(window: Window) -> None:
    views = iter(watch(window.port, window.directory))
    with stream(window):
        window.console.close()
    with pytest.raises(client.ClientError):
        next(views)


@pytest.mark.parametrize(
    ("says", "error"),
    [
        (
            b"HTTP/1.1 200 OK\r\nServer: clankie\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n",
            client.OtherVersion,
        ),
        (
            b'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {"error":"no; do"}\n\n',
            client.NoAnswer,
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n:\n\n", client.NoAnswer),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", client.NotClankie),
        (b"HTTP/1.1 404 No\r\n\r\n", client.NotClankie),
        (b'HTTP/1.1 404 No\r\nServer: clankie\r\n\r\n{"error":"no"}', client.OtherVersion),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n:",
            client.NoAnswer,
        ),
    ],
    ids=range(7),
)
def test_whoever_else_answers_is_not_watched(
    tmp_path: Path, says: bytes, error: type[client.ClientError]
) -> None:
    stranger = Stranger(says)
    key_file(tmp_path, stranger.port).write_text("key")
    with pytest.raises(error):
        list(watch(stranger.port, tmp_path))
    stranger.close()
