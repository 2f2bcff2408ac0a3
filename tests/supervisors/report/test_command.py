"""The verb says in one sentence what it wants, and writes over nothing that is not its own."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from actors.evidence.wire import to_line
from messages.evidence import Joined
from messages.ids import RoomId, StayId
from supervisors.claims import claimed
from supervisors.cli import app
from supervisors.report.gathering import BadRecord
from tests.supervisors.report.evening import evening, write


@pytest.fixture(autouse=True)
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record in a folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return write(tmp_path / "receipts.jsonl", evening(40))


def ran(*args: str) -> str:
    """What the command prints; raises what it raises."""
    result = CliRunner().invoke(app, ["report", *args], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_it_writes_report_html_here_and_may_do_so_again(tmp_path: Path) -> None:
    for _ in range(2):
        assert ran("receipts.jsonl") == ""
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!doctype html>")
    assert {path.name for path in tmp_path.iterdir()} == {"receipts.jsonl", "report.html"}


def test_it_writes_over_a_stranger_only_by_force(tmp_path: Path) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("precious")
    with pytest.raises(BadRecord, match="give -o another file, or --force"):
        ran("receipts.jsonl", "-o", "mine.html")
    assert mine.read_text() == "precious"
    ran("receipts.jsonl", "-o", "mine.html", "--force")
    assert mine.read_text("utf-8").startswith("<!doctype html>")


def test_numbers_do_not_take_the_place_of_a_page() -> None:
    ran("receipts.jsonl")
    with pytest.raises(BadRecord, match="--force"):
        ran("receipts.jsonl", "--json", "-o", "report.html")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="is a folder; give -o a file in it"):
        ran("receipts.jsonl", "-o", str(tmp_path))


def test_a_page_that_cannot_be_written_is_named_as_it_was_asked_for() -> None:
    with pytest.raises(BadRecord, match=r"^nowhere/x\.html cannot be written \(No such file"):
        ran("receipts.jsonl", "-o", "nowhere/x.html")


def test_both_can_be_written_to_the_standard_output() -> None:
    assert ran("receipts.jsonl", "-o", "-").startswith("<!doctype html>")
    assert json.loads(ran("receipts.jsonl", "--json"))["stays"][0]["stay_id"] == "5f3a0c5d1b7e"


def test_one_stay_is_asked_for_by_the_beginning_of_its_name() -> None:
    assert len(json.loads(ran("receipts.jsonl", "--json", "--stay", "5f3"))["stays"]) == 1
    with pytest.raises(BadRecord, match="no stay is called 'x'; there are: 5f3a0c5d1b7e"):
        ran("receipts.jsonl", "--stay", "x")


def test_prices_and_the_folder_are_those_of_the_configuration(tmp_path: Path, record: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    record.rename(kept / "receipts-2026-03-01.jsonl")
    config = tmp_path / "own.toml"
    config.write_text(
        f'[evidence]\ndirectory = "{kept}"\n[costs]\ncurrency = "EUR"\n'
        '[costs.prices."gpt-realtime-2.1"]\ninput = 4\n'
    )
    told = json.loads(ran("--json", "--config", str(config)))
    assert (told["currency"], told["stays"][0]["cost"] > 0) == ("EUR", True)


def test_a_stay_in_a_house_at_work_goes_on_and_is_no_trouble(tmp_path: Path) -> None:
    kept, config = tmp_path / "kept", tmp_path / "own.toml"
    kept.mkdir(mode=0o700)
    joined = Joined(stay_id=StayId("s1"), room_id=RoomId("r"), humans=1, bots=0, encryption="local")
    began = datetime.now(UTC) - timedelta(minutes=2)
    line = to_line(joined, entry_id="e1", occurred_at=began, origin="local")
    (kept / "receipts-2026-03-01.jsonl").write_text(f"{line}\n")
    config.write_text(f'[evidence]\ndirectory = "{kept}"\n')
    own = ("--config", str(config))
    with claimed("[evidence] directory", kept):
        page, [stay] = ran(*own, "-o", "-"), json.loads(ran(*own, "--json"))["stays"]
    assert ("goes on, as the house is at work" in page, "not over yet" in page) == (True, True)
    assert ("no end on record" in page, "class=bad" in page) == (False, False)
    assert (stay["open"], stay["left"], stay["ended"] - stay["began"] >= 120) == (True, None, True)
    after, [killed] = ran(*own, "-o", "-"), json.loads(ran(*own, "--json"))["stays"]
    assert ("no end on record" in after, killed["open"], killed["began"]) == (True, False, killed["ended"])
