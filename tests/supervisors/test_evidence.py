"""`clankie evidence`: what it says, and what scripts may rely on."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from actors.evidence.wire import to_line
from messages.evidence import Receipt
from supervisors.claims import claimed
from supervisors.cli import app
from supervisors.commands import evidence, trouble
from supervisors.settings import BadConfig
from tests.actors.chronicle.test_proof import ANNA, NEW, OLD, WHOLE
from tests.actors.evidence.test_purge import words_of
from tests.actors.evidence.test_wire import NOON

FILE = "receipts-2026-01-01.jsonl"


def write(folder: Path, receipts: tuple[Receipt, ...] = WHOLE, origin: str = "discord") -> Path:
    """A record of these receipts, one every two seconds, and its configuration."""
    record = folder / "evidence"
    record.mkdir(mode=0o700)
    with (record / FILE).open("w") as file:
        for place, receipt in enumerate(receipts):
            at = NOON + timedelta(seconds=2 * place)
            file.write(f"{to_line(receipt, entry_id=f'e{place}', occurred_at=at, origin=origin)}\n")
    config = folder / "config.toml"
    config.write_text(f'[evidence]\ndirectory = "{record}"\n')
    return config


def said(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["evidence", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        assert isinstance(result.exception, Exception)
        sentence, known = trouble.told(result.exception)
        return (2 if known else 70), sentence
    return result.exit_code, result.stdout


def test_a_record_is_checked_and_summed_up(tmp_path: Path) -> None:
    code, text = said("verify", "--config", write(tmp_path))
    assert (code, "the record holds" in text) == (0, True)
    assert "2 over, 0 open" in text


def test_a_record_that_does_not_hold_says_where_and_fails(tmp_path: Path) -> None:
    config = write(tmp_path)
    with (tmp_path / "evidence" / FILE).open("a") as file:
        file.write("{}\n")
    code, text = said("verify", "--config", config)
    assert (code, f"{FILE}:{len(WHOLE) + 1}: schemaVersion: missing" in text) == (1, True)
    code, text = said("verify", "--json", tmp_path / "evidence" / FILE)
    answer = json.loads(text)
    assert (code, answer["holds"], answer["problem_count"]) == (1, False, 1)
    assert answer["kinds"]["joined"] == 2


def test_while_a_house_is_at_work_a_stay_may_be_open(tmp_path: Path) -> None:
    config = write(tmp_path, WHOLE[:-1])
    assert said("verify", "--config", config)[0] == 1
    with claimed("[evidence] directory", tmp_path / "evidence"):
        code, text = said("verify", "--config", config)
    assert (code, f"open, as the house is at work: {NEW}" in text) == (0, True)


@pytest.mark.parametrize("verb", ["verify", "prove"])
def test_where_nothing_is_to_be_read_it_is_said_in_words(tmp_path: Path, verb: str) -> None:
    code, text = said(verb, tmp_path)
    assert (code, "there are no receipts in" in text) == (2, True)
    code, text = said(verb, tmp_path / "nowhere.jsonl")
    assert (code, "nowhere.jsonl: No such file or directory; mend that" in text) == (2, True)


def test_a_folder_that_a_rehearsal_left_can_be_named(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "evidence" / FILE).rename(tmp_path / "receipts.jsonl")
    assert said("verify", tmp_path)[0] == 0


def test_a_stay_is_proven_with_all_its_points(tmp_path: Path) -> None:
    code, text = said("prove", "--config", write(tmp_path))
    assert (code, text.count("✓"), "✗" in text) == (0, 10, False)
    assert f"stay {NEW}" in text
    code, text = said("prove", "--all", "--json", tmp_path / "evidence")
    answer = json.loads(text)
    assert (code, answer["holds"], [one["holds"] for one in answer["stays"]]) == (1, False, [False, True])


def test_a_rehearsal_fails_by_its_origin_alone(tmp_path: Path) -> None:
    write(tmp_path, origin="loopback")
    code, text = said("prove", tmp_path / "evidence", "--stay", NEW, "--json")
    [stay] = json.loads(text)["stays"]
    assert code == 1
    missing = [point["name"] for point in stay["points"] if not point["held"]]
    assert missing == ["on Discord, with living people", "came again"]


def test_a_line_that_cannot_be_read_might_say_the_opposite(tmp_path: Path) -> None:
    write(tmp_path)
    with (tmp_path / "evidence" / FILE).open("a") as file:
        file.write("nonsense\n")
    code, text = said("prove", tmp_path / "evidence")
    assert (code, f"{FILE}:{len(WHOLE) + 1}" in text) == (1, True)


def test_a_stay_that_is_not_there_is_trouble_and_no_stay_at_all_is_no_proof(tmp_path: Path) -> None:
    write(tmp_path)
    code, text = said("prove", tmp_path / "evidence", "--stay", "s77")
    assert (code, "no stay s77 is on record" in text) == (2, True)
    (tmp_path / "evidence" / FILE).write_text("")
    code, text = said("prove", tmp_path / "evidence")
    assert (code, "No stay is on record" in text) == (1, True)


def test_a_person_is_taken_out_where_no_house_is_at_work(tmp_path: Path) -> None:
    config = write(tmp_path)
    (tmp_path / "evidence" / "transcript-2026-01-01.jsonl").write_text(words_of(ANNA) + "\n")
    unfinished = tmp_path / "evidence" / "receipts-2025-12-31.jsonl.purging"
    unfinished.write_text(ANNA)
    code, text = said("purge", "--person", ANNA, "--config", config)
    named = sum(ANNA in str(one) for one in WHOLE)
    assert (code, text) == (
        0,
        f"1 line taken out of transcripts, {named} receipts changed\n",
    )
    assert not unfinished.exists()
    assert said("prove", "--config", config)[0] == 0
    gone = "nobody of that id is on record; name one that receipts have in personId\n"
    assert said("purge", "--person", ANNA, "--config", config) == (1, gone)
    code, text = said("purge", "--person", ANNA, "--config", config, "--json")
    assert json.loads(text) == {"person": ANNA, "lines": 0, "receipts": 0, "failed": ""}


def test_a_house_at_work_is_asked_to_do_it_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config, asked = write(tmp_path), list[object]()

    def give(*order: object, as_json: bool) -> int:
        asked.extend((*order, as_json))
        return 4

    monkeypatch.setattr(evidence, "give", give)
    with claimed("[evidence] directory", tmp_path / "evidence"):
        code, _ = said("purge", "--person", ANNA, "--config", config)
    assert (code, asked) == (4, ["/evidence/purge", {"person": ANNA}, config, None, False])


def test_nobody_cannot_be_taken_out(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="--person is empty"):
        evidence.forget(" ", write(tmp_path), None, as_json=False)


def test_the_schema_is_printed() -> None:
    code, text = said("schema")
    assert (code, json.loads(text)["title"]) == (0, "Receipt")


def test_parts_of_a_day_are_read_in_their_order_however_they_are_named(tmp_path: Path) -> None:
    write(tmp_path)
    whole = (tmp_path / "evidence" / FILE).read_text().splitlines(keepends=True)
    later = tmp_path / "evidence" / FILE.replace(".jsonl", ".1.jsonl")
    (tmp_path / "evidence" / FILE).write_text("".join(whole[:5]))
    later.write_text("".join(whole[5:]))
    for verb in ("verify", "prove"):
        assert said(verb, later, tmp_path / "evidence" / FILE, tmp_path / "evidence")[0] == 0


def test_houses_side_by_side_have_a_time_of_their_own_and_the_latest_stay_is_of_any(tmp_path: Path) -> None:
    for name, origin in (("a", "discord"), ("b", "loopback")):
        (tmp_path / name).mkdir()
        write(tmp_path / name, origin=origin)
        text = (tmp_path / name / "evidence" / FILE).read_text()
        for stay in (OLD, NEW):
            text = text.replace(f'"{stay}"', f'"{name}{stay}"')
        (tmp_path / name / "receipts.jsonl").write_text(text)
        (tmp_path / name / "evidence" / FILE).unlink()
    assert said("verify", tmp_path)[0] == 0
    for order in (("a", "b"), ("b", "a")):
        code, text = said("prove", *(tmp_path / name for name in order))
        assert (code, f"stay a{NEW}" in text) == (0, True)


def test_before_the_first_run_it_is_said_how_to_come_by_a_record(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[evidence]\ndirectory = "{tmp_path / "none"}"\n')
    code, text = said("verify", "--config", config)
    assert (code, "there are no receipts in" in text, (tmp_path / "none").exists()) == (2, True, False)


@pytest.mark.parametrize("verb", ["verify", "prove"])
def test_what_stands_in_a_record_gives_a_terminal_no_orders(tmp_path: Path, verb: str) -> None:
    write(tmp_path, WHOLE[:-1])
    record = tmp_path / "evidence" / FILE
    record.write_text(
        record.read_text().replace(f'"{NEW}"', '"s\\u001b[2J"').replace('"anna"', '"\\u001b]0;x"')
    )
    code, text = said(verb, record)
    assert (code, "s\ufffd[2J" in text, "\x1b" in text) == (1, True, False)


def test_the_latest_stay_is_the_latest_of_all_records_in_whatever_order_they_are_named(
    tmp_path: Path,
) -> None:
    write(tmp_path)
    whole = (tmp_path / "evidence" / FILE).read_text().splitlines(keepends=True)
    early, late = tmp_path / "early.jsonl", tmp_path / "late.jsonl"
    early.write_text("".join(line for line in whole if NEW not in line))
    late.write_text("".join(line for line in whole if NEW in line))
    for files in ((early, late), (late, early)):
        assert said("prove", *files)[0] == 0


def test_a_proof_takes_the_beginning_of_a_name(tmp_path: Path) -> None:
    write(tmp_path)
    record = tmp_path / "evidence" / FILE
    record.write_text(record.read_text().replace(f'"{NEW}"', '"abc1"').replace(f'"{OLD}"', '"abd2"'))
    code, text = said("prove", record, "--stay", "abc")
    assert (code, "stay abc1" in text) == (0, True)
    code, text = said("prove", record, "--stay", "ab")
    assert (code, text) == (2, "several stays begin with ab: abd2, abc1; say more of its name")


def test_garbage_is_told_apart_from_a_house_that_nobody_visited(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text("junk\n" * 10)
    code, text = said("prove", file)
    assert (code, "No stay is on record" in text, "10 lines are no receipts; the first is" in text) == (
        1,
        True,
        True,
    )
    file.write_text("junk\n")
    assert "1 line is no receipt;" in said("prove", file)[1]
    assert f"{file}:1: line: no JSON" in said("verify", file)[1]
    file.write_text("")
    code, text = said("verify", file)
    assert (code, "the record holds" in text, "there is no receipt in it" in text) == (0, False, True)
