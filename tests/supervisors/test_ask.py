"""`clankie ask`: what an operator types, what he reads, and the code that a script gets."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from actors.console.client import ClientError
from actors.net.loop import IoLoop
from messages.captain import AskAsOperator
from supervisors.cli import app
from supervisors.commands import ask
from tests.actors.console.desk import Desk, answers, tells

ROOT = Path(__file__).parents[2]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    loop = IoLoop()
    loop.start()
    desk = Desk(loop, tmp_path / "console")
    (tmp_path / "config.toml").write_text(
        f'[console]\nport = {desk.port}\ndirectory = "{tmp_path / "console"}"\n'
    )
    yield desk
    desk.close()
    assert loop.stop(2)


@pytest.fixture
def captain(desk: Desk) -> Iterator[list[str]]:
    """A captain who answers one order: with the strings of this list, a failure after a bar."""
    says = ["voice_join=joined", "Here I am."]

    def work() -> None:
        asked = desk.asked()
        for each in says[:-1]:
            tool, _, outcome = each.partition("=")
            tells(asked, tool, outcome)
        text, _, failed = says[-1].partition("|")
        answers(asked, text, failed, *(["a.png", "b.png"] if text == "Look." else ()))

    thread = threading.Thread(target=work)
    thread.start()
    yield says
    thread.join(5)


def clankie(tmp_path: Path, *words: str) -> tuple[int, str, str]:
    said = CliRunner().invoke(app, ["ask", *words, "--config", str(tmp_path / "config.toml")])
    assert said.exception is None or isinstance(said.exception, SystemExit), said.exception
    return said.exit_code, said.stdout, said.stderr


def typed(tmp_path: Path, words: bytes) -> int:
    """What `clankie ask -` makes of this standard input; a real file, as nothing else can be waited for."""
    (tmp_path / "typed").write_bytes(words)
    with pytest.MonkeyPatch.context() as patched, (tmp_path / "typed").open() as file:
        patched.setattr(sys, "stdin", file)
        return ask.order("-", tmp_path / "config.toml", None, as_json=False, seconds=10)


def test_the_tools_come_first_and_then_the_answer(tmp_path: Path, captain: list[str]) -> None:
    assert captain
    assert clankie(tmp_path, "come here") == (0, "voice_join: joined\nHere I am.\n", "")


def test_for_machines_each_line_is_an_object(tmp_path: Path, captain: list[str]) -> None:
    assert captain
    code, said, _ = clankie(tmp_path, "come here", "--json")
    assert code == 0
    assert list(map(json.loads, said.splitlines())) == [
        {"tool": "voice_join", "outcome": "joined"},
        {"answer": "Here I am.", "failed": "", "files": []},
    ]


@pytest.mark.parametrize(
    ("says", "printed"),
    [
        ("", "(he says nothing)\n"),
        ("Look.", "Look.\nwith files, which can be shown in chats only: a.png, b.png\n"),
        ("[b]\x1b[2J\u202ebold[/b]\r\nand \x9bmore", "[b][2Jbold[/b]\nand more\n"),
    ],
)
def test_what_he_says_is_printed_as_it_is_and_gives_the_terminal_no_orders(
    tmp_path: Path, captain: list[str], says: str, printed: str
) -> None:
    captain[:] = [says]
    assert clankie(tmp_path, "come here") == (0, printed, "")


@pytest.mark.parametrize(
    ("failed", "words"),
    [
        ("unauthorized", "the provider does not accept the key"),
        ("console_closed", "the console was closed meanwhile"),
        ("odd_code", "odd_code"),
    ],
)
def test_why_he_could_not_answer_is_said_in_words(
    tmp_path: Path, captain: list[str], failed: str, words: str
) -> None:
    captain[:] = [f"|{failed}"]
    assert clankie(tmp_path, "come here") == (1, "", f"he could not answer: {words}\n")


def test_for_machines_a_failure_is_a_code_of_its_own_too(tmp_path: Path, captain: list[str]) -> None:
    captain[:] = ["|quota\x9b"]
    code, said, _ = clankie(tmp_path, "come here", "--json")
    assert (code, json.loads(said)["failed"], said.isascii()) == (1, "quota\x9b", True)


def test_a_dash_reads_it_from_the_input(tmp_path: Path, desk: Desk, captain: list[str]) -> None:
    captain[:] = ["Yes."]
    assert typed(tmp_path, "hör zu\nund komm \xff\n".encode("latin-1")) == 0
    [asked] = desk.captain.received()
    assert asked.request == "h\ufffdr zu\nund komm \ufffd"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("words", "says"), [(b" \n", "nothing to ask"), (b"x" * 99_999, "is more than 4,000 characters; say it")]
)
def test_what_cannot_be_asked_is_said_with_what_to_do(tmp_path: Path, words: bytes, says: str) -> None:
    (tmp_path / "config.toml").write_text("[console]\nport = 1\n")
    with pytest.raises(ClientError, match=says):
        typed(tmp_path, words)


def test_an_input_that_is_closed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.toml").write_text("[console]\nport = 1\n")
    monkeypatch.setattr(sys, "stdin", None)  # as where it was started with <&-
    with pytest.raises(ClientError, match='no standard input; write it: clankie ask "come here"'):
        ask.order("-", tmp_path / "config.toml", None, as_json=False, seconds=1)


def test_an_input_that_has_no_end_is_waited_for_only_so_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.toml").write_text("[console]\nport = 1\n")
    read, write = os.pipe()
    os.write(write, b"come he")
    with os.fdopen(read) as endless, os.fdopen(write, "w"):
        monkeypatch.setattr(sys, "stdin", endless)
        with pytest.raises(ClientError, match=r"has not ended within 0\.1 s; end it, or allow more time"):
            ask.order("-", tmp_path / "config.toml", None, as_json=False, seconds=0.1)


def test_the_port_that_is_named_counts(tmp_path: Path) -> None:
    with pytest.raises(ClientError, match="not running, or not on"):
        CliRunner().invoke(app, ["ask", "come", "--port", "1"], catch_exceptions=False)
    assert not list(tmp_path.iterdir())


def test_one_who_has_no_more_time_hangs_up_and_says_so(tmp_path: Path, desk: Desk) -> None:
    code, _, said = clankie(tmp_path, "come here", "--timeout", "1")
    assert (code, said) == (1, "no answer within 1 s, and what you asked is taken back\n")
    assert desk.took_back().handoff == desk.asked().handoff


def test_ctrl_c_takes_it_back_and_says_so(tmp_path: Path, desk: Desk) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "supervisors", "ask", "come here", "-c", str(tmp_path / "config.toml")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        asked = desk.captain.expect(AskAsOperator, 20)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=10) == ("", "hung up, and what you asked is taken back\n")
        assert process.returncode == 130
        assert desk.took_back().handoff == asked.handoff
    finally:
        process.kill()
        process.communicate(timeout=10)


@pytest.mark.parametrize(("terminal", "moves"), [(True, True), (False, False)])
def test_something_moves_on_a_terminal_and_nothing_on_a_pipe(terminal: bool, moves: bool) -> None:
    out = io.StringIO()
    with ask.waiting(Console(file=out, force_terminal=terminal, width=80)):
        pass
    assert ("he is at it" in out.getvalue()) is moves
