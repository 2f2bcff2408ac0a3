"""Where nothing could be written, or somebody else writes, nobody comes in."""

from __future__ import annotations

import errno
import fcntl
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from actors.evidence.files import Stream
from actors.evidence.local_log import Journal
from actors.evidence.settings import EvidenceSettings
from actors.evidence.wire import to_line
from messages.evidence import Consent, Joined, Receipt
from messages.gateway import ConsentsLost
from messages.ids import PersonId, RoomId, StayId
from supervisors import claims, record
from supervisors.record import claimed_record, lost_consents
from supervisors.settings import BadConfig


def complaint(directory: Path) -> str:
    with pytest.raises(BadConfig) as told, claimed_record(EvidenceSettings(directory=directory)):
        pass
    assert "\n" not in str(told.value)
    return str(told.value)


def test_a_record_is_written_by_one_house_at_a_time(tmp_path: Path) -> None:
    directory = tmp_path / "evidence"
    with claimed_record(EvidenceSettings(directory=directory)):
        assert "another clankie run" in complaint(directory)
        assert directory.stat().st_mode & 0o777 == 0o700
    with claimed_record(EvidenceSettings(directory=directory)):
        pass


def test_one_folder_for_two_settings_is_blamed_on_no_other_house_alone(tmp_path: Path) -> None:
    with claims.claimed("[captain] directory", tmp_path / "same"):
        assert "or by this one for another setting; end that one, or set another" in complaint(
            tmp_path / "same"
        )


def test_a_file_and_a_link_to_nothing_are_no_directory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    for name in ("file", "link", "file/below"):
        assert "is not a directory; move it away, run mkdir -m 700" in complaint(tmp_path / name)


def test_a_directory_that_is_open_to_others_is_told_with_the_remedy(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert f"is open to others; run chmod 700 {tmp_path}" in complaint(tmp_path)


def test_a_directory_that_cannot_be_written_to_or_made_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(directory: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(directory))

    tmp_path.chmod(0o700)
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    assert "cannot be written to (Too many levels of symbolic links)" in complaint(tmp_path)
    with monkeypatch.context() as without_rights:
        without_rights.setattr(os, "access", lambda *_: False)
        assert f"cannot be written to; run chmod 700 {tmp_path}" in complaint(tmp_path)
    monkeypatch.setattr(claims, "own_folder", refused)
    assert "cannot be made (Permission denied)" in complaint(tmp_path / "new")


def test_a_disk_that_knows_no_locks_or_reads_badly_is_no_reason_to_stay_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(fcntl, "flock", failing)
    monkeypatch.setattr(record, "close_orphans", failing)
    with claimed_record(EvidenceSettings(directory=tmp_path / "evidence")):
        pass


def test_whom_a_killed_house_has_heard_is_told_in_the_room_or_put_on_record_only(tmp_path: Path) -> None:
    settings = EvidenceSettings(directory=tmp_path / "evidence")
    stay, ada = StayId("a"), PersonId("ada")
    joined = Joined(stay_id=stay, room_id=RoomId("den"), humans=1, bots=0, encryption="none")
    granted = Consent(stay_id=stay, person_id=ada, phase="granted")
    with claimed_record(settings) as nobody:
        assert nobody == ()
        journal = Journal(settings.directory, Stream.RECEIPTS, settings)
        receipts: tuple[Receipt, ...] = (joined, granted)
        for number, receipt in enumerate(receipts):
            line = to_line(receipt, entry_id=str(number), occurred_at=datetime.now(UTC), origin="den")
            journal.write(datetime.now(UTC).date(), str(line))
        journal.close()
    with claimed_record(settings) as bereft:
        told = ConsentsLost(stay=stay, room=RoomId("den"), people=(ada,))
        assert lost_consents(bereft, may_write=True) == (told,)
        assert lost_consents(bereft, may_write=False) == (replace(told, room=None),)


def test_an_empty_directory_is_refused() -> None:
    with pytest.raises(ValueError, match="directory must not be empty"):
        EvidenceSettings(directory=Path())
