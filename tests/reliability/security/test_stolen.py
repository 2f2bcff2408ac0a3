"""Whoever steals all that he writes, and looks at all that runs, finds no key, no word and no open door."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from supervisors.rehearsal.kinds import Inner, Setting
from supervisors.rehearsal.stage import Overrides
from tests.loopback.mcp_server import LEDGER
from tests.reliability.figures import ROOT
from tests.reliability.night import Evening, night
from tests.reliability.security import sockets

NAMES: Final = ("Zwirblfax", "Quendrala")
WRITTEN: Final = "honeysuckle"
TOOL_KEY: Final = "tk-marked-for-the-tools-alone"
SAID: Final = ("what time is it", "This is number")
HIS: Final = ("evidence", "captain", "console")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loot:
    """What there was to take, by where it was."""

    secrets: dict[str, str]
    written: dict[str, str]
    shown: dict[str, str]
    """Arguments and environments, by process."""
    modes: dict[str, int]
    reachable: tuple[str, ...]


def secrets_of(evening: Evening) -> dict[str, str]:
    _, directory = evening.program.console()
    (key,) = directory.glob("*.key")
    return {
        "the token of the account": evening.discord.token,
        "OpenAI's key": evening.openai.key,
        "ElevenLabs' key": evening.elevenlabs.service.key,
        "the tools' key": TOOL_KEY,
        "the console's key": key.read_text("utf-8"),
    }


def shown_by(evening: Evening) -> Iterator[tuple[str, str]]:
    for pid, role in evening.program.processes().items():
        for what in ("cmdline", "environ"):
            yield f"{role} {what}", Path(f"/proc/{pid}/{what}").read_bytes().decode("utf-8", "replace")


@pytest.fixture(scope="module")
def loot(tmp_path_factory: pytest.TempPathFactory) -> Loot:
    folder = tmp_path_factory.mktemp("night")
    server: dict[str, Inner] = {
        "command": sys.executable,
        "args": ("-m", "tests.loopback.mcp_server", "stdio"),
        "env": {LEDGER: str(folder / "deeds"), "PYTHONPATH": str(ROOT), "TOOLS_API_KEY": TOOL_KEY},
    }
    told: dict[str, Setting] = {"level": "DEBUG"}
    tools: dict[str, Setting] = {"mcp": {"tools": server}}
    settings: Overrides = {"log": told, "captain": tools}
    with night(folder, NAMES, consenting=1, settings=settings) as evening:
        (folder / "config.toml").chmod(0o600)
        before = os.umask(0)
        try:
            evening.program.start()
        finally:
            os.umask(before)
        evening.come()
        asker = evening.guests[NAMES[0]]
        assert evening.ask(asker) is not None, evening.program.logs()
        asker.address(f"{WRITTEN}, what is in it?")
        evening.until(lambda: "tools" in evening.program.processes().values(), what="the tools")
        metrics = str(evening.program.order("GET", "/metrics")[1]["text"])
        shown = dict(shown_by(evening))
        reachable = tuple(sockets.reachable(evening.program.processes()))
        secrets = secrets_of(evening)
        modes = {str(path.relative_to(folder)): path.lstat().st_mode & 0o777 for path in everything(folder)}
        evening.program.crash("tts")
        evening.until(lambda: evening.ask(asker, 5.0) is not None, what="an answer after a crash")
        evening.program.stop()
        written = {str(one.relative_to(folder)): text(one) for one in everything(folder) if one.is_file()}
        written |= {path.name: text(path) for path in folder.glob("clankie-*.log")}
    return Loot(
        secrets=secrets,
        written={**written, "metrics": metrics},
        shown=shown,
        modes=modes,
        reachable=reachable,
    )


def everything(folder: Path) -> list[Path]:
    return [path for name in HIS for path in (folder / name, *(folder / name).rglob("*"))]


def text(path: Path) -> str:
    return path.read_text("utf-8", "replace")


def test_no_secret_is_in_anything_that_he_wrote(loot: Loot) -> None:
    assert [
        (what, where)
        for what, key in loot.secrets.items()
        for where in loot.written
        if key in loot.written[where]
    ] == []
    assert any(name.endswith(".log") and "the house is open" in text for name, text in loot.written.items())


def test_no_process_shows_a_secret_but_the_tools_the_one_that_is_theirs(loot: Loot) -> None:
    found = [
        (what, where)
        for what, key in loot.secrets.items()
        for where in loot.shown
        if key in loot.shown[where]
    ]
    assert found == [("the tools' key", "tools environ")]
    assert {where.partition(" ")[0] for where in loot.shown} == {"house", "media", "tools"}


def test_what_was_said_and_by_whom_is_nowhere_and_what_was_asked_is_in_the_captains_book_alone(
    loot: Loot,
) -> None:
    for where, text in loot.written.items():
        book = where.startswith("captain/lanes/")
        assert [one for one in SAID if one in text] == [], where
        assert [one for one in (*NAMES, WRITTEN) if one in text and not book] == [], where
    assert any(WRITTEN in text for text in loot.written.values())


def test_all_that_he_keeps_is_closed_to_others_whatever_the_umask(loot: Loot) -> None:
    assert {name: oct(mode) for name, mode in loot.modes.items() if mode not in {0o600, 0o700}} == {}
    assert len(loot.modes) > 6


def test_nobody_from_elsewhere_can_reach_any_of_his_processes(loot: Loot) -> None:
    assert loot.reachable == ()
