"""Whoever is taken out of the record is in it no longer, and what it proves is still proven."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from threading import Thread

import pytest

from actors.evidence import local, local_purge
from actors.evidence.files import Stream
from actors.evidence.forgetting import Forgotten
from actors.evidence.local_purge import Purge, clear_away, purge
from actors.evidence.reader import read, receipt_files
from actors.evidence.wire import Entry, to_line, words_line
from messages import evidence as say
from messages.ids import LineId, PersonId, RoomId, StayId, Token
from tests.actors.evidence.test_local import Pen
from tests.clock import ManualClock

NOON = ManualClock().wall()
DAY = NOON.date()
ANNA, BOB = PersonId("4711"), PersonId("4712")
STAY = StayId("s1")
PSEUDONYM = r"purged-[0-9a-f]{8}"
RECEIPTS: tuple[say.Receipt, ...] = (
    say.Joined(stay_id=STAY, room_id=RoomId("4711"), humans=2, bots=0, encryption="dave"),
    say.Consent(stay_id=STAY, person_id=ANNA, phase="granted"),
    say.Consent(stay_id=STAY, person_id=BOB, phase="granted"),
    say.Floor(stay_id=STAY, state="engaged", holder_id=ANNA, rule="name"),
    say.TextInput(stay_id=STAY, person_id=BOB, line_id=LineId("4711"), characters=4711),
    say.Left(stay_id=STAY, reason="shutdown", duration_ms=1),
)


def line_of(receipt: say.Receipt) -> str:
    line = to_line(receipt, entry_id="e", occurred_at=NOON, origin="local")
    assert isinstance(line, str)
    return line


def words_of(person: PersonId) -> str:
    words = say.HeardWords(stay_id=STAY, person_id=person, label="X", text="4711 is my number", typed=False)
    return words_line(words, occurred_at=NOON)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Two days of receipts and one transcript."""
    folder = tmp_path / "evidence"
    folder.mkdir(mode=0o700)
    text = "".join(line_of(one) + "\n" for one in RECEIPTS)
    (folder / "receipts-2025-12-31.jsonl").write_text(text)
    (folder / "receipts-2026-01-01.jsonl").write_text(text)
    spoken = [words_of(ANNA), words_of(BOB), words_of(ANNA)]
    (folder / "transcript-2026-01-01.jsonl").write_text("\n".join(spoken) + "\n")
    return folder


def kept(directory: Path) -> list[say.Receipt]:
    entries = list(read(receipt_files(directory)))
    assert all(isinstance(one, Entry) for one in entries)
    return [one.receipt for one in entries if isinstance(one, Entry)]


def test_a_pseudonym_stands_for_the_person_everywhere_and_nothing_else_changes(directory: Path) -> None:
    assert purge(directory, ANNA, receipts=True) == Purge(lines=2, receipts=4)
    after = kept(directory)
    names = {one.person_id for one in after if isinstance(one, say.Consent)} - {BOB}
    [pseudonym] = names
    assert re.fullmatch(PSEUDONYM, pseudonym)
    assert [one.holder_id for one in after if isinstance(one, say.Floor)] == [pseudonym] * 2
    assert [one for one in after if one in RECEIPTS] == [RECEIPTS[0], *RECEIPTS[2:3], *RECEIPTS[4:]] * 2
    text = (directory / "transcript-2026-01-01.jsonl").read_text()
    assert text == words_of(BOB) + "\n"


def test_only_words_go_where_only_words_shall_go(directory: Path) -> None:
    assert purge(directory, ANNA, receipts=False) == Purge(lines=2)
    assert kept(directory) == [*RECEIPTS] * 2


def test_whoever_is_not_in_it_changes_no_file_and_so_does_a_second_time(directory: Path) -> None:
    before = {path: path.stat().st_ino for path in directory.iterdir()}
    assert purge(directory, "nobody", receipts=True) == Purge()
    assert {path: path.stat().st_ino for path in directory.iterdir()} == before
    purge(directory, ANNA, receipts=True)
    assert purge(directory, ANNA, receipts=True) == Purge()


def test_new_files_are_for_their_owner_alone(directory: Path) -> None:
    purge(directory, ANNA, receipts=True)
    assert {stat.S_IMODE(path.stat().st_mode) for path in receipt_files(directory)} == {0o600}


@pytest.mark.parametrize("broken", [(os, "fsync"), (Path, "replace")])
def test_what_breaks_in_the_middle_leaves_the_old_file_whole(
    directory: Path, monkeypatch: pytest.MonkeyPatch, broken: tuple[object, str]
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "no space")

    with monkeypatch.context() as patch:
        patch.setattr(broken[0], broken[1], fail)
        assert purge(directory, ANNA, receipts=True) == Purge(failed="ENOSPC")
    assert kept(directory) == [*RECEIPTS] * 2
    assert not list(directory.glob("*.purging"))
    assert purge(directory, ANNA, receipts=True).receipts == 4


def test_what_a_killed_purge_left_is_cleared_away(directory: Path) -> None:
    (directory / "receipts-2026-01-01.jsonl.purging").write_text("half")
    clear_away(directory)
    assert not list(directory.glob("*.purging"))
    assert len(receipt_files(directory)) == 2


def test_a_way_out_of_the_folder_is_not_taken(directory: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_text(line_of(RECEIPTS[1]) + "\n")
    (directory / "receipts-2025-12-30.jsonl").symlink_to(elsewhere)
    assert purge(directory, ANNA, receipts=True).failed == "ELOOP"
    assert ANNA in elsewhere.read_text()


FOREIGN = {"type": "wave", "who": "4711", "stayId": "4711", "count": 4711, "note": "not 4711"}


def test_what_is_no_file_keeps_nobody_in_the_others(directory: Path) -> None:
    (directory / "receipts-2025-12-30.jsonl").mkdir()
    os.mkfifo(directory / "receipts-2025-12-29.jsonl")
    done = list[Purge]()
    purging = Thread(target=lambda: done.append(purge(directory, ANNA, receipts=True)), daemon=True)
    purging.start()
    purging.join(5)
    assert done == [Purge(lines=2, receipts=4, failed="EISDIR")]


def test_of_a_foreign_receipt_every_fact_that_is_the_name_loses_it() -> None:
    line = json.dumps({"type": "acme.wave", "data": FOREIGN}).encode() + b"\n"
    after = Forgotten(person="4711", pseudonym="purged-x").out_of_receipt(line)
    assert json.loads(after)["data"] == {**FOREIGN, "who": "purged-x"}
    assert after.endswith(b"\n")


def test_a_torn_line_loses_the_name_too_and_stays_torn() -> None:
    torn = line_of(RECEIPTS[1]).encode()[:-30]
    after = Forgotten(person=ANNA, pseudonym="purged-x").out_of_receipt(torn)
    assert ANNA.encode() not in after
    assert not after.endswith(b"\n")
    assert Forgotten(person=ANNA, pseudonym="x").is_whose_words(torn)


@pytest.fixture
def pen(tmp_path: Path) -> Iterator[Pen]:
    pen = Pen(tmp_path / "live")
    yield pen
    pen.sink.close(2)


def test_what_is_written_meanwhile_is_in_the_new_file(pen: Pen, tmp_path: Path) -> None:
    lines = [line_of(one) for one in RECEIPTS]
    pen.write(*lines, day=DAY)
    pen.write(words_of(ANNA), day=DAY, stream=Stream.TRANSCRIPT)
    pen.sink.purge(local_token(), ANNA, receipts=True)
    pen.write(lines[1], *lines, day=DAY)
    assert pen.told.expect(say.SinkPurged) == say.SinkPurged(token=local_token(), lines=1, receipts=2)
    pen.settle()
    after = kept(tmp_path / "live")
    assert len(after) == 2 * len(RECEIPTS) + 1
    assert after[len(RECEIPTS) + 1 :] == [*RECEIPTS]


def local_token() -> Token:
    return Token(7)


def test_a_purge_that_fails_stops_no_line(pen: Pen, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise PermissionError(13, "no")

    pen.write(line_of(RECEIPTS[1]), day=DAY)
    pen.settle()
    monkeypatch.setattr(local_purge, "_replace", fail)
    pen.sink.purge(local_token(), ANNA, receipts=True)
    assert pen.told.expect(say.SinkPurged).failed == "EACCES"
    pen.write("after", day=DAY)
    pen.settle()


def test_a_tidy_house_deletes_old_files_and_half_written_ones(pen: Pen, tmp_path: Path) -> None:
    pen.settle()
    folder = tmp_path / "live"
    for day in (0, 30, 31):
        (folder / f"receipts-{DAY - timedelta(days=day)}.jsonl").touch()
    (folder / "receipts-2026-01-01.jsonl.purging").touch()
    (folder / "lock").touch()
    os.utime(folder / "lock", (0, 0))
    pen.sink.tidy(DAY)
    pen.settle()
    days = {date.fromisoformat(path.name[9:19]) for path in receipt_files(folder)}
    assert days == {DAY, DAY - timedelta(days=30)}
    assert not list(folder.glob("*.purging"))
    assert (folder / "lock").stat().st_mtime > 0


def test_orders_to_tidy_up_that_wait_are_one(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[date] = []
    monkeypatch.setattr(local, "tidied", lambda _, today, __: times.append(today))
    pen = Pen(directory, began=False)
    for _ in range(3):
        pen.sink.tidy(DAY)
    pen.begin()
    pen.settle()
    assert times == [DAY]
    pen.sink.tidy(DAY)
    pen.settle()
    assert times == [DAY, DAY]
    pen.sink.close(2)


def test_a_purge_lets_go_of_no_line_that_is_not_on_disk(
    pen: Pen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pen.settle()
    synced, fsync = set[int](), os.fsync

    def noted(file: int) -> None:
        synced.add(os.fstat(file).st_ino)
        fsync(file)

    pen.write("a line of the time before", day=DAY)
    monkeypatch.setattr(os, "fsync", noted)
    pen.sink.purge(local_token(), ANNA, receipts=True)
    pen.told.expect(say.SinkPurged)
    assert (tmp_path / "live" / f"receipts-{DAY}.jsonl").stat().st_ino in synced
