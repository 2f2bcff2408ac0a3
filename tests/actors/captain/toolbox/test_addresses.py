"""An address is told its token and nobody else is; it is followed nowhere, and measured like a program."""

from __future__ import annotations

import asyncio
import logging
import socket

import pytest
from loguru import logger

from actors.captain.live_toolbox import address, station
from actors.captain.live_toolbox.checkup import Finding, look
from actors.captain.settings import McpServer
from actors.net.loop import IoLoop
from tests.actors.captain.toolbox.box import PATIENCE, opened, rude
from tests.actors.captain.toolbox.desk import TOKEN, attended


def nobody() -> McpServer:
    """Where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return McpServer(url=f"http://127.0.0.1:{free.getsockname()[1]}/mcp")


def test_a_token_goes_to_its_server_and_into_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    lines: list[str] = []
    sink = logger.add(lines.append, level=0, diagnose=True)
    with attended() as desk, opened({"m": desk.server, "n": desk.server}, tokens={"m": TOKEN}) as box:
        assert {*box.offered(), *box.offered()} == {"m__ring", "n__ring"}
        assert box.use("m__ring").text == "xxxx"
        assert TOKEN not in repr(box.box)
    logger.remove(sink)
    assert {authorization for _, _, authorization in desk.asked} == {f"Bearer {TOKEN}", ""}
    assert not any(TOKEN in line for line in lines)
    # The library would write down every message, at a level that somebody may want for the rest.
    assert [
        one for one in caplog.records if one.name.startswith(("mcp", "client", "httpx2", "httpcore2"))
    ] == []


def test_a_server_that_sends_us_elsewhere_is_not_followed() -> None:
    with attended("elsewhere") as desk, opened({"m": desk.server}, tokens={"m": TOKEN}) as box:
        assert box.trouble() == "redirected"
    assert {path for _, path, _ in desk.asked} == {"/mcp"}


@pytest.mark.parametrize(
    ("mode", "code"),
    [
        ("401", "unauthorized"),
        ("403", "forbidden"),
        ("404", "not_found"),
        ("500", "provider_down"),
        ("packed", "bad_frame"),
    ],
)
def test_a_refusal_has_a_name(mode: str, code: str) -> None:
    with attended(mode) as desk, opened({"m": desk.server}) as box:
        assert box.trouble() == code


def test_nobody_there_has_a_name() -> None:
    with opened({"m": nobody()}) as box:
        assert box.trouble() == "unreachable"


@pytest.mark.parametrize("mode", ["large", "large events", "fine"])
def test_more_than_is_bearable_is_too_large(mode: str) -> None:
    with attended(mode) as desk, opened({"m": desk.server}) as box:
        box.offered()
        assert box.use("m__ring").failed == "too_large"


def test_much_news_before_an_answer_is_not_too_large() -> None:
    with attended("chatty") as desk, opened({"m": desk.server}) as box:
        box.offered()
        assert box.use("m__ring").text == "xxxx"


def test_an_answer_that_never_comes_ends_nothing_but_its_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "GRACE_SECONDS", 0.2)
    with attended() as desk, opened({"m": desk.server}, seconds=0.4) as box:
        box.offered()
        for _ in range(2):
            assert box.use("m__ring", '{"late": true}').failed == "timeout"
        assert box.use("m__ring", '{"half": true}').failed == "server_gone"
        assert box.use("m__ring").text == "xxxx"


def test_those_that_nobody_waits_for_are_in_nobodys_way() -> None:
    with attended() as desk, opened({"m": desk.server}, seconds=0.4) as box:
        box.offered()
        late = [box.begin("m__ring", '{"late": true}') for _ in range(station.MOST_AT_ONCE)]
        assert [box.done().failed for _ in late] == ["timeout"] * station.MOST_AT_ONCE
        while (done := box.use("m__ring")).failed == "busy":
            pass  # the server is being told that nobody waits
        assert done.text == "xxxx"


def test_what_no_message_can_hold_ends_nothing_but_its_use() -> None:
    with attended() as desk, opened({"m": desk.server}) as box:
        box.offered()
        assert box.use("m__ring", '{"a":' + "[" * 300 + "]" * 300 + "}").failed == "bad_arguments"
        assert box.use("m__ring").text == "xxxx"


def test_a_server_that_has_forgotten_us_is_greeted_anew_and_not_asked_twice() -> None:
    with attended("session") as desk, opened({"m": desk.server}) as box:
        box.offered()
        assert box.use("m__ring").failed == "server_gone"
        assert box.trouble() == "server_gone"
        box.offered()
        assert box.use("m__ring").text == "xxxx"


def test_a_farewell_is_said() -> None:
    with attended() as desk, opened({"m": desk.server}) as box:
        box.offered()
        box.box.close()
        assert desk.farewell.wait(PATIENCE)


def test_nobody_waits_for_what_is_said_to_a_farewell() -> None:
    loop = IoLoop(asyncio.new_event_loop)
    loop.start()
    try:
        with attended("clings") as desk:
            assert loop.submit(look("m", desk.server)).result(5).ok
    finally:
        assert loop.stop(2)


def test_a_look_says_what_is_offered_or_what_to_do() -> None:
    loop = IoLoop(asyncio.new_event_loop)
    loop.start()
    try:
        with attended("401") as desk:
            asked = (
                ("a", rude("")),
                ("b", McpServer(command="no-such-program-anywhere")),
                ("c", desk.server),
            )
            found = [loop.submit(look(name, server)).result(20) for name, server in asked]
    finally:
        assert loop.stop(2)
    assert found[0] == Finding(name="a", ok=True, says="offers 2 tools")
    assert [(one.ok, one.says) for one in found[1:]] == [
        (False, "its command is no program here"),
        (False, "it does not accept the token, or wants one"),
    ]
    assert all(one.remedy for one in found[1:])
