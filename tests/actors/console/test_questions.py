"""What is asked at the window once: how things are, whether all is well, why, the numbers, and the page."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from actors.console import client, knock
from actors.console.live import assets, questions
from actors.console.report import Health
from actors.console.wire import parse, to_json, why_json
from actors.net.loop import IoLoop
from messages.console import StatusAsked, WhyAsked
from messages.ids import StayId
from tests.actors.console.fake import node
from tests.actors.console.test_silence import REPORT
from tests.actors.console.window import WHY, Stranger, Window


def test_the_parts_of_the_status_are_told_alone_too(window: Window) -> None:
    status = window.asks("/status")
    assert window.asks("/tree") == status["tree"]
    assert window.asks("/stays") == status["stays"]
    assert client.fetch_tree(window.port, window.directory) == REPORT.tree


def test_an_answer_that_comes_twice_is_nobodys_error(window: Window, errors: list[str]) -> None:
    for _ in range(3):
        assert window.says("GET /status").status == 200
    assert errors == []


def test_a_house_that_has_not_described_itself_has_no_tree_yet(window: Window) -> None:
    window.report = replace(REPORT, tree=None)
    assert window.says("GET /tree").status == 503
    with pytest.raises(client.NoAnswer, match="not described itself yet; ask again"):
        client.fetch_tree(window.port, window.directory)


def test_why_is_asked_of_one_stay_or_all_and_so_far_back(window: Window) -> None:
    assert client.fetch_why(window.port, window.directory) == WHY
    asked = window.told.expect(WhyAsked)
    assert (asked.stay, asked.most) == (None, 50)
    assert client.fetch_why(window.port, window.directory, stay=StayId("s1&ü"), most=200) == WHY
    asked = window.told.expect(WhyAsked)
    assert (asked.stay, asked.most) == ("s1&ü", 200)


def test_of_a_stay_that_nobody_knows_it_is_said_that_it_is_gone(window: Window) -> None:
    assert window.says("GET /why?stay=never").status == 410
    with pytest.raises(client.NoSuchStay, match="nothing is known of such a stay; see clankie ctl stays"):
        client.fetch_why(window.port, window.directory, stay=StayId("never"))


@pytest.mark.parametrize(
    "query",
    [
        *("most=0", "most=201", "most=-1", "most=1.5", "most=", "most=%D9%A3", "most=1&most=2"),
        *("stay=", "stay=%00", "stay=a%20b", f"stay={'x' * 129}", "more=1", "most=" + "9" * 5_000),
    ],
)
def test_what_nobody_can_mean_is_refused(window: Window, query: str) -> None:
    reply = window.says(f"GET /why?{query}")
    assert reply.status == 422
    assert reply.error
    assert not any(isinstance(event, WhyAsked) for event in window.told.received())


@pytest.mark.parametrize("path", ["/status", "/tree", "/stays", "/why"])
def test_a_console_that_does_not_answer_is_no_secret(
    window: Window, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "ANSWER_SECONDS", 0.02)
    window.answers = False
    assert window.says(f"GET {path}").status == 503


def test_whether_all_is_well_is_told_to_everybody_and_nothing_else(window: Window) -> None:
    reply = window.says("GET /health", Authorization=None)
    assert (reply.status, json.loads(reply.body)) == (200, {"healthy": True, "because": []})
    assert client.fetch_health(window.port) == Health(healthy=True)


def test_a_house_that_is_not_well_says_so_without_a_name(window: Window) -> None:
    failing = node("root", node("root/evidence", kind="Evidence", facts={"failing": "ENOSPC"}))
    window.report = replace(REPORT, tree=failing)
    reply = window.says("GET /health", Authorization=None)
    assert (reply.status, json.loads(reply.body)["healthy"]) == (503, False)
    assert client.fetch_health(window.port) == Health(
        healthy=False, because=("the record cannot be written",)
    )
    assert b"s1" not in reply.body
    assert b"r1" not in reply.body


def test_a_house_that_does_not_answer_is_not_well(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "ANSWER_SECONDS", 0.02)
    window.answers = False
    reply = window.says("GET /health", Authorization=None)
    assert (reply.status, reply.body) == (503, b'{"healthy":false,"because":["the console does not answer"]}')


@pytest.mark.parametrize(
    "fetch", [client.fetch_health, lambda port: client.fetch_why(port, Path(__file__).parent)]
)
def test_another_program_is_not_taken_for_a_house(
    fetch: Callable[[int], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knock, "key_of", lambda *_: "key")
    stranger = Stranger(b"HTTP/1.1 200 OK\r\n\r\n{}")
    with pytest.raises(client.NotClankie):
        fetch(stranger.port)
    stranger.close()


def test_without_a_key_the_house_is_made_to_look_around_once_a_second(window: Window) -> None:
    for _ in range(20):
        assert window.says("GET /health", Authorization=None).status == 200
    assert sum(isinstance(event, StatusAsked) for event in window.told.received()) <= 2


def test_a_report_that_is_none_is_not_passed_on_in_parts(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "parse", lambda _: None)
    assert window.says("GET /tree").status == 503


def test_the_numbers_are_told_as_text_for_prometheus(loop: IoLoop, tmp_path: Path) -> None:
    window = Window(loop, tmp_path, metrics=lambda: f"clankie_thread {threading.get_ident()}\n")
    with window.line("GET /metrics") as response:
        assert response.getheader("Content-Type") == "text/plain; version=0.0.4; charset=utf-8"
        counted = response.read()
    on_the_loop = loop.submit(_thread()).result(2)
    assert counted.startswith(b"clankie_thread ")
    assert counted != f"clankie_thread {on_the_loop}\n".encode()
    window.console.close()


async def _thread() -> int:
    return threading.get_ident()


def test_numbers_that_take_too_long_are_not_waited_for(
    loop: IoLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "METRICS_SECONDS", 0.02)
    ready = threading.Event()
    window = Window(loop, tmp_path, metrics=lambda: str(ready.wait(5)))
    assert window.says("GET /metrics").status == 503
    ready.set()
    window.console.close()


def test_a_house_without_numbers_says_so(window: Window) -> None:
    assert window.says("GET /metrics").status == 404


def test_a_head_is_told_without_the_rest(window: Window) -> None:
    with window.line("HEAD /status") as response:
        assert response.status == 200
        assert response.getheader("Content-Length") == str(len(to_json(REPORT).encode()))
        assert response.read() == b""


# --- the page -------------------------------------------------------------------------------------


def test_the_page_may_load_nothing_from_elsewhere(window: Window) -> None:
    with window.line("GET /", Authorization=None) as response:
        assert response.read().lower().startswith(b"<!doctype html>")
        assert response.getheader("Content-Type") == "text/html; charset=utf-8"
        policy = (response.getheader("Content-Security-Policy") or "").split("; ")
        assert {"default-src 'self'", f"connect-src 'self' ws://127.0.0.1:{window.port}"} < set(policy)
        assert "unsafe" not in "".join(policy)
        assert response.getheader("X-Content-Type-Options") == "nosniff"
        assert response.getheader("X-Frame-Options") == "DENY"
        assert response.getheader("Referrer-Policy") == "no-referrer"
        assert "microphone=(self)" in (response.getheader("Permissions-Policy") or "")


def test_all_parts_of_the_page_are_there_and_are_known_again(window: Window) -> None:
    for file in sorted(assets.FOLDER.iterdir()):
        with window.line(f"GET /assets/{file.name}", Authorization=None) as response:
            assert (response.status, response.read()) == (200, file.read_bytes())
            assert response.getheader("Cache-Control") == "no-cache"
            tag = response.getheader("ETag") or ""
        known = window.says(f"GET /assets/{file.name}", Authorization=None, If_None_Match=f'"x", W/{tag}')
        assert (known.status, known.body) == (304, b"")


@pytest.mark.parametrize(
    "name", ["..%2Fport.py", "%2e%2e/port.py", "../port.py", "__init__.py", "x.css", "%00"]
)
def test_nothing_beside_the_page_is_read(window: Window, name: str) -> None:
    assert window.says(f"GET /assets/{name}", Authorization=None).status == 404


def test_only_what_belongs_on_a_page_is_given_away(tmp_path: Path) -> None:
    for name in ("index.html", "secret.key", "old.html~"):
        (tmp_path / name).write_text("x")
    (tmp_path / "folder.js").mkdir()
    found = assets.Assets(tmp_path)
    assert [name for name in ("index.html", "secret.key", "old.html~", "folder.js") if found.has(name)] == [
        "index.html"
    ]
    assert not assets.Assets(tmp_path / "nothing").has("index.html")


def test_an_installation_without_the_page_says_so(
    loop: IoLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets.Assets.__init__, "__defaults__", (tmp_path / "nothing",))
    window = Window(loop, tmp_path)
    assert window.says("GET /", Authorization=None).status == 404
    window.console.close()


def test_the_link_to_the_page_holds_the_key_where_no_server_sees_it(window: Window) -> None:
    link = client.page_link(window.port, window.directory)
    assert link == f"http://127.0.0.1:{window.port}/#key={window.key}"


def test_what_the_client_reads_is_what_was_told() -> None:
    assert parse(to_json(REPORT).encode()) == REPORT
    assert json.loads(why_json(WHY)) == asdict(WHY) | {"lines": [], "turns": []}
