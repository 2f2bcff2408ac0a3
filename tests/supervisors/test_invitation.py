"""The way to his page is shown to a person at a terminal, once, and only while it leads there."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from actors.console.client import ClientError, fetch_health
from actors.console.settings import ConsoleSettings, key_file
from supervisors.cli import app
from supervisors.commands import invitation
from supervisors.commands.invitation import TRIES, Invitation
from supervisors.local import local_house
from supervisors.paths import kept_in
from supervisors.settings import load
from tests.supervisors.test_cli import free_port


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def until_open(port: int) -> None:
    end = time.monotonic() + 20.0
    while True:
        try:
            fetch_health(port)
        except ClientError:
            assert time.monotonic() < end
        else:
            return


def test_a_person_is_shown_the_way_once_it_leads_there_and_a_file_never(tmp_path: Path) -> None:
    port = free_port()
    table = {"port": port, "directory": str(tmp_path / "console")}
    settings = load(None, {**kept_in(tmp_path), "console": table})
    key_file(settings.console.directory, port).parent.mkdir(mode=0o700)
    key_file(settings.console.directory, port).write_text("of-a-house-that-was-killed")
    screen, log = Terminal(), io.StringIO()
    person, service = Invitation(settings.console, screen), Invitation(settings.console, log)
    person.show()
    assert screen.getvalue() == ""
    with local_house(settings) as house:
        until_open(port)
        for _ in range(3):
            person.show()
            service.show()
        assert house.trouble() == ""
        well = CliRunner().invoke(app, ["health", "--port", str(port)])
    links = re.findall(rf"http://127\.0\.0\.1:{port}/#key=(\S+)", screen.getvalue())
    assert len(links) == 1
    assert links[0] != "of-a-house-that-was-killed"
    assert log.getvalue() == ""
    assert (well.exit_code, well.output) == (0, "healthy\n")


def test_it_gives_up_on_a_console_that_never_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    def nobody(port: int, *_: object) -> None:
        asked.append(port)
        raise ClientError("nobody", "wait")

    monkeypatch.setattr(invitation, "fetch_status", nobody)
    shown = Invitation(ConsoleSettings(port=1), Terminal())
    for _ in range(TRIES + 5):
        shown.show()
    assert len(asked) == TRIES
