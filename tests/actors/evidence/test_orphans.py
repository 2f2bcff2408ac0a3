"""For each coming there is exactly one going, whatever became of the house in between."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from actors.evidence.files import Stream
from actors.evidence.local_log import Journal
from actors.evidence.orphans import Found, close_orphans
from actors.evidence.reader import read, receipt_files
from actors.evidence.settings import EvidenceSettings
from actors.evidence.wire import Entry, to_line
from messages.evidence import Consent, Joined, Left, Receipt, Volition
from messages.ids import PersonId, RoomId, StayId

BEGAN = datetime.now(UTC).replace(microsecond=0) - timedelta(days=3)


def joined(stay: str) -> Joined:
    return Joined(stay_id=StayId(stay), room_id=RoomId("den"), humans=1, bots=0, encryption="none")


def left(stay: str) -> Left:
    return Left(stay_id=StayId(stay), reason="slash", duration_ms=1)


def noticed(stay: str) -> Volition:
    return Volition(stay_id=StayId(stay), outcome="offered")


@pytest.fixture
def settings(tmp_path: Path) -> EvidenceSettings:
    return EvidenceSettings(directory=tmp_path / "evidence")


def write(settings: EvidenceSettings, day: int, *receipts: Receipt) -> None:
    """One receipt a second, from the first of that day on."""
    journal = Journal(settings.directory, Stream.RECEIPTS, settings)
    for second, receipt in enumerate(receipts):
        at = BEGAN + timedelta(days=day, seconds=second)
        line = to_line(receipt, entry_id=f"{day}-{second}", occurred_at=at, origin="den")
        assert isinstance(line, str)
        journal.write(at.date(), line)
    journal.close()


def goings(settings: EvidenceSettings) -> list[tuple[str, str, int]]:
    entries = [entry for entry in read(receipt_files(settings.directory)) if isinstance(entry, Entry)]
    found = [entry.receipt for entry in entries if isinstance(entry.receipt, Left)]
    return [(one.stay_id, one.reason, one.duration_ms) for one in found]


def test_who_never_left_leaves_by_a_crash_after_his_last_receipt(settings: EvidenceSettings) -> None:
    write(settings, 0, joined("a"), joined("b"), noticed("a"), left("b"), noticed("c"))
    assert close_orphans(settings).orphans == 1
    assert goings(settings) == [("b", "slash", 1), ("a", "crashed", 2000)]
    assert close_orphans(settings).orphans == 0
    assert len(goings(settings)) == 2


def test_the_going_is_stamped_now_and_a_torn_line_is_passed_over(settings: EvidenceSettings) -> None:
    write(settings, 0, joined("a"), noticed("a"))
    with receipt_files(settings.directory)[0].open("a") as file:
        file.write('{"type":"discord.voice.left","stayId":"a"')
    assert close_orphans(settings).orphans == 1
    [*_, last] = read(receipt_files(settings.directory))
    assert isinstance(last, Entry)
    assert (last.origin, goings(settings)) == ("den", [("a", "crashed", 1000)])
    assert datetime.now(UTC) - last.occurred_at < timedelta(minutes=1)


def test_who_sat_there_in_silence_stayed_until_the_last_sign_of_the_house(settings: EvidenceSettings) -> None:
    write(settings, 0, joined("a"))
    sign = settings.directory / "lock"
    sign.touch()
    seen = (BEGAN + timedelta(hours=2)).timestamp()
    os.utime(sign, (seen, seen))
    assert close_orphans(settings).orphans == 1
    assert goings(settings) == [("a", "crashed", 7_200_000)]


def test_a_lock_that_was_only_just_made_is_no_sign(settings: EvidenceSettings) -> None:
    write(settings, 0, joined("a"), noticed("a"))
    (settings.directory / "lock").touch()
    assert close_orphans(settings).orphans == 1
    assert goings(settings) == [("a", "crashed", 1000)]


def test_a_stay_may_be_as_old_as_the_oldest_file(settings: EvidenceSettings) -> None:
    write(settings, 0, joined("old"), joined("a"))
    write(settings, 1, noticed("old"))
    write(settings, 2, left("a"))
    assert close_orphans(settings).orphans == 1
    assert goings(settings) == [("a", "slash", 1), ("old", "crashed", 86_400_000)]


def test_an_empty_directory_has_nobody(settings: EvidenceSettings) -> None:
    settings.directory.mkdir(mode=0o700)
    assert close_orphans(settings).orphans == 0
    assert not list(settings.directory.iterdir())


def test_a_stay_of_which_the_clock_was_put_back_over_midnight_is_over_and_no_orphan(
    settings: EvidenceSettings,
) -> None:
    write(settings, 1, joined("a"), consent("a", "ada", "granted"))
    write(settings, 0, left("a"))
    assert close_orphans(settings) == Found(orphans=0, bereft=())


def test_who_came_in_a_future_that_the_clock_has_left_stayed_as_long_as_he_did(
    settings: EvidenceSettings,
) -> None:
    write(settings, 4, joined("a"), noticed("a"))
    assert close_orphans(settings).orphans == 1
    assert goings(settings) == [("a", "crashed", 1000)]
    assert close_orphans(settings).orphans == 0


# --- whom he heard --------------------------------------------------------------------------------


def consent(stay: str, person: str, phase: str) -> Consent:
    return Consent(stay_id=StayId(stay), person_id=PersonId(person), phase=phase)


def bereft(settings: EvidenceSettings) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.stay, one.room, one.people) for one in close_orphans(settings).bereft]


def test_whoever_was_heard_when_the_house_was_killed_is_still_to_be_told(settings: EvidenceSettings) -> None:
    ends = [consent("a", phase, phase) for phase in ("withdrawn", "departed", "moved", "lost", "refused")]
    grants = [consent("a", phase, "granted") for phase in ("withdrawn", "departed", "moved", "lost")]
    write(settings, 0, joined("a"), consent("a", "ada", "granted"), *grants, *ends, joined("deaf"))
    assert bereft(settings) == [("a", "den", ("ada",))]
    assert bereft(settings) == [("a", "den", ("ada",))]


def test_who_had_him_come_consented_before_he_came(settings: EvidenceSettings) -> None:
    grants = [consent("a", who, "granted") for who in ("ada", "ben")]
    write(settings, 0, *grants, consent("a", "ben", "departed"), joined("a"), consent("b", "ada", "granted"))
    assert bereft(settings) == [("a", "den", ("ada",))]


def test_who_was_told_is_told_no_more_and_who_was_counted_was_not_told(settings: EvidenceSettings) -> None:
    granted = [consent("a", who, "granted") for who in ("ada", "ben")]
    write(settings, 0, joined("a"), *granted, consent("a", "ada", "counted"))
    assert close_orphans(settings).orphans == 1
    write(settings, 3, consent("a", "ada", "lost"))
    assert bereft(settings) == [("a", "den", ("ben",))]
    write(settings, 3, consent("a", "ben", "lost"))
    assert bereft(settings) == []


def test_who_went_in_good_order_owes_nobody_anything(settings: EvidenceSettings) -> None:
    write(settings, 0, joined("a"), consent("a", "ada", "granted"), left("a"))
    assert bereft(settings) == []


def test_a_crash_of_long_ago_is_no_news(settings: EvidenceSettings) -> None:
    crashed = Left(stay_id=StayId("a"), reason="crashed", duration_ms=1)
    write(settings, 0, joined("a"), consent("a", "ada", "granted"), crashed)
    assert bereft(settings) == []
