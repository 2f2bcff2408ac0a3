"""Names of files, and what follows from them."""

from __future__ import annotations

from datetime import date

import pytest

from actors.evidence.files import Stream, expired, name_of, parse_name, place

DAY = date(2026, 1, 31)
R = Stream.RECEIPTS


@pytest.mark.parametrize("stream", Stream)
@pytest.mark.parametrize("part", [0, 1, 12])
def test_a_name_can_be_read_back(stream: Stream, part: int) -> None:
    assert parse_name(name_of(stream, DAY, part)) == (stream, DAY, part)


@pytest.mark.parametrize(
    "name", ["notes.txt", "receipts-2026-02-30.jsonl", "receipts-2026-01-31.0.jsonl", "x-2026-01-31.jsonl"]
)
def test_what_is_not_ours_has_no_day(name: str) -> None:
    assert parse_name(name) is None


def test_a_day_begins_with_its_first_file() -> None:
    yesterday = {"receipts-2026-01-30.jsonl": 5, "transcript-2026-01-31.jsonl": 5}
    assert place(yesterday, R, DAY, 100) == "receipts-2026-01-31.jsonl"


def test_a_file_with_room_goes_on_and_a_full_one_has_a_successor() -> None:
    first = "receipts-2026-01-31.jsonl"
    assert place({first: 99}, R, DAY, 100) == first
    assert place({first: 100}, R, DAY, 100) == "receipts-2026-01-31.1.jsonl"
    assert (
        place({first: 3, "receipts-2026-01-31.9.jsonl": 100}, R, DAY, 100) == "receipts-2026-01-31.10.jsonl"
    )


def test_a_file_is_kept_for_its_days_and_strangers_for_ever() -> None:
    names = [
        "receipts-2026-01-01.jsonl",
        "receipts-2025-12-31.3.jsonl",
        "transcript-2025-12-31.jsonl",
        "holiday-2020-01-01.jsonl",
    ]
    assert expired(names, DAY, 30) == ("receipts-2025-12-31.3.jsonl", "transcript-2025-12-31.jsonl")
