"""A program may be as rude as it likes: it is heard, bounded, missed, and gone when it is to be gone."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path

import pytest
from loguru import logger

from actors.captain.live_toolbox import station, toolbox
from actors.captain.live_toolbox.toolbox import EmptyToolbox
from actors.captain.settings import McpServer
from actors.net.loop import fastest_loop
from messages.captain import MachineDone, ToolboxEvent
from messages.ids import CallId, HandoffId
from tests.actors.captain.toolbox.box import TURN, is_gone, opened, rude
from tests.actors.net.world import NewLoop
from tests.probe import Probe


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, fastest_loop], ids=["asyncio", "fastest"])
def test_two_threads_start_programs_side_by_side(new_loop: NewLoop) -> None:
    with opened({"one": rude("")}, new_loop=new_loop) as one, opened({"two": rude("")}) as two:
        assert one.offered() == {"one__do_it": True, "one__do_it_2": True}
        assert two.offered() == {"two__do_it": True, "two__do_it_2": True}
        assert (one.use("one__do_it").text, two.use("two__do_it_2").text) == ("0", "0")


def test_whoever_stays_is_ended_with_his_children() -> None:
    with opened({"m": rude("stays")}) as box:
        box.offered()
        child = os.pidfd_open(int(box.use("m__do_it").text))
        began = time.monotonic()
    assert is_gone(child)
    assert time.monotonic() - began < 10.0


def test_children_that_a_polite_program_leaves_are_ended_as_well() -> None:
    with opened({"m": rude("leaves")}) as box:
        box.offered()
        child = os.pidfd_open(int(box.use("m__do_it").text))
    assert is_gone(child)


def test_a_program_that_dies_is_missed_and_begun_again_and_its_use_is_not() -> None:
    with opened({"m": rude("dies")}) as box:
        box.offered()
        done = box.use("m__do_it")
        assert (done.failed, done.text) == ("server_gone", "")
        assert box.trouble() == "server_gone"
        assert box.use("m__do_it").failed == "not_sent"
        assert box.offered()


@pytest.mark.parametrize("mode", ["large", "fine"])
def test_more_than_is_bearable_is_too_large_and_no_end_of_the_server(mode: str) -> None:
    with opened({"m": rude(mode)}) as box:
        box.offered()
        assert box.use("m__do_it").failed == "too_large"
        assert box.use("m__do_it_2").text == "0"


def test_who_floods_is_read_slowly_and_none_of_it_is_written_down() -> None:
    lines: list[str] = []
    sink = logger.add(lines.append, level=0)
    with opened({"m": rude("chatty")}) as box:
        box.offered()
        assert box.use("m__do_it").text == "at last"
    logger.remove(sink)
    assert any("17000 notices" in line for line in lines)
    assert not any("secret" in line for line in lines)


def test_who_never_ends_a_line_costs_no_more_than_the_time_of_its_use() -> None:
    with opened({"m": rude("endless")}, seconds=0.3) as box:
        box.offered()
        assert box.use("m__do_it").failed == "timeout"


def test_a_server_that_asks_us_is_declined() -> None:
    with opened({"m": rude("asks")}) as box:
        box.offered()
        answer = json.loads(box.use("m__do_it").text)
        assert (answer["id"], "error" in answer) == ("s1", True)


def test_no_secret_of_ours_is_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLANKIE_OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("HTTPS_PROXY", "http://me:secret@proxy.example")
    server = rude("environment")
    configured = McpServer(command=server.command, args=server.args, env={"MUSIC": "loud"})
    with opened({"m": configured}) as box:
        box.offered()
        text = box.use("m__do_it").text
    assert "secret" not in text
    assert json.loads(text)["MUSIC"] == "loud"
    assert "PATH" in json.loads(text)


def test_words_are_no_answer_but_structure_is_one() -> None:
    with opened({"m": rude("structured")}) as box:
        box.offered()
        assert json.loads(box.use("m__do_it").text) == {"tide": "low"}


def test_who_never_answers_is_waited_for_so_long_and_not_longer() -> None:
    with opened({"m": rude("mute")}, seconds=0.2) as box:
        box.offered()
        assert box.use("m__do_it").failed == "timeout"


def test_what_was_dropped_is_not_answered_and_the_rest_is() -> None:
    with opened({"m": rude("mute")}, seconds=0.3) as box:
        box.offered()
        box.begin("m__do_it", turn=HandoffId("dropped"))
        kept = box.begin("m__do_it")
        box.box.drop(HandoffId("dropped"))
        assert box.done().call == kept
        assert [one for one in box.told.received() if isinstance(one, MachineDone)][1:] == []


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("m__do_it", "[1]", "bad_arguments"),
        ("m__do_it", "{", "bad_arguments"),
        ("m__other", "{}", "unknown_tool"),
        ("n__do_it", "{}", "unknown_tool"),
    ],
)
def test_what_cannot_be_used_is_answered_with_a_code(tool: str, arguments: str, code: str) -> None:
    with opened({"m": rude("")}) as box:
        box.offered()
        assert box.use(tool, arguments).failed == code


def test_no_more_tools_are_taken_than_there_is_room_for() -> None:
    with opened({"m": rude("many")}) as box:
        assert len(box.offered()) == 64


def test_trouble_at_the_beginning_has_a_name(tmp_path: Path) -> None:
    servers = {
        "babbles": rude("babbles"),
        "missing": McpServer(command="no-such-program-anywhere"),
        "folder": McpServer(command=str(tmp_path)),
        "exits": McpServer(command="false"),
    }
    found: dict[str, str] = {}
    for name, server in servers.items():
        with opened({name: server}) as box:
            found[name] = box.trouble()
    assert found == {
        "babbles": "bad_frame",
        "missing": "no_program",
        "folder": "no_program",
        "exits": "server_gone",
    }


def test_who_does_not_even_greet_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(station, "GREET_SECONDS", 0.2)
    with opened({"m": rude("silent")}) as box:
        assert box.trouble() == "timeout"


def test_one_waits_ever_longer_and_a_minute_at_most() -> None:
    waits = station.patience()
    assert [next(waits) for _ in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_box_that_is_closed_at_once_leaves_nothing_behind() -> None:
    with opened({"m": rude("")}) as box:
        pass
    assert box.told.received() == []


def test_without_the_library_every_server_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImportError

    monkeypatch.setattr(toolbox, "_station", missing)
    with opened({"m": rude(""), "n": rude("")}) as box:
        assert (box.trouble(), box.trouble()) == ("not_installed", "not_installed")


def test_an_empty_box_has_no_tool() -> None:
    told: Probe[ToolboxEvent] = Probe()
    empty = EmptyToolbox()
    empty.open(told.tell)
    empty.use(TURN, CallId("call"), "m__do_it", "{}")
    empty.drop(TURN)
    assert told.expect(MachineDone).failed == "unknown_tool"
    empty.close()
    empty.use(TURN, CallId("call"), "m__do_it", "{}")
    assert len(told.received()) == 1
