"""Whatever is in the files is told of, and nothing twice: receipts by stay, all other lines by number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from messages import evidence as say
from messages.ids import StayId
from supervisors.report.gathering import SHOWN, BadRecord, Found, Stamped, chosen, files_in, gather
from tests.supervisors.report.evening import evening, lines, write


def gathered(*paths: Path) -> Found:
    return gather(paths, lambda _: None)


def test_folders_are_searched_files_are_taken_and_nothing_twice(tmp_path: Path) -> None:
    inner = tmp_path / "scene" / "state"
    inner.mkdir(parents=True)
    first, second = inner / "receipts-2026-03-01.jsonl", tmp_path / "receipts.jsonl"
    other = tmp_path / "events.jsonl"
    for path in (first, second, other):
        path.write_text("")
    assert set(files_in([str(tmp_path), str(second)])) == {first, second}
    assert files_in([str(other), str(inner / ".." / ".." / other.name)]) == (other,)
    assert files_in(["-"]) == (Path("/dev/stdin"),)


def test_a_folder_of_another_program_is_read_but_never_a_transcript(tmp_path: Path) -> None:
    (tmp_path / "transcript-2026-03-01.jsonl").write_text("")
    (tmp_path / "events.jsonl").write_text("")
    assert files_in([str(tmp_path)]) == (tmp_path / "events.jsonl",)


@pytest.mark.parametrize(("name", "says"), [("nowhere", "is not there"), ("", "has no receipts*.jsonl")])
def test_without_files_it_says_what_to_give(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(BadRecord, match="give") as trouble:
        files_in([str(tmp_path / name)])
    assert says in str(trouble.value)


def test_links_that_lead_nowhere_and_closed_folders_are_troubles_of_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = tmp_path / "receipts-2026-03-01.jsonl"
    loop.symlink_to(loop.name)
    with pytest.raises(OSError, match="symbolic links"):
        gathered(*files_in([str(tmp_path)]))

    def closed(folder: Path) -> Iterator[Path]:
        raise PermissionError(folder)

    monkeypatch.setattr(Path, "iterdir", closed)
    with pytest.raises(PermissionError):
        files_in([str(tmp_path)])


def test_two_receipts_of_one_number_at_two_times_are_two(tmp_path: Path) -> None:
    told = evening(20)
    one = write(tmp_path / "one.jsonl", told)
    two = write(tmp_path / "two.jsonl", [(at + 86_400, receipt) for at, receipt in told])
    assert (gathered(one, two).receipts, gathered(one, two).twice) == (2 * len(told), 0)


def test_a_house_without_a_stay_is_told_of_unless_a_stay_is_asked_for() -> None:
    ready = Found(house=[Stamped(at=0.0, receipt=say.BridgeReady(rooms=1))], receipts=1)
    assert chosen(ready, None) is ready
    with pytest.raises(BadRecord, match=r"there is no stay in it \(1 receipt of the house\)"):
        chosen(ready, "s")


def test_two_copies_of_a_record_are_one_record(tmp_path: Path) -> None:
    told = evening(60)
    one, two = (write(tmp_path / name, told) for name in ("receipts-2026-03-01.jsonl", "receipts.jsonl"))
    found = gathered(one, two)
    assert (found.receipts, found.twice) == (len(told), len(told))
    assert [len(stamped) for stamped in found.stays.values()] == [len(told)]


def test_receipts_are_in_the_order_of_time_whatever_the_order_of_files(tmp_path: Path) -> None:
    written = list(lines(evening(60)))
    late, early = tmp_path / "late.jsonl", tmp_path / "early.jsonl"
    late.write_text("\n".join(written[30:]) + "\n")
    early.write_text("\n".join(written[:30]) + "\n")
    (stamped,) = gathered(late, early).stays.values()
    assert [one.at for one in stamped] == sorted(one.at for one in stamped)
    assert isinstance(stamped[0].receipt, say.Joined)


def test_bad_lines_are_counted_by_number_and_a_torn_one_is_no_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "receipts.jsonl"
    good = list(lines(evening(20)))
    path.write_text("\n".join([good[0], "[]", *good[1:], good[-1][:40]]))
    found = gathered(path)
    assert (found.bad_lines, found.torn, found.receipts) == (1, 1, len(good))
    assert [(line.number, line.torn) for line in found.bad] == [(2, False), (len(good) + 2, True)]


def test_of_many_bad_lines_and_foreign_receipts_some_are_kept_and_all_counted(tmp_path: Path) -> None:
    path = tmp_path / "receipts.jsonl"
    foreign = [
        json.dumps(
            {
                "schemaVersion": 1,
                "id": f"f{number}",
                "occurredAt": "2026-03-01T19:00:00.000Z",
                "type": "discord.voice.sneeze",
                "data": {"type": "sneeze", "loud": True},
            }
        )
        for number in range(SHOWN + 5)
    ]
    path.write_text("\n".join([*foreign, *["[]"] * (SHOWN + 7)]) + "\n")
    found = gathered(path)
    assert (len(found.foreign), found.foreign_kinds.total()) == (SHOWN, SHOWN + 5)
    assert (len(found.bad), found.bad_lines) == (SHOWN, SHOWN + 7)
    with pytest.raises(BadRecord, match="there is no stay in it \\(205 foreign receipts, 207 lines"):
        chosen(found, None)


def test_what_the_captain_does_for_a_stay_belongs_to_it_and_progress_is_told(tmp_path: Path) -> None:
    told: list[int] = []
    found = gather([write(tmp_path / "receipts.jsonl", evening(2_000))], told.append)
    assert told == [2_000]
    (stamped,) = found.stays.values()
    assert any(isinstance(one.receipt, say.CaptainTool) for one in stamped)
    assert not found.house


def test_a_stay_is_chosen_by_the_beginning_of_its_name(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{name}.jsonl", evening(20, name)) for name in ("abc1", "abd2")]
    # Both evenings number their receipts alike, so they are read by themselves.
    both = gathered(paths[0])
    both.stays |= gathered(paths[1]).stays
    for name, says in (("ab", "several stays begin with 'ab'"), ("x", "no stay is called 'x'")):
        with pytest.raises(BadRecord, match=says) as trouble:
            chosen(both, name)
        assert "abc1, abd2" in str(trouble.value)
    assert list(chosen(both, None).stays) == ["abc1", "abd2"]
    assert list(chosen(both, "abd").stays) == ["abd2"]


def test_names_that_are_offered_give_a_terminal_no_orders() -> None:
    found = Found(stays={StayId("a\x1b[2J"): []})
    with pytest.raises(BadRecord, match=r"there are: a\ufffd\[2J$"):
        chosen(found, "b")
