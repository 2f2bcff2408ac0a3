"""The way to his page is shown to a person at a terminal, once, and only while it leads there."""

from __future__ import annotations

import io
import re
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from loguru import logger
from typer.testing import CliRunner

from actors.console.settings import ConsoleSettings, key_file
from messages.lifecycle import LifeState, TreeNode
from supervisors.cli import app
from supervisors.commands import invitation
from supervisors.commands.invitation import TRIES, Invitation
from supervisors.house import House
from supervisors.local import local_house
from supervisors.paths import kept_in
from supervisors.settings import Settings, load
from tests.supervisors.test_cli import free_port


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(house: House, *invitations: Invitation) -> None:
    """As `clankie run` does it, until all of it is shown."""
    end = time.monotonic() + 20.0
    for one in invitations:
        while one.due():
            assert time.monotonic() < end
            asked = threading.Event()
            house.ask(Heard(one, asked))
            assert asked.wait(20.0)
            one.show()


@dataclass(frozen=True, slots=True)
class Heard:
    """Tells an invitation what it asked for, and that it did."""

    invitation: Invitation
    done: threading.Event

    def tell(self, tree: TreeNode, /) -> None:
        self.invitation.tell(tree)
        self.done.set()


@pytest.fixture
def log() -> Iterator[list[str]]:
    lines: list[str] = []
    sink = logger.add(lines.append, format="{message}")
    yield lines
    logger.remove(sink)


def a_house(folder: Path, port: int) -> Settings:
    return load(None, {**kept_in(folder), "console": {"port": port, "directory": str(folder / "console")}})


def test_a_person_is_shown_the_way_once_it_leads_there_and_a_file_never(
    tmp_path: Path, log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitation, "TRIES", 100_000)
    port = free_port()
    settings, config = a_house(tmp_path, port), Path("my house.toml")
    key_file(settings.console.directory, port).parent.mkdir(mode=0o700)
    key_file(settings.console.directory, port).write_text("of-a-house-that-was-killed")
    screen, file = Terminal(), io.StringIO()
    person = Invitation(settings.console, screen=screen)
    service = Invitation(settings.console, config, file, has_seats=True)
    person.show()
    assert screen.getvalue() == ""
    with local_house(settings) as house:
        shown(house, person, service)
        person.show()
        assert house.trouble() == ""
        well = CliRunner().invoke(app, ["health", "--port", str(port)])
    links = re.findall(rf"http://127\.0\.0\.1:{port}/#key=(\S+)", screen.getvalue())
    assert len(links) == 1
    assert links[0] != "of-a-house-that-was-killed"
    assert file.getvalue() == ""
    hints = [line for line in log if "sit down" in line]
    assert hints == ["to sit down with him: clankie page --config 'my house.toml'\n"]
    assert (well.exit_code, well.output) == (0, "healthy\n")


def test_where_the_console_cannot_listen_nobody_is_sent_to_who_has_its_port(
    tmp_path: Path, log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitation, "TRIES", 100_000)
    with socket.create_server(("127.0.0.1", 0)) as other:
        settings, screen = a_house(tmp_path, other.getsockname()[1]), Terminal()
        with local_house(settings) as house:
            shown(house, Invitation(settings.console, None, screen, has_seats=True))
    assert screen.getvalue() == ""
    assert [line for line in log if "sit down" in line] == []


def test_any_port_is_named(log: list[str]) -> None:
    seats = Invitation(ConsoleSettings(port=0), screen=io.StringIO(), has_seats=True)
    console = TreeNode(
        path="root/console",
        kind="Console",
        state=LifeState.OPEN,
        restarts=0,
        mailbox_depth=0,
        facts={"server": "port 4811"},
    )
    seats.tell(console)
    seats.show()
    assert log == ["to sit down with him: clankie page --port 4811\n"]


def test_it_gives_up_on_a_console_that_never_opens() -> None:
    waits = Invitation(ConsoleSettings(port=1), screen=Terminal())
    for _ in range(TRIES - 1):
        waits.show()
        assert waits.due()
    waits.show()
    assert not waits.due()
