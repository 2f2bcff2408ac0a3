"""`clankie ctl` and `clankie page`: what goes over the sill, what an operator reads, what a script gets."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
from typer.testing import CliRunner

from actors.console.client import BadRequest, ClientError, NoAnswer, NoKey, NotRunning
from actors.console.report import StayCosts, WhyReport
from actors.console.settings import door_file, key_file
from actors.console.wire_views import log_view
from messages.console import OrderAnswer, OrderResult
from messages.ids import RoomId
from messages.lifecycle import LifeState
from supervisors.cli import app, main
from supervisors.commands import console, ctl, ctl_events
from supervisors.commands.ctl import hush_seconds
from tests.supervisors import window as windows
from tests.supervisors.window import STAY, Window, line, node, receipt, stay, turn, words_view

ROOT = Path(__file__).parents[2]
DEADLINE = 20.0


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    window = Window(tmp_path / "console")
    (tmp_path / "config.toml").write_text(
        f'[console]\nport = {window.port}\ndirectory = "{tmp_path / "console"}"\n'
    )
    yield window
    window.close()


def clankie(tmp_path: Path, *words: str, typed: str | None = None) -> tuple[int, str, str]:
    """The exit code and what is said; an error of ours is raised as it is."""
    said = CliRunner().invoke(app, [*words, "--config", str(tmp_path / "config.toml")], input=typed)
    if said.exception is not None and not isinstance(said.exception, SystemExit):
        raise said.exception
    return said.exit_code, said.stdout, said.stderr


@pytest.mark.parametrize(
    ("words", "path", "body"),
    [
        (["join"], "/stays/join", {}),
        (["join", "room-7"], "/stays/join", {"room": "room-7"}),
        (["leave"], "/stays/leave", {}),
        (["leave", "--stay", STAY], "/stays/leave", {"stay": STAY}),
        (["say", "Hör zu."], "/say", {"text": "Hör zu."}),
        (["hush"], "/hush", {"seconds": 300.0}),
        (["hush", "0", "--stay", STAY], "/hush", {"seconds": 0.0, "stay": STAY}),
        (["interrupt"], "/interrupt", {}),
        (["withdraw", "person-1"], "/consent", {"person": "person-1", "granted": False}),
        (["restart", "root/captain"], "/actors/restart", {"path": "root/captain"}),
        (["flush"], "/evidence/flush", {}),
        (["purge", "person-1"], "/evidence/purge", {"person": "person-1"}),
        (["shutdown", "--yes"], "/shutdown", {}),
    ],
)
def test_an_order_goes_over_the_sill_and_its_answer_is_printed(
    tmp_path: Path, window: Window, words: list[str], path: str, body: dict[str, object]
) -> None:
    assert clankie(tmp_path, "ctl", *words) == (0, "it is done\n", "")
    assert window.orders.get(timeout=5) == (path, body)


@pytest.mark.parametrize(
    ("result", "code", "to_stderr"),
    [("done", 0, False), ("refused", 1, True), ("gone", 3, True), ("pending", 4, False)],
)
def test_the_exit_code_says_how_it_ended(
    tmp_path: Path, window: Window, result: str, code: int, to_stderr: bool
) -> None:
    window.answer = OrderAnswer(
        result=OrderResult(result), code="x", text="so \x9b2Jit [b]ended", facts={"a": 1}
    )
    said = "so 2Jit [b]ended\n"
    assert clankie(tmp_path, "ctl", "flush") == (code, "" if to_stderr else said, said if to_stderr else "")
    exit_code, out, _ = clankie(tmp_path, "ctl", "flush", "--json")
    assert (exit_code, out.isascii()) == (code, True)
    assert json.loads(out) == {
        "result": result,
        "code": "x",
        "text": "so \x9b2Jit [b]ended",
        "facts": {"a": 1},
    }


def test_trouble_has_a_code_of_its_own_and_a_remedy_in_one_line(
    tmp_path: Path, window: Window, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.toml").write_text(f'[console]\ndirectory = "{tmp_path}/\\u009b2J"\n')
    words = ["clankie", "ctl", "flush", "--port", str(window.port), "-c", str(tmp_path / "config.toml")]
    monkeypatch.setattr(sys, "argv", words)
    switching, excepthook = sys.getswitchinterval(), threading.excepthook
    try:
        with pytest.raises(SystemExit, match="2"):
            main()
    finally:
        sys.setswitchinterval(switching)
        threading.excepthook = excepthook
    said, complaint = capsys.readouterr()
    assert said == ""
    assert complaint.startswith("the key of the house is not at")
    assert (complaint.count("\n"), "\x9b" in complaint) == (1, False)


def test_a_house_that_is_not_there_and_a_key_that_is_wrong_are_told_apart(
    tmp_path: Path, window: Window
) -> None:
    key_file(tmp_path / "console", window.port).write_text("another")
    with pytest.raises(NoKey, match="does not accept the key; start that house again"):
        clankie(tmp_path, "ctl", "flush")
    window.close()
    with pytest.raises(NotRunning, match="clankie run"):
        clankie(tmp_path, "ctl", "flush")


@pytest.mark.parametrize(
    ("duration", "seconds"),
    [("90", 90), ("90s", 90), ("1.5", 1.5), ("5m", 300), ("1h", 3600), ("1h30m5s", 5405), ("24h", 86_400)],
)
def test_people_say_how_long_as_they_like(duration: str, seconds: float) -> None:
    assert hush_seconds(duration) == seconds


@pytest.mark.parametrize("duration", ["", "soon", "m5", "-5", "5 m", "25h", "nan", "٥m"])
def test_what_is_no_time_is_said_with_what_would_be_one(duration: str) -> None:
    with pytest.raises(BadRequest, match=r"write 90|say 24h"):
        hush_seconds(duration)


@pytest.mark.parametrize(("typed", "code", "orders"), [("y\n", 0, 1), ("n\n", 1, 0)])
def test_to_close_the_house_wants_a_yes(
    tmp_path: Path, window: Window, monkeypatch: pytest.MonkeyPatch, typed: str, code: int, orders: int
) -> None:
    monkeypatch.setattr(ctl, "_somebody_sits_there", lambda: True)
    assert clankie(tmp_path, "ctl", "shutdown", typed=typed)[0] == code
    assert window.orders.qsize() == orders


def test_nobody_can_say_yes_through_a_pipe(tmp_path: Path, window: Window) -> None:
    with pytest.raises(BadRequest, match="say it with --yes"):
        clankie(tmp_path, "ctl", "shutdown")
    assert window.orders.empty()


# --- looking ---------------------------------------------------------------------------------------


def test_the_tree_is_a_line_for_each_actor_with_the_whole_path(tmp_path: Path, window: Window) -> None:
    tree = node("root", node("root/a", restarts=2), node("root/bb", waiting=3, state=LifeState.CLOSING))
    window.report = windows.report(tree=tree)
    assert clankie(tmp_path, "ctl", "tree")[1].splitlines() == [
        "root     open  restarts 0  waiting 0",
        "root/a   open  restarts 2  waiting 0",
        "root/bb  closing  restarts 0  waiting 3",
    ]
    assert json.loads(clankie(tmp_path, "ctl", "tree", "--json")[1])["children"][0]["restarts"] == 2


def test_the_stays_are_a_table_with_whole_ids(tmp_path: Path, window: Window) -> None:
    assert clankie(tmp_path, "ctl", "stays")[1] == "he is in no room\n"
    room = RoomId("123456789012345678901")
    window.report = windows.report(stay(room_id=room, hushed_s=6_100.0, costs=StayCosts(amount=0.5)))
    said = clankie(tmp_path, "ctl", "stays")[1]
    assert all(part in said for part in (STAY, room, "hushed", "0.5000", "USD"))
    assert json.loads(clankie(tmp_path, "ctl", "stays", "--json")[1])[0]["stay_id"] == STAY


def test_why_is_told_line_by_line(tmp_path: Path, window: Window) -> None:
    gone = "nothing is known of such a stay; see clankie ctl stays, or clankie report\n"
    assert clankie(tmp_path, "ctl", "why", "--stay", "never") == (3, "", gone)
    assert clankie(tmp_path, "ctl", "why")[1] == "nobody has said anything that he had to decide on\n"
    window.why = WhyReport(lines=(line("wake\x9b2J"),), turns=(turn(trigger="address", outcome="spoke"),))
    first, second = clankie(tmp_path, "ctl", "why", "--most", "5")[1].splitlines()
    assert first.endswith("…234567890 addressed → wake2J by name")
    assert second.endswith("turn address → spoke")
    said = clankie(tmp_path, "ctl", "why", "--json")[1]
    assert (json.loads(said)["lines"][0]["decision"], said.isascii()) == ("wake\x9b2J", True)


def test_events_are_lines_as_they_come_until_ctrl_c(tmp_path: Path, window: Window) -> None:
    words = ["ctl", "events", "--words", "--logs", "--config", str(tmp_path / "config.toml")]
    process = subprocess.Popen(
        [sys.executable, "-m", "supervisors", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert window.watched.get(timeout=DEADLINE) == "/events?words=1&logs=1"
    window.show_status()
    window.show(receipt("discord.voice.floor").replace("2026-01-02T", "yesterday "))
    window.show(receipt("discord.voice.floor", stayId=STAY, state="engaged"), words_view("Hi \x1b[2J"))
    window.show(log_view(1e300, "WARNING", "the link is\nlost"))
    window.report = replace(window.report, evidence_lost=3)
    window.show_status()
    assert process.stdout is not None
    said = [process.stdout.readline().partition(" ")[2] for _ in range(5)]
    assert said[0].startswith("healthy · silent, for he is not in a room")
    assert said[1:4] == ["floor state engaged\n", "Anna: Hi [2J\n", "warning the link is lost\n"]
    assert said[4].endswith("3 receipts lost\n")
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=DEADLINE) == ("", "")
    assert process.returncode == 130


def test_events_for_machines_are_objects_and_a_pipe_that_breaks_is_an_end(
    tmp_path: Path, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, write = os.pipe()

    def reads() -> None:
        window.watched.get(timeout=DEADLINE)
        window.show(receipt("discord.voice.floor", stayId=STAY, state="\x9b2J"))
        with os.fdopen(read) as pipe:
            lines.extend(pipe.readline() for _ in range(2))
        while not over.wait(0.02):
            window.show_status()

    lines, over = list[str](), threading.Event()
    reader = threading.Thread(target=reads)
    reader.start()
    with os.fdopen(write, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        code = ctl_events.tell(tmp_path / "config.toml", None, words=False, logs=False, as_json=True)
        pipe.write("what Python has still to say at its end")
    over.set()
    reader.join(DEADLINE)
    status, shown = map(json.loads, lines)
    assert (code, status["view"], shown["receipt"]["data"]["state"]) == (0, "status", "\x9b2J")
    assert shown["receipt"]["occurredAt"] == "2026-01-02T03:04:05.678Z"
    assert lines[1].isascii()


def test_a_house_that_hangs_up_ends_the_events_with_a_sentence(tmp_path: Path, window: Window) -> None:
    def hangs_up() -> None:
        window.watched.get(timeout=DEADLINE)
        window.close()

    house = threading.Thread(target=hangs_up)
    house.start()
    with pytest.raises(NoAnswer, match="hung up; see whether it runs"):
        clankie(tmp_path, "ctl", "events")
    house.join(DEADLINE)


# --- the Tab key -----------------------------------------------------------------------------------


def offered(tmp_path: Path, words: str, shell: str = "bash") -> list[str]:
    """What the Tab key offers after these words, the last of which is begun."""
    typed = words.replace("CONFIG", str(tmp_path / "config.toml"))
    environment = {
        "_CLANKIE_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split(" ")) - 1),
        "_TYPER_COMPLETE_ARGS": typed,
    }
    said = CliRunner().invoke(app, [], prog_name="clankie", env=environment)
    assert said.stderr == ""
    return said.stdout.split()


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("clankie ctl re", ["restart"]),
        ("clankie pa", ["page"]),
        ("clankie ctl restart --config CONFIG root/e", ["root/evidence"]),
        ("clankie ctl leave --config CONFIG --stay s", [STAY]),
        ("clankie ctl join --config CONFIG room", ["room-1"]),
        ("clankie ctl withdraw --config CONFIG p", ["person-1", "person-2"]),
    ],
)
def test_the_tab_key_knows_the_verbs_and_asks_the_house_for_names(
    tmp_path: Path, window: Window, words: str, names: list[str]
) -> None:
    window.report = windows.report(stay(heard=("person-2", "person-1", "p\x1b[2J", "someone")))
    assert offered(tmp_path, words) == names


@pytest.mark.usefixtures("window")
def test_zsh_is_offered_the_same(tmp_path: Path) -> None:
    said = " ".join(offered(tmp_path, "clankie ctl restart --config CONFIG root/c", "zsh"))
    assert '"root/console"' in said


@pytest.mark.parametrize("words", ["clankie ctl restart -c CONFIG root", "clankie ctl restart -c none x"])
def test_without_a_house_the_tab_key_is_silent(tmp_path: Path, window: Window, words: str) -> None:
    window.close()
    assert offered(tmp_path, words) == []


def test_a_house_that_says_nothing_does_not_hold_up_the_tab_key(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        (tmp_path / "config.toml").write_text(f'[console]\nport = {port}\ndirectory = "{tmp_path}"\n')
        key_file(tmp_path, port).write_text("a-key")
        began = monotonic()
        assert offered(tmp_path, "clankie ctl restart -c CONFIG root") == []
        assert monotonic() - began < DEADLINE


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_gets_a_script_that_asks_back(shell: str) -> None:
    said = CliRunner().invoke(app, [], prog_name="clankie", env={"_CLANKIE_COMPLETE": f"source_{shell}"})
    assert f"_CLANKIE_COMPLETE=complete_{shell}" in said.stdout


# --- the page --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "display", "opened"),
    [((), ":0", True), ((), "", False), (("--print",), ":0", False)],
)
def test_the_page_is_printed_and_opened_where_there_is_a_screen(
    tmp_path: Path,
    window: Window,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    display: str,
    opened: bool,
) -> None:
    links: list[str] = []
    monkeypatch.setattr(webbrowser, "open", links.append)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    link = f"http://127.0.0.1:{window.port}/#key=a-key"
    assert clankie(tmp_path, "page", *words) == (0, f"{link}\n", "")
    door = door_file(tmp_path / "console", window.port)
    assert links == ([door.as_uri()] if opened else []), "no key where everybody can read it"
    assert door.exists() is opened
    if opened:
        assert f'location.replace("{link}")' in door.read_text("utf-8")
        assert door.stat().st_mode & 0o777 == 0o600


def test_a_house_that_was_killed_has_no_page(tmp_path: Path, window: Window) -> None:
    window.close()
    assert key_file(tmp_path / "console", window.port).exists()
    with pytest.raises(NotRunning, match="clankie run"):
        clankie(tmp_path, "page", "--print")


class Terminal(io.StringIO):
    """Something that somebody sits at."""

    def isatty(self) -> bool:
        """So it says."""
        return True


@pytest.mark.usefixtures("window")
def test_the_console_wants_a_terminal_and_its_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ClientError, match="needs a terminal; for pipes there is: clankie ctl events"):
        clankie(tmp_path, "console")
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(ClientError, match=r"is dumb .*: clankie ctl events"):
        console.watch(tmp_path / "config.toml", None)
    monkeypatch.setattr("supervisors.commands.console.find_spec", lambda _: None)
    with pytest.raises(ClientError, match=r"is not installed; run: make setup .*\[console\]"):
        clankie(tmp_path, "console")
