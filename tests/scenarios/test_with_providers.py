"""The same scenes with ears, mind and mouth that are lent: real sockets, real speech, the vendors' rules."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from supervisors.commands.rehearse import Loaded
from supervisors.rehearsal.narrator import Silent
from supervisors.rehearsal.run import rehearse
from supervisors.theatre import LocalTheatre
from tests.loopback.bills import Bill, on_record
from tests.loopback.discord.theatre import DiscordTheatre
from tests.loopback.lender import lender

HERE = Path(__file__).parent
SCENES = (
    ("empty_room_leave", "loopback"),
    ("refusals", "loopback"),
    ("confirm", "loopback"),
    ("stop", "loopback-chat"),
)
"""A few, for time is short: `clankie rehearse --providers loopback tests/scenarios/*.toml` plays all."""


@pytest.mark.timeout(150)
@pytest.mark.parametrize(("scene", "offer"), SCENES)
def test_a_bundled_scenario_holds_with_lent_providers(scene: str, offer: str, tmp_path: Path) -> None:
    bills = list[Bill]()
    assert broken(scene, LocalTheatre(lender(offer, bills)), tmp_path) == []
    assert [on_record(tmp_path / "receipts.jsonl")] == bills


@pytest.mark.timeout(150)
def test_a_bundled_scenario_holds_over_discord_with_lent_providers(tmp_path: Path) -> None:
    assert broken("stop", DiscordTheatre(lender("loopback-dialogue")), tmp_path) == []


def broken(scene: str, theatre: Loaded, folder: Path) -> list[str]:
    """What was expected of a scene and did not come true."""
    with closing(theatre):
        for _ in theatre.speech.load():
            pass
        result = rehearse(HERE / f"{scene}.toml", folder, Silent(), theatre)
    return [verdict.sentence for verdict in result.verdicts if not verdict.held]
