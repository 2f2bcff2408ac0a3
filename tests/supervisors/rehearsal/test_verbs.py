"""`clankie rehearse` can be asked to tell more, or to play nothing at all."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from supervisors.cli import app
from supervisors.rehearsal.judge import Verdict
from supervisors.rehearsal.narrator import Told
from supervisors.rehearsal.scenario import BadScenario
from tests.supervisors.rehearsal.play import PLAY


def test_check_says_which_can_be_played_and_plays_none(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(PLAY, "utf-8")
    bad.write_text("limit = -1\n", "utf-8")
    said = CliRunner().invoke(app, ["rehearse", "--check", str(good)])
    assert (said.exit_code, "can be played" in said.output) == (0, True)
    assert isinstance(CliRunner().invoke(app, ["rehearse", "--check", str(bad)]).exception, BadScenario)
    assert {path.name for path in tmp_path.iterdir()} == {"good.toml", "bad.toml"}


@pytest.mark.parametrize(
    ("full", "held", "hinted"), [(False, False, True), (True, False, False), (False, True, False)]
)
def test_who_was_told_little_of_a_failure_learns_how_to_be_told_all(
    tmp_path: Path, full: bool, held: bool, hinted: bool
) -> None:
    out = io.StringIO()
    told = Told(Console(file=out, width=100), full=full)
    told.judged(Verdict(held=held, sentence="joined; never"))
    told.finished(tmp_path, "he has left")
    assert ("Play it with -v" in out.getvalue()) is hinted


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--chaos", "1", "--check"], "leave out --check"),
        (["--chaos", "1", "--discord", "-v"], "leave out --discord and --verbose"),
        (["--chaos", "1", "--providers", "loopback"], "leave out --providers"),
        (["--minutes", "1", "play.toml"], "a scenario lasts as long as it says"),
        (["--chaos", "1", "--minutes", "nan"], "write a number from 0.5 to 600"),
        (["--chaos", "1", "--minutes", "inf"], "write a number from 0.5 to 600"),
    ],
)
def test_what_would_be_ignored_or_is_no_number_is_refused(options: list[str], words: str) -> None:
    done = CliRunner().invoke(app, ["rehearse", *options], env={"COLUMNS": "200"})
    assert (done.exit_code, words in done.output) == (2, True), done.output
