"""Orders over real sockets: who may give them, how long one may wait, and that going away takes them back."""

from __future__ import annotations

import asyncio
import gzip
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import IncompleteRead
from pathlib import Path

import pytest
from loguru import logger

from actors.console import client
from actors.console.caller import BadRequest, NoKey, TookTooLong, ask
from actors.console.live import asks as live_asks
from actors.console.live import guard
from actors.console.live.admission import MOST_BYTES
from actors.console.live.asks import MOST_ASKS, MOST_LINES, Lines
from actors.console.settings import HOST, key_file
from actors.console.wire import LONGEST_REQUEST, Answered, Used
from actors.net.loop import IoLoop, fastest_loop
from tests.actors.console.desk import Desk, answers, line_in, tells
from tests.actors.console.window import Stranger


@pytest.fixture
def desk(loop: IoLoop, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(loop, tmp_path / "console")
    yield desk
    desk.close()


@pytest.fixture(params=[asyncio.new_event_loop, fastest_loop], ids=["asyncio", "fastest"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    running = IoLoop(request.param)
    running.start()
    desk = Desk(running, tmp_path / "console")
    yield desk
    desk.close()
    assert running.stop(2)


def answer(desk: Desk, text: str) -> threading.Thread:
    """A captain who answers the next order, in a thread of his own."""
    thread = threading.Thread(target=lambda: answers(desk.asked(), text))
    thread.start()
    return thread


def test_an_order_is_told_tool_by_tool_and_then_answered(desk: Desk) -> None:
    with desk.posts() as response:
        assert response.getheader("Content-Type") == "application/x-ndjson"
        assert response.getheader("Cache-Control") == "no-store"
        assert response.will_close
        asked = desk.asked()
        assert asked.request == "come here"
        tells(asked, "voice_join", "joined")
        assert line_in(response) == {"tool": "voice_join", "outcome": "joined"}
        answers(asked, "Here I am.", "", "map.png")
        assert line_in(response) == {"answer": "Here I am.", "failed": "", "files": ["map.png"]}
        assert response.readline() == b""
    assert desk.console.describe()["orders"] == 0


def test_the_client_hears_each_tool_and_last_the_answer(desk: Desk) -> None:
    news = desk.asks("  komm hier rüber ✓ ")

    def captain() -> None:
        asked = desk.asked()
        assert asked.request == "komm hier rüber ✓"
        tells(asked, "voice_join", "joined")
        answers(asked, "Da bin ich.")

    thread = threading.Thread(target=captain)
    thread.start()
    assert list(news) == [
        Used(tool="voice_join", outcome="joined"),
        Answered(answer="Da bin ich.", failed="", files=()),
    ]
    thread.join(5)


@pytest.mark.parametrize("how", ["closed", "reset"])
def test_who_goes_away_has_it_taken_back(either: Desk, how: str) -> None:
    with either.posts() as response:
        asked = either.asked()
        if how == "reset":
            raw = response.fp.raw._sock  # type: ignore[attr-defined]
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert either.took_back().handoff == asked.handoff
    answers(asked, "too late")


def test_two_who_ask_at_once_get_their_own_answers(desk: Desk) -> None:
    with desk.posts(b'{"request": "a"}') as first:
        a = desk.asked()
        with desk.posts(b'{"request": "b"}') as second:
            b = desk.asked()
            answers(b, "B")
            assert line_in(second)["answer"] == "B"
        answers(a, "A")
        assert line_in(first)["answer"] == "A"
    assert desk.captain.received() == [a, b]


def test_more_than_so_many_are_sent_away_and_room_is_made_again(desk: Desk) -> None:
    with ExitStack() as waiting:
        for _ in range(MOST_ASKS):
            waiting.enter_context(desk.posts())
            desk.asked()
        with desk.posts() as refused:
            assert refused.status == 429
        with pytest.raises(client.NoAnswer, match="too many are asking the captain now"):
            list(desk.asks("me too"))
    for _ in range(MOST_ASKS):
        desk.took_back()
    thread = answer(desk, "yes")
    assert list(desk.asks("now?")) == [Answered(answer="yes", failed="", files=())]
    thread.join(5)


def test_a_slow_captain_is_waited_for_longer_than_anybody_else(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "LIFE_SECONDS", 0.1)
    monkeypatch.setattr(live_asks, "HEARTBEAT_SECONDS", 0.05)
    with desk.posts() as response, socket.create_connection((HOST, desk.port), timeout=5) as idle:
        asked = desk.asked()
        assert idle.recv(1) == b""
        for _ in range(6):
            assert line_in(response) == {"works": True}
        answers(asked, "at last")
        while (line := line_in(response)) == {"works": True}:
            pass
        assert line["answer"] == "at last"


def test_heartbeats_are_nothing_to_the_client(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_asks, "HEARTBEAT_SECONDS", 0.01)
    with pytest.raises(TookTooLong):
        list(desk.asks("come", seconds=0.3))
    assert desk.took_back().handoff == desk.asked().handoff


def test_who_does_not_read_is_hung_up_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_asks, "WRITE_SECONDS", 0.1)
    with desk.posts() as response:
        asked = desk.asked()
        for _ in range(8):
            tells(asked, "x" * 2**20, "done")
        assert desk.took_back().handoff == asked.handoff
        with pytest.raises((IncompleteRead, ConnectionResetError)):
            response.read()


def test_of_too_many_lines_the_oldest_are_dropped_and_counted() -> None:
    async def many() -> tuple[str, int]:
        lines = Lines()
        for number in range(MOST_LINES + 3):
            lines.put(str(number))
        return await lines.next(), lines.dropped

    assert asyncio.run(many()) == ("3", 3)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": None}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": "Bearer \u00fc"}, 401),
        ({"Authorization": "Basic KEY"}, 401),
        ({"Authorization": "KEY"}, 401),
        ({"Host": "example.com"}, 403),
        ({"Host": "127.0.0.1.example.com"}, 403),
        ({"Host": None}, 400),
        ({"Origin": "http://127.0.0.1"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Type": None}, 415),
        ({"line": "GET /captain/ask"}, 405),
        ({"line": "PUT /captain/ask"}, 405),
        ({"line": "OPTIONS /captain/ask"}, 405),
        ({"line": "POST /captain/ask/"}, 404),
    ],
)
def test_who_is_not_the_operator_orders_nothing(
    desk: Desk, headers: dict[str, str | None], status: int
) -> None:
    shown = {name: value and value.replace("KEY", desk.key) for name, value in headers.items()}
    with desk.posts(**shown) as response:  # type: ignore[arg-type]
        body = response.read().decode()
        assert response.status == status
        assert desk.key not in body
        assert "Access-Control-Allow-Origin" not in response.headers
        assert response.will_close or status == 404 or "Host" in headers
        assert (response.getheader("WWW-Authenticate") == "Bearer") is (status == 401)
    assert desk.captain.received() == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"come here",
        b"[]",
        b"{}",
        b'{"request": 1}',
        b'{"request": "  "}',
        b'{"request": "a", "tier": "owner"}',
        b'{"request": "\\ud800"}',
        b'{"request": "\xff"}',
        b"[" * 9_000,
        b'{"request": "%s"}' % (b"x" * (LONGEST_REQUEST + 1)),
    ],
    ids=range(11),
)
def test_what_is_no_order_is_refused(desk: Desk, body: bytes) -> None:
    with desk.posts(body) as response:
        assert (response.status, b"send {" in response.read()) == (422, True)
    assert desk.captain.received() == []


def test_nothing_is_unpacked(desk: Desk) -> None:
    packed = gzip.compress(b'{"request": "come here"}')
    with desk.posts(packed, Content_Encoding="gzip") as response:
        assert response.status == 422


def test_what_is_too_much_is_refused_before_it_is_all_there(desk: Desk, errors: list[str]) -> None:
    with desk.posts(b" " * (MOST_BYTES + 1), length=2**30) as response:
        assert response.status == 413
    chunks = 2 * (b"ffff\r\n" + b" " * 0xFFFF + b"\r\n")
    with desk.posts(chunks, Content_Length=None, Transfer_Encoding="chunked") as response:
        assert response.status == 413
    assert desk.captain.received() == []
    assert errors == []


def test_a_body_that_breaks_off_or_is_garbled_is_nobodys_error(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    with desk.posts(b"zz\r\n", Content_Length=None, Transfer_Encoding="chunked") as response:
        assert response.status == 400
    head = f"POST /captain/ask HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {desk.key}\r\n"
    with socket.create_connection((HOST, desk.port), timeout=5) as peer:
        peer.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{{".encode())
    thread = answer(desk, "still here")
    assert len(list(desk.asks("are you there"))) == 1
    thread.join(5)
    assert len(desk.captain.received()) == 1
    assert [record.getMessage() for record in caplog.records] == []


def test_the_key_is_for_its_owner_and_goes_with_the_house(desk: Desk) -> None:
    path = key_file(desk.directory, desk.port)
    assert (path.stat().st_mode & 0o777, desk.directory.stat().st_mode & 0o777) == (0o600, 0o700)
    assert len(desk.key) >= 43
    assert [each.name for each in desk.directory.iterdir()] == [path.name]
    desk.console.stop()
    assert desk.console.life.wait_gone(5)
    assert list(desk.directory.iterdir()) == []


def test_who_waits_when_the_house_closes_is_told_so(desk: Desk) -> None:
    with desk.posts() as response:
        asked = desk.asked()
        desk.console.stop()
        assert line_in(response) == {"answer": "", "failed": "console_closed", "files": []}
        assert desk.took_back().handoff == asked.handoff


def test_a_captain_who_never_answers_is_given_up(loop: IoLoop, tmp_path: Path) -> None:
    desk = Desk(loop, tmp_path, ask_seconds=0.1)
    assert list(desk.asks("come")) == [Answered(answer="", failed="timeout", files=())]
    assert desk.took_back().handoff == desk.asked().handoff
    desk.close()


def test_a_folder_that_is_open_to_others_keeps_no_key_and_nobody_asks(loop: IoLoop, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    desk = Desk(loop, tmp_path)
    trouble = str(desk.console.describe()["no_orders"])
    assert trouble == f"{tmp_path} is open to others; run chmod 700 {tmp_path}"
    with pytest.raises(NoKey, match="the key of the house is not at"):
        list(desk.asks("come"))
    desk.close()


def test_nothing_that_is_asked_and_no_key_is_in_the_log(desk: Desk) -> None:
    lines = list[str]()
    sink = logger.add(lines.append, level="TRACE")
    with desk.posts(b'{"request": "my secret"}') as response:
        answers(desk.asked(), "your secret")
        line_in(response)
    with desk.posts(b'{"request": "my secret"}', Authorization="Bearer secret"):
        pass
    logger.remove(sink)
    said = "".join(lines) + repr(desk.console) + repr(vars(desk.console))
    assert "secret" not in said
    assert desk.key not in said


# --- the client -----------------------------------------------------------------------------------


def test_without_a_key_the_client_says_which_file_and_that_it_must_be_the_same_user(
    desk: Desk, tmp_path: Path
) -> None:
    with pytest.raises(NoKey, match=f"is not at {tmp_path}/console-{desk.port}.key"):
        list(ask(desk.port, tmp_path, "come", seconds=5))
    path = key_file(tmp_path, desk.port)
    path.symlink_to(key_file(desk.directory, desk.port))
    with pytest.raises(NoKey, match="is no plain file; start the house again"):
        list(ask(desk.port, tmp_path, "come", seconds=5))
    path.unlink()
    path.mkdir()
    with pytest.raises(NoKey, match="is no plain file; start the house again"):
        list(ask(desk.port, tmp_path, "come", seconds=5))
    path.rmdir()
    path.write_text("an-old-one")
    with pytest.raises(NoKey, match="does not accept the key") as caught:
        list(ask(desk.port, tmp_path, "come", seconds=5))
    assert "an-old-one" not in str(caught.value)
    assert desk.captain.received() == []


@pytest.mark.parametrize("damaged", [b"", b"a key\r\nX-More: 1", "schlüssel".encode(), b"\xff\x00"])
def test_a_key_file_that_is_damaged_is_not_taken_for_a_stranger(
    desk: Desk, tmp_path: Path, damaged: bytes
) -> None:
    key_file(tmp_path, desk.port).write_bytes(damaged)
    with pytest.raises(NoKey, match="is no key; start the house again, which writes a new one"):
        list(ask(desk.port, tmp_path, "come", seconds=5))


@pytest.mark.parametrize("sign", ["\\", "\U0001f600", '"'])
def test_the_longest_request_is_taken_whatever_it_is_written_in(desk: Desk, sign: str) -> None:
    thread = answer(desk, "yes")
    assert list(desk.asks(sign * LONGEST_REQUEST)) == [Answered(answer="yes", failed="", files=())]
    thread.join(5)


@pytest.mark.parametrize("request_", ["", "  \n", "x" * (LONGEST_REQUEST + 1)])
def test_what_cannot_be_asked_is_not_sent(tmp_path: Path, request_: str) -> None:
    with pytest.raises(BadRequest):
        list(ask(1, tmp_path, request_, seconds=5))


def test_a_house_that_is_not_running_is_said(tmp_path: Path) -> None:
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(client.NotRunning, match=f"not on {HOST}:{port}"):
        list(ask(port, tmp_path, "come", seconds=5))


@pytest.mark.parametrize(
    ("says", "error"),
    [
        (b"220 mail.example.com ESMTP\r\n", client.NotClankie),
        (b"", client.NotClankie),
        (b"HTTP/1.1 404 No\r\n\r\n", client.NotClankie),
        (b"HTTP/1.1 200 OK\r\n\r\n{}\n", client.NotClankie),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (2**20 + 9), client.NotClankie),
        (b'HTTP/1.1 200 OK\r\n\r\n{"works": true}\n', client.NoAnswer),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{", client.NoAnswer),
        (b"HTTP/1.1 503 No\r\nServer: clankie\r\n\r\n\x1b[2J", client.OtherVersion),
    ],
    ids=range(8),
)
def test_whoever_else_answers_is_not_taken_for_him(
    tmp_path: Path, says: bytes, error: type[client.ClientError]
) -> None:
    stranger = Stranger(says)
    key_file(tmp_path, stranger.port).write_text("key")
    with pytest.raises(error) as caught:
        list(ask(stranger.port, tmp_path, "come", seconds=5))
    assert str(caught.value).isprintable()
    stranger.close()


def test_a_program_that_says_nothing_is_waited_for_only_so_long(tmp_path: Path) -> None:
    stranger = Stranger(None)
    key_file(tmp_path, stranger.port).write_text("key")
    with pytest.raises(TookTooLong), closing(ask(stranger.port, tmp_path, "come", seconds=0.1)) as news:
        list(news)
    stranger.close()
