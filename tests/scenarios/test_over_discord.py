"""The same scenes over a Discord: real encryption, real packets, and him as a program of his own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from supervisors.rehearsal.narrator import Silent
from supervisors.rehearsal.run import rehearse
from tests.loopback.discord.theatre import DiscordTheatre

HERE = Path(__file__).parent
SCENES = ("unconsented", "refusals_elsewhere", "confirm", "watch")
"""A few, to keep the suite short; `clankie rehearse --discord tests/scenarios/*.toml` plays every one."""

DEADLINE = 60.0
HEARS_CTRL_C = """
import signal
from supervisors.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""The command, also where these tests run in a shell's background and inherit a deaf ear."""


@pytest.fixture(scope="session")
def theatre() -> Iterator[DiscordTheatre]:
    theatre = DiscordTheatre()
    yield theatre
    theatre.close()


@pytest.mark.timeout(150)
@pytest.mark.parametrize("scene", SCENES)
def test_a_bundled_scenario_holds_over_discord(
    theatre: DiscordTheatre, scene: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What this machine's own house is set to leads nobody away from the stage.
    monkeypatch.setenv("CLANKIE_DISCORD__PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("CLANKIE_EVIDENCE__ORIGIN", "local")
    result = rehearse(HERE / f"{scene}.toml", tmp_path, Silent(), theatre)
    assert [verdict.sentence for verdict in result.verdicts if not verdict.held] == []
    lines = (tmp_path / "receipts.jsonl").read_text().splitlines()
    assert {json.loads(line)["data"]["origin"] for line in lines} == {"loopback"}


def test_who_interrupts_a_play_leaves_no_process_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-c", HEARS_CTRL_C, "rehearse", "--discord", "--out", str(tmp_path)]
    scene = str(HERE / "stop.toml")
    with subprocess.Popen([*command, scene], stdout=subprocess.PIPE, text=True, cwd=HERE.parents[1]) as play:
        assert play.stdout is not None
        assert any("Clankie comes in" in line for line in play.stdout)
        assert len(_programs(tmp_path)) == 2
        play.send_signal(signal.SIGINT)
        assert "Interrupted. The house is closed" in play.communicate(timeout=DEADLINE)[0]
    assert (play.returncode, _programs(tmp_path)) == (130, [])


def _programs(folder: Path) -> list[str]:
    """Every process that was told of this folder."""
    found: list[str] = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = line.read_bytes().decode(errors="replace")
            found += [words] if str(folder) in words else []
    return found
