"""The ledger against real disks: full, forbidden, torn, and open to others."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from loguru import logger

from actors.captain import local_pages
from actors.captain.journal import (
    MOST_ENTRIES,
    OPERATOR_LANE,
    Book,
    Entry,
    LaneId,
    SaidAnswer,
    ToolBegun,
    ToolEnded,
    TurnOver,
)
from actors.captain.ledger_wire import LONGEST_TEXT, lane_of, parse_line, to_line
from actors.captain.local_lanes import LARGEST_LANE, MOST_LANES
from actors.captain.local_ledger import LocalLedger
from messages.ids import CallId, HandoffId
from tests.actors.captain.shelf import ADA, BEN, DAY, DEN, NOTE, NOW, Shelf, asked, said


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "state" / "captain")


@pytest.fixture
def log() -> Iterator[list[str]]:
    lines: list[str] = []
    sink = logger.add(lines.append, format="{level}: {message}")
    yield lines
    logger.remove(sink)


@pytest.fixture(autouse=True)
def no_disk_to_wait_for(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Hundreds of lines are no faster for being safe; that they are is tried by itself."""
    if "synced" not in request.node.name:
        monkeypatch.setattr(os, "fsync", lambda _: None)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_was_written_is_read_again_and_nobody_else_may_look(shelf: Shelf) -> None:
    lane: tuple[Entry, ...] = (
        asked("1", ADA, BEN),
        ToolBegun(at=NOW, handoff=HandoffId("1"), call=CallId("c"), tool="voice_join"),
        ToolEnded(at=NOW, handoff=HandoffId("1"), call=CallId("c"), tool="voice_join", outcome="joined"),
        said("1", "Ä\n\u2028\x00'\""),
        TurnOver(at=NOW, handoff=HandoffId("1"), how="answered", prompt="captain/1"),
    )
    ledger = shelf.write(*lane)
    assert ledger.append(OPERATOR_LANE, said("2", at=NOW + 1))
    assert ledger.keep((NOTE,))
    ledger.close()
    expected = Book(lanes=((DEN, lane), (OPERATOR_LANE, (said("2", at=NOW + 1),))), notes=(NOTE,))
    assert shelf.read() == expected
    found = sorted(shelf.directory.rglob("*"))
    assert {mode(path) for path in found if path.is_file()} == {0o600}
    assert {mode(path) for path in [shelf.directory, *found] if path.is_dir()} == {0o700}


def test_a_line_is_synced_before_anything_follows_from_it(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    really = os.fsync

    def noticed(file: int) -> None:
        really(file)
        synced.append(Path(f"/proc/self/fd/{file}").readlink().name)

    monkeypatch.setattr(os, "fsync", noticed)
    ledger = shelf.write(said("1"))
    assert synced == ["text-den.jsonl", "lanes"]
    assert ledger.append(DEN, said("2"))
    assert ledger.keep(())
    assert synced[2:] == ["text-den.jsonl", ".notes.json.new", "captain"]


@pytest.mark.parametrize("room", ["../../etc/x", "a/b", "é \0\n", ".", "%2F", "\ud800", ""])
def test_any_room_has_a_file_of_its_own_inside_the_directory(room: str, shelf: Shelf) -> None:
    lane = LaneId(f"voice-{room}")
    shelf.write(said("1"), lane=lane)
    (file,) = (shelf.directory / "lanes").iterdir()
    assert lane_of(file.name) == lane
    assert [found for found, _ in shelf.read().lanes] == [lane]


def test_a_stranger_among_the_files_is_left_alone(shelf: Shelf) -> None:
    shelf.write(said("1"))
    strangers = [shelf.file().with_name(name) for name in ("notes.txt", "text-%2.jsonl", ".x.jsonl")]
    for path in strangers:
        path.write_text("mine")
    assert len(shelf.read().lanes) == 1
    assert [path.read_text() for path in strangers] == ["mine"] * 3


def test_a_last_line_that_lacks_only_its_end_is_kept(shelf: Shelf) -> None:
    shelf.write(said("1"), said("2"))
    shelf.file().write_bytes(shelf.file().read_bytes().rstrip(b"\n"))
    assert shelf.read() == Book(lanes=((DEN, (said("1"), said("2"))),))


def test_a_file_whose_name_is_no_text_is_no_lane(shelf: Shelf) -> None:
    shelf.write(said("1"))
    shelf.file().with_name("text-%FF.jsonl").touch()
    assert shelf.read().lanes == ((DEN, (said("1"),)),)


def test_lines_that_are_none_are_passed_over_and_counted(shelf: Shelf, log: list[str]) -> None:
    shelf.write(said("1"))
    whole = to_line(said("2"))
    wrong = (
        whole.replace(b'"v":1', b'"v":2'),
        whole.replace(b'"text"', b'"person":"x","text"'),
        whole.replace(b'"2"', b"2"),
        b'{"v":1}\n',
        b"\xff\n",
        b"[" * 10_000 + b"\n",
    )
    with shelf.file().open("ab") as file:
        file.writelines([*wrong, whole, whole[:-9]])
    assert shelf.read() == Book(lanes=((DEN, (said("1"), said("2"))),), unreadable=7)
    assert shelf.file().read_bytes().endswith(whole), "what was torn is cut off, so that it is told once"
    assert shelf.read().unreadable == 6
    told = "WARNING: the captain's lanes: {} lines could not be read\n"
    assert log == [told.format(7), told.format(6)]
    shelf.write(said("3"))
    assert shelf.read().lanes == ((DEN, (said("1"), said("2"), said("3"))),)


def test_a_lane_is_never_longer_than_twice_what_is_kept_of_it(shelf: Shelf) -> None:
    ledger = shelf.ledger()
    ledger.open()
    for number in range(3 * MOST_ENTRIES):
        assert ledger.append(DEN, said(f"{number}"))
        assert shelf.lines() <= 2 * MOST_ENTRIES
    ((_, entries),) = shelf.read().lanes
    assert [one.handoff for one in entries] == [f"{number}" for number in range(400, 600)]


def test_a_lane_that_cannot_be_written_anew_is_not_tried_at_every_line(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []

    def full(path: Path, _: bytes) -> None:
        tries.append(path.name)
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(local_pages, "rewrite", full)
    shelf.write(*[said(f"{number}") for number in range(2 * MOST_ENTRIES + 9)])
    assert len(tries) == 2
    assert shelf.lines() == 2 * MOST_ENTRIES + 9


def test_long_answers_are_cut_and_a_large_lane_is_written_anew(shelf: Shelf) -> None:
    ledger = shelf.write(*[said(f"{number}", "ä" * 20_000) for number in range(50)])
    assert shelf.file().stat().st_size <= LARGEST_LANE
    ((_, entries),) = shelf.read().lanes
    assert isinstance(entries[-1], SaidAnswer)
    assert (entries[-1].handoff, len(entries[-1].text)) == ("49", LONGEST_TEXT)
    assert ledger.append(DEN, said("50"))


def test_what_is_too_old_goes_when_he_wakes(shelf: Shelf) -> None:
    shelf.write(said("1"), said("2", at=NOW + 2 * DAY))
    shelf.write(said("3"), lane=OPERATOR_LANE)
    shelf.now += 31 * DAY
    assert shelf.read().lanes == ((DEN, (said("2", at=NOW + 2 * DAY),)),)
    assert shelf.lines() == 1
    assert not shelf.file(OPERATOR_LANE).exists()


def test_what_is_too_old_goes_while_he_is_awake_as_well(shelf: Shelf) -> None:
    ledger = shelf.write(said("1"))
    shelf.now += 31 * DAY
    assert ledger.append(OPERATOR_LANE, said("2", at=shelf.now))
    assert not shelf.file().exists()
    assert shelf.lines(OPERATOR_LANE) == 1


def test_of_too_many_lanes_those_go_that_nobody_has_used_for_longest(shelf: Shelf) -> None:
    shelf.read()
    for number in range(MOST_LANES + 2):
        shelf.file(LaneId(f"text-{number}")).write_bytes(to_line(said("1", at=NOW - number)))
    ledger = shelf.ledger()
    lanes = [lane for lane, _ in ledger.open().lanes]
    assert (len(lanes), lanes[-1]) == (MOST_LANES, "text-0")
    assert len([*shelf.file().parent.iterdir()]) == MOST_LANES
    assert ledger.append(DEN, said("2"))
    assert not shelf.file(LaneId(f"text-{MOST_LANES - 1}")).exists()
    assert shelf.file().exists()


def test_what_somebody_said_is_gone_from_every_file(shelf: Shelf) -> None:
    over = TurnOver(at=NOW, handoff=HandoffId("1"), how="answered")
    ledger = shelf.write(asked("1", ADA, BEN), said("1", "for Ada"), over, asked("2", BEN), said("2"))
    assert ledger.append(OPERATOR_LANE, asked("3", ADA))
    assert ledger.append(LaneId("voice-den"), asked("4", BEN))
    with shelf.file(LaneId("voice-den")).open("ab") as file:
        file.write(b"something of Ada that cannot be read\n")
    (shelf.directory / "notes.json").write_text("{something of Ada")
    shelf.read()
    assert ledger.forget(ADA, ())
    kept = ((DEN, (asked("2", BEN), said("2"))), (LaneId("voice-den"), (asked("4", BEN),)))
    assert shelf.read() == Book(lanes=kept)
    left = b"".join(path.read_bytes() for path in shelf.directory.rglob("*.json*"))
    assert b'Ada"' in left
    assert b"for Ada" not in left
    assert b"of Ada" not in left


def test_what_told_his_notes_is_looked_for_until_it_is_gone(shelf: Shelf) -> None:
    read = ToolEnded(at=NOW, handoff=HandoffId("1"), call=CallId("c"), tool="recall", outcome="notes")
    ledger = shelf.write(asked("1", BEN), read, said("1", "It is chess."))
    shelf.directory.chmod(0o750)
    assert not ledger.forget(ADA, ("chess",))
    shelf.directory.chmod(0o700)
    assert ledger.forget(ADA, ())
    assert shelf.read().lanes == ((DEN, (asked("1", BEN), read)),)


def test_notes_that_cannot_be_read_are_set_aside_and_not_written_over(shelf: Shelf, log: list[str]) -> None:
    ledger = shelf.ledger()
    ledger.open()
    (shelf.directory / "notes.json").write_text('{"v":2}')
    assert shelf.read() == Book(unreadable=1)
    assert (shelf.directory / "notes.unreadable.json").read_text() == '{"v":2}'
    assert "notes.unreadable.json" in log[0]
    assert ledger.keep((NOTE,))
    assert shelf.read().notes == (NOTE,)


def test_a_directory_that_others_may_see_is_refused_with_the_remedy(shelf: Shelf, log: list[str]) -> None:
    shelf.write(said("1")).keep((NOTE,))
    shelf.directory.chmod(0o750)
    ledger = shelf.ledger()
    assert ledger.open() == Book()
    assert not ledger.append(DEN, said("2"))
    assert not ledger.append(DEN, said("2"))
    assert not ledger.forget(ADA, ())
    assert (
        f"ERROR: the captain's ledger cannot be written (EPERM): {shelf.directory} is open to others; "
        in (log[1])
    )
    assert len(log) == 3
    shelf.directory.chmod(0o700)
    assert ledger.append(DEN, said("3"))
    assert log[3:] == ["INFO: the captain's ledger can be written again\n"]
    assert not ledger.keep(())
    assert "start him again" in log[4]
    assert shelf.read() == Book(lanes=((DEN, (said("1"), said("3"))),), notes=(NOTE,))


def test_files_that_others_may_read_are_closed_to_them(shelf: Shelf) -> None:
    shelf.write(said("1")).keep((NOTE,))
    for path in (shelf.file(), shelf.directory / "notes.json"):
        path.chmod(0o644)
    shelf.read()
    assert (mode(shelf.file()), mode(shelf.directory / "notes.json")) == (0o600, 0o600)


def test_one_lane_that_cannot_be_read_costs_no_other(shelf: Shelf, tmp_path: Path) -> None:
    shelf.write(asked("1", BEN), asked("2", ADA))
    (tmp_path / "elsewhere").write_bytes(to_line(said("2")))
    shelf.file(OPERATOR_LANE).symlink_to(tmp_path / "elsewhere")
    shelf.file(LaneId("text-folder")).mkdir()
    ledger = shelf.ledger()
    assert ledger.open() == Book(lanes=((DEN, (asked("1", BEN), asked("2", ADA))),), unreadable=2)
    assert not ledger.append(OPERATOR_LANE, said("3"))
    assert not ledger.forget(ADA, ())
    assert shelf.file().read_bytes() == to_line(asked("1", BEN))
    assert (tmp_path / "elsewhere").read_bytes() == to_line(said("2"))


def test_where_nobody_may_write_nothing_is_written_and_nothing_breaks(log: list[str]) -> None:
    # Not even root makes a directory there.
    ledger = LocalLedger(Path("/sys/kernel/clankie"), keep_days=30, now=lambda: NOW)
    assert ledger.open() == Book()
    assert (ledger.append(DEN, said("1")), ledger.keep(()), ledger.forget(ADA, ())) == (False, False, False)
    assert "let this user write to /sys/kernel/clankie" in log[0]
    ledger.close()


def test_a_page_that_cannot_be_written_whole_leaves_the_old_one(tmp_path: Path) -> None:
    page = tmp_path / "page"
    local_pages.rewrite(page, b"old")
    (tmp_path / ".page.new").mkdir()
    with pytest.raises(OSError, match="directory"):
        local_pages.rewrite(page, b"new")
    assert page.read_bytes() == b"old"


def test_a_line_says_one_thing() -> None:
    both = to_line(said("1")).replace(b'"v":1', b'"v":1,"over":{"at":1.0,"handoff":"1","how":"answered"}')
    assert parse_line(both) is None


def test_a_line_from_a_time_that_no_clock_shows_is_none() -> None:
    over = TurnOver(at=NOW, handoff=HandoffId("1"), how="answered")
    assert parse_line(to_line(over)) == over
    for at in (-1.0, 1e15):
        assert parse_line(to_line(replace(over, at=at))) is None
