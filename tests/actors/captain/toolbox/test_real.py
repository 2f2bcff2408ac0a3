"""A real server of tools, as a program and as an address: each of its tools is used for what it is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from actors.captain.settings import McpServer
from messages.ids import HandoffId
from tests.actors.captain.toolbox.box import PATIENCE, ROOT, Box, opened, real
from tests.loopback.mcp_server import INJECTION, LEDGER, png

HARMLESS = {"echo", "add", "picture", "file", "read_only", "inject", "grow", "huge"}


@contextmanager
def served(ledger: Path) -> Generator[McpServer]:
    """The real server on a port of its own."""
    command = [sys.executable, "-m", "tests.loopback.mcp_server", "http"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={LEDGER: str(ledger), "PATH": ""}
    ) as process:
        assert process.stdout is not None
        yield McpServer(url=f"http://127.0.0.1:{int(process.stdout.readline())}/mcp")
        process.kill()
        process.wait(PATIENCE)


def tried(box: Box, ledger: Path) -> None:
    """Everything that works, works."""
    offered = box.offered()
    assert {name for name, destroys in offered.items() if not destroys} == {f"m__{name}" for name in HARMLESS}
    assert box.use("m__echo", '{"text": "ahoi ✓"}').text == "ahoi ✓"
    assert box.use("m__add", '{"a": 2, "b": 0.5}').text == "2.5"
    assert box.use("m__inject").text == INJECTION
    picture = box.use("m__picture")
    assert picture.text == "a red dot"
    assert [(one.name, one.kind, one.data) for one in picture.attachments] == [
        ("image.png", "image/png", png())
    ]
    (table,) = box.use("m__file").attachments
    assert (table.name, table.kind, table.data[:4]) == ("tides.csv", "text/csv", b"hour")
    failed = box.use("m__fail")
    assert (failed.failed, failed.text) == ("tool_error", "the disk is full")
    huge = box.use("m__huge", '{"size": 200000}')
    assert (len(huge.text.encode()), huge.failed) == (64 << 10, "")
    assert huge.text.endswith("[too_large: the rest was left out]")
    box.use("m__delete_everything")
    assert ledger.read_text().split() == ["deleted"]


def grown(box: Box) -> None:
    """A tool that is new is told, without being asked for."""
    assert box.use("m__grow").text == "grown"
    assert "m__grown" in box.offered()
    assert box.use("m__grown").text == "all is there"


def broken_off(box: Box, ledger: Path) -> None:
    """Whoever works in vain hears of it, and of nothing else is he disturbed."""
    box.begin("m__slow", turn=HandoffId("other"))
    while "began" not in ledger.read_text():
        box.use("m__read_only")
    box.box.drop(HandoffId("other"))
    while "cancelled" not in ledger.read_text():
        box.use("m__read_only")


def gone(box: Box) -> None:
    """Its end is told, and what it was used for fails once."""
    assert box.use("m__crash").failed == "server_gone"
    assert box.trouble() in {"server_gone", "unreachable"}


@pytest.mark.parametrize("way", ["program", "address"])
def test_a_real_server_is_of_use_until_it_is_gone(way: str, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    if way == "program":
        with opened({"m": real(**{LEDGER: str(ledger)})}) as box:
            tried(box, ledger)
            grown(box)
            broken_off(box, ledger)
            gone(box)
        return
    with served(ledger) as server, opened({"m": server}) as box:
        tried(box, ledger)
        grown(box)
        broken_off(box, ledger)
        gone(box)
