"""Receipts of other programs are shown as they stand, and those of ours come out as ours."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.evidence import reader, wire
from actors.evidence.foreign import Foreign, parse_any
from actors.evidence.reader import BadLine, read_any, records_of
from actors.evidence.wire import Entry
from messages.evidence import BridgeReady, Floor
from messages.ids import StayId
from tests.actors.evidence.test_wire import LEFT, changed, line_of, receipts, with_fact

LINES = 20_000
SECONDS_FOR_100_000 = 2.5


@pytest.mark.parametrize("kind", wire.KINDS)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_what_is_ours_is_read_as_ours(kind: str, data: st.DataObject) -> None:
    line = line_of(data.draw(receipts(wire.KINDS[kind])))
    assert parse_any(line) == wire.parse_line(line)


def test_more_facts_are_kept_beside_those_of_ours() -> None:
    entry = parse_any(with_fact(mood="calm", score=0.5, count=3, sure=True, nothing=None))
    assert isinstance(entry, Entry)
    assert entry.receipt == LEFT
    assert entry.extra == {"mood": "calm", "score": 0.5, "count": 3, "sure": True, "nothing": None}


def test_who_does_not_say_where_he_is_is_understood_all_the_same() -> None:
    data = json.loads(line_of(LEFT))["data"]
    del data["origin"]
    entry = parse_any(changed(data=data))
    assert isinstance(entry, Entry)
    assert (entry.receipt, entry.origin) == (LEFT, "")


def test_a_kind_that_ours_has_not_is_shown_with_all_that_it_says() -> None:
    foreign = parse_any(changed(type="acme.room.waved", data={"type": "waved", "origin": "acme", "hands": 2}))
    assert isinstance(foreign, Foreign)
    assert (foreign.type, foreign.origin, foreign.data) == ("acme.room.waved", "acme", {"hands": 2})
    assert foreign.misfit == ""


@pytest.mark.parametrize(
    ("text", "misfit"),
    [
        (with_fact(reason="bored"), "reason: none of the words that may stand there"),
        (with_fact(durationMs="long"), "durationMs: no whole number"),
        (changed(type="discord.voice.joined"), "type: does not agree with data.type"),
        (changed(data={"type": "left", "stayId": "s"}), "reason: missing"),
    ],
)
def test_a_known_kind_that_means_something_else_is_foreign_and_says_why(text: str, misfit: str) -> None:
    foreign = parse_any(text)
    assert isinstance(foreign, Foreign)
    assert foreign.misfit == misfit


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (with_fact(list=[1]), "data.list: no text"),
        (with_fact(object={}), "data.object: no text"),
        (with_fact(long="x" * 513), "data.long: too long"),
        (with_fact(number=float("nan")), "data.number: no text"),
        (with_fact(**{f"f{i}": i for i in range(30)}), "data: more than fits"),
        (changed(note="x"), "note: nothing that belongs there"),
        (changed(schemaVersion=2), "schemaVersion: none of the words that may stand there"),
        (changed(occurredAt="2026-02-30T12:00:00.000Z"), "occurredAt: no such moment"),
        ("{", "line: no JSON"),
    ],
)
def test_what_is_not_in_this_envelope_is_refused_with_its_place(text: str, reason: str) -> None:
    assert parse_any(text) == wire.Malformed(reason=reason)


def test_a_file_is_told_line_by_line_and_a_beginning_is_torn_wherever_it_stands(tmp_path: Path) -> None:
    whole, file = line_of(LEFT), tmp_path / "r.jsonl"
    file.write_text(f"{whole}\n\n{whole[:40]}\n{whole} x\n\0\0\n{whole[:30]}")
    first, torn, bad, nothing, last = read_any([file])
    assert isinstance(first, Entry)
    assert torn == BadLine(path=file, number=3, reason="line: no JSON", torn=True)
    assert bad == BadLine(path=file, number=4, reason="line: no JSON", torn=False)
    assert nothing == BadLine(path=file, number=5, reason="line: no JSON", torn=True)
    assert last == BadLine(path=file, number=6, reason="line: no JSON", torn=True)


def test_a_hundred_thousand_lines_are_read_while_one_waits(tmp_path: Path) -> None:
    file, told = tmp_path / "r.jsonl", list[int]()
    two = f"{line_of(LEFT)}\n{line_of(BridgeReady(rooms=3))}\n"
    file.write_text(two * (LINES // 2))
    began = time.process_time()
    assert sum(isinstance(one, Entry) for one in read_any([file], told.append)) == LINES
    assert time.process_time() - began < SECONDS_FOR_100_000 * LINES / 100_000
    assert sum(told) == file.stat().st_size


def test_a_fact_that_is_null_is_one_that_is_left_out() -> None:
    entry = parse_any(
        line_of(Floor(stay_id=StayId("s"), state="dormant")).replace('"rule":""', '"rule":null')
    )
    assert isinstance(entry, Entry)
    assert entry.receipt == Floor(stay_id=StayId("s"), state="dormant")


def test_of_a_line_without_an_end_no_more_is_held_than_any_receipt_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MOST_BYTES", 1_000)
    file, told = tmp_path / "r.jsonl", list[int]()
    file.write_text(f"{line_of(LEFT)}\n{' ' * 2_500}x\n{line_of(LEFT)}\n{line_of(LEFT)[:9]}{chr(0) * 3_000}")
    first, long, second, lost = read_any([file], told.append)
    assert [type(one) for one in (first, second)] == [Entry, Entry]
    assert long == BadLine(path=file, number=2, reason="line: longer than any receipt", torn=False)
    assert lost == BadLine(path=file, number=4, reason="line: longer than any receipt", torn=True)
    assert sum(told) == file.stat().st_size


def test_a_folder_is_one_record_in_the_order_of_its_days_and_no_file_stands_twice(tmp_path: Path) -> None:
    names = ("receipts-2026-01-01.jsonl", "receipts-2026-01-01.2.jsonl", "receipts-2026-01-01.10.jsonl")
    first, second, third = (tmp_path / name for name in names)
    alone, again = tmp_path / "receipts.jsonl", tmp_path / "again.jsonl"
    elsewhere = tmp_path / "b" / names[0]
    again.symlink_to(second)
    found = records_of([third, second, alone, elsewhere, first, again])
    assert found == ((first, second, third), (alone,), (elsewhere,))
