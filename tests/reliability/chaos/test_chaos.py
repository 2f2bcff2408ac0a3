"""A short night: a handful of troubles in a real house, and every promise is kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from supervisors.cli import app
from tests.reliability.chaos.history import write
from tests.reliability.chaos.plan import Happening, Window
from tests.reliability.chaos.play import HISTORY, Script, played
from tests.reliability.chaos.trouble import Kind
from tests.reliability.chaos.verdict import verdict
from tests.source import ROOT

TROUBLES = (
    (0.5, Kind.STRANGER, "", 4.0),
    (1.0, Kind.ACTOR_CRASHES, "tts", 0.0),
    (2.0, Kind.CUT, "conversation", 0.0),
    (2.5, Kind.ORDER_FORGED, "", 0.0),
    (3.0, Kind.SOUND_LOSSY, "", 2.0),
    (4.0, Kind.SERVER_MOVES, "", 0.5),
)
SHORT = Script(
    seed=1,
    minutes=0.25,
    happenings=tuple(
        Happening(number=number, at=at, kind=kind, target=target, seconds=seconds)
        for number, (at, kind, target, seconds) in enumerate(TROUBLES, 1)
    ),
    windows=(Window(begins=5.0, healed=10.5, ends=15.0),),
)
ENOUGH = 4
"""Of the troubles have to hit: on a busy machine he may be over one before it is looked at."""
DEADLINE = 60.0


def test_whatever_goes_wrong_for_ten_seconds_he_answers_afterwards_and_keeps_every_promise(
    tmp_path: Path,
) -> None:
    told: list[str] = []
    happened = played(SHORT, tmp_path, told.append)
    write(happened, tmp_path / HISTORY)
    found = verdict(SHORT.seed, SHORT.minutes, happened)
    assert found.broken == ()
    assert (len(found.answers), found.questions) == (1, 1)
    assert len(found.troubles) >= ENOUGH, found.missed
    assert any(said.person and said.heard for said in happened.said)


def test_a_night_of_trouble_plays_no_scenario() -> None:
    done = CliRunner().invoke(app, ["rehearse", "--chaos", "1", "play.toml"])
    assert done.exit_code == 2
    assert "leave out the files" in done.output
    assert CliRunner().invoke(app, ["rehearse"]).exit_code == 2


@pytest.mark.parametrize(("option", "word"), [("--help", "side-by-side"), ("--seeds=0", "Invalid value")])
def test_the_command_says_what_it_takes(option: str, word: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.reliability.chaos", option],
        cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE, check=False,
    )  # fmt: skip
    assert word in done.stdout + done.stderr
