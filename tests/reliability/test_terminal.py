"""Also in a file or a pipe it is seen how far an instrument is, and what is left of one that was ended."""

from __future__ import annotations

import io
import os
import signal
import threading

import pytest
import typer
from rich.console import Console

from tests.reliability import terminal
from tests.reliability.terminal import COUNTED, in_order, progress

DEADLINE = 10.0


class Heard(io.StringIO):
    """A file in which somebody waits for a line."""

    def __init__(self) -> None:
        super().__init__()
        self.came = threading.Event()

    def write(self, text: str) -> int:
        written = super().write(text)
        if "sound: 25 %" in text:
            self.came.set()
        return written


def test_into_a_file_a_plain_line_says_how_far_everything_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "FIRST_SECONDS", 0.01)
    monkeypatch.setattr(terminal, "EVERY_SECONDS", 0.01)
    file = Heard()
    with progress(Console(file=file, width=20), *COUNTED) as shown:
        shown.update(shown.add_task("kills", total=100, says="of a very long evening"), completed=3)
        shown.update(shown.add_task("sound", total=1.0), completed=0.25)
        shown.add_task("over", total=2, completed=2)
        assert file.came.wait(DEADLINE)
    told = [line.rpartition(", ")[0] for line in file.getvalue().splitlines()]
    assert "kills: 3 of 100, of a very long evening" in told
    assert not any(line.startswith("over") for line in told)


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_whoever_ends_it_is_told_what_is_left_when_all_is_closed(name: signal.Signals) -> None:
    before = [signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGHUP)]
    file = io.StringIO()
    closed: list[str] = []

    def work() -> None:
        with in_order(Console(file=file, width=20), "his folders are in /x"):
            try:
                os.kill(os.getpid(), name)
            finally:
                closed.append(file.getvalue())

    with pytest.raises(typer.Exit) as left:
        work()
    assert closed == [""]
    assert file.getvalue() == "Interrupted. Everything is closed; his folders are in /x.\n"
    assert left.value.exit_code == 130
    assert [signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGHUP)] == before
