"""The same scenes over a Discord: real encryption, real packets, and him as a program of his own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisors.rehearsal.narrator import Silent
from supervisors.rehearsal.run import rehearse
from tests.loopback.discord.theatre import DiscordTheatre

HERE = Path(__file__).parent
SCENES = ("stop", "unconsented")
"""Two, to keep the suite short; `clankie rehearse --discord tests/scenarios/*.toml` plays every one."""


@pytest.fixture(scope="module")
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
    monkeypatch.setenv("CLANKIE_EVIDENCE__ORIGIN", "home")
    result = rehearse(HERE / f"{scene}.toml", tmp_path, Silent(), theatre)
    assert [verdict.sentence for verdict in result.verdicts if not verdict.held] == []
    lines = (tmp_path / "receipts.jsonl").read_text().splitlines()
    assert {json.loads(line)["data"]["origin"] for line in lines} == {"discord"}
