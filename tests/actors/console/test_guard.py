"""A window with people who only stand there: whoever asks is still answered, and nobody stays for ever."""

from __future__ import annotations

import asyncio
import resource
import socket
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from actors.console import client
from actors.console.live import admission, guard
from actors.console.live import server as live
from actors.console.settings import HOST
from actors.net.loop import IoLoop, fastest_loop
from tests.actors.console.test_silence import REPORT
from tests.actors.console.window import Window


def stands(window: Window, says: bytes = b"") -> socket.socket:
    """A peer that says this much and no more."""
    line = socket.create_connection((HOST, window.port), timeout=5)
    line.sendall(says)
    return line


def everything(line: socket.socket) -> bytes:
    """All that comes until the other side hangs up, however it does."""
    said = b""
    try:
        while piece := line.recv(65536):
            said += piece
    except ConnectionResetError:
        pass
    return said


def asks(window: Window) -> socket.socket:
    """A peer that shows the key, has its answer, and stays."""
    says = f"GET /status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {window.key}\r\n\r\n"
    line = stands(window, says.encode())
    assert b"200 OK" in line.recv(65536)
    return line


def test_whoever_shows_no_key_keeps_nobody_out_and_goes_first(window: Window) -> None:
    with ExitStack() as idle, asks(window) as known:
        strangers = [idle.enter_context(stands(window)) for _ in range(3 * guard.MOST_CONNECTIONS)]
        assert client.fetch_status(window.port, window.directory) == REPORT
        assert everything(strangers[0]) == b""
        known.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert b"200 OK" in everything(known)


def test_more_than_so_many_are_sent_away_and_room_is_made_again(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "MOST_CONNECTIONS", 4)
    with ExitStack() as idle:
        for _ in range(guard.MOST_CONNECTIONS):
            idle.enter_context(asks(window))
        with pytest.raises(client.NoAnswer, match="too many are asking now"):
            client.fetch_status(window.port, window.directory)
        with stands(window) as refused:
            assert b"503" in everything(refused)
    until = time.monotonic() + 5
    while time.monotonic() < until:
        try:
            assert client.fetch_status(window.port, window.directory) == REPORT
        except client.NoAnswer:
            continue
        return
    pytest.fail("there is no room again")


@pytest.mark.parametrize("says", [b"", b"GET /sta", b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"])
def test_who_says_nothing_more_is_hung_up_on(
    window: Window, loop: IoLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: bytes
) -> None:
    monkeypatch.setattr(live, "SILENT_SECONDS", 0.2)
    impatient = Window(loop, tmp_path)
    with stands(impatient, says) as line:
        assert (b"200 OK" in everything(line)) is says.endswith(b"\r\n\r\n")
    impatient.console.close()
    assert client.fetch_status(window.port, window.directory) == REPORT


def test_a_client_that_speaks_for_ever_is_hung_up_on(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LIFE_SECONDS", 0.2)
    body = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n"
    with stands(window, body) as line:
        everything(line)
    assert client.fetch_status(window.port, window.directory) == REPORT


@pytest.mark.parametrize(
    "says",
    [
        "\x16\x03\x01\r\n\r\n",
        "GET /status HTTP/1.1\r\nno header\r\n\r\n",
        "GET /status HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        "GET /status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\0\r\n\r\n",
        "GET /status?{long} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /say HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
    ids=range(6),
)
def test_a_bad_request_is_answered_with_a_sentence_and_not_worth_a_line(
    window: Window, caplog: pytest.LogCaptureFixture, says: str
) -> None:
    with stands(window, says.format(key=window.key, long="x" * 9_000).encode()) as line:
        head, _, body = everything(line).partition(b"\r\n\r\n")
    assert b" 400 " in head
    assert b"\r\nServer: clankie\r\n" in head
    assert b"this is no request of HTTP/1.1" in body
    assert window.key.encode() not in body
    assert caplog.records == []


def test_an_error_of_ours_is_worth_a_line(
    window: Window, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_host: str | None) -> bool:
        raise RuntimeError("ours")

    monkeypatch.setattr(admission, "is_our_host", fail)
    reply = window.says("GET /status")
    assert (reply.status, reply.ours) == (500, True)
    assert reply.error == "the console has made a mistake; look into its log"
    assert [record.levelname for record in caplog.records] == ["ERROR"]


@pytest.fixture(params=[asyncio.new_event_loop, fastest_loop], ids=["asyncio", "fastest"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Window]:
    running = IoLoop(request.param)
    running.start()
    window = Window(running, tmp_path)
    yield window
    window.console.close()
    assert running.stop(2)


@contextmanager
def no_descriptors(beyond: int) -> Generator[None]:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (beyond + 1, most[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, most)


def test_without_descriptors_at_most_one_line_is_written_and_it_answers_when_there_are_some(
    either: Window, request: pytest.FixtureRequest, errors: list[str]
) -> None:
    assert client.fetch_status(either.port, either.directory) == REPORT
    # The fast loop hangs up on whoever comes meanwhile and says nothing; the other one lets him wait.
    lets_wait = "asyncio" in request.node.name
    with socket.socket() as line:
        line.settimeout(5)
        with no_descriptors(line.fileno()):
            line.connect((HOST, either.port))
            line.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            until = time.monotonic() + 5
            while lets_wait and not errors:
                assert time.monotonic() < until
        assert not lets_wait or b"200 OK" in everything(line)
    assert client.fetch_status(either.port, either.directory) == REPORT
    assert ["out of system resource" in line for line in errors] == [True] * lets_wait
