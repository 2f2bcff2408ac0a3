"""A house that could not work does not open, and says which line of the configuration to mend."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from actors.audio.models import ModelMissing
from actors.audio.opus import NoOpus
from actors.audio.whisper import MODEL_FILES
from actors.local_room import LocalRoom
from messages.ids import RoomId
from supervisors import preflight
from supervisors.local import LocalTheatre
from supervisors.preflight import check
from supervisors.settings import BadConfig, load


def complaint(**tables: dict[str, object]) -> str:
    with pytest.raises(BadConfig) as told:
        check(load(None, tables))
    assert "\n" not in str(told.value)
    return str(told.value)


def test_a_house_with_everything_may_open(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("Tea is at four.")
    check(load(None, {"captain": {"notes_file": str(tmp_path / "notes.md")}}))


def test_notes_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    assert "absent.md cannot be read (No such" in complaint(
        captain={"notes_file": str(tmp_path / "absent.md")}
    )
    assert "cannot be read (Is a directory)" in complaint(captain={"notes_file": str(tmp_path)})


def test_certificates_that_cannot_be_used_are_told_before_the_house_opens(tmp_path: Path) -> None:
    (tmp_path / "junk.pem").write_text("junk")
    os.mkfifo(tmp_path / "pipe.pem")
    for name, why in (
        ("absent.pem", "No such file or directory"),
        ("junk.pem", "no certificates in it"),
        ("pipe.pem", "no file"),
        ("", "no file"),
    ):
        told = complaint(discord={"ca_file": str(tmp_path / name)})
        assert f"[discord] ca_file: {tmp_path / name} cannot be used ({why}); name a readable file" in told


def test_a_folder_without_a_model_is_told_by_the_file_that_it_lacks(tmp_path: Path) -> None:
    told = complaint(speech={"whisper_folder": str(tmp_path)})
    assert f"[speech] whisper_folder: {tmp_path} has no model.bin" in told


def test_a_library_that_is_no_libopus_is_told(tmp_path: Path) -> None:
    (tmp_path / "libopus.so").write_text("no library")
    told = complaint(speech={"opus_library": str(tmp_path / "libopus.so")})
    assert "[speech] opus_library" in told
    assert "take it out" in told


def test_a_whole_model_will_do_and_a_machine_without_libopus_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_opus(path: str | None) -> None:
        raise NoOpus(f"libopus was not found {path}")

    for name in MODEL_FILES:
        (tmp_path / name).touch()
    monkeypatch.setattr(preflight, "load_opus", no_opus)
    with pytest.raises(NoOpus, match="not found None"):
        check(load(None, {"speech": {"whisper_folder": str(tmp_path)}}))


def test_a_packaged_model_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("actors.audio.models.package_folder", lambda _: None)
    with pytest.raises(ModelMissing, match="pip install"):
        check(load(None))


def test_a_scenario_with_notes_that_are_not_there_is_told_by_table_and_key(tmp_path: Path) -> None:
    theatre = LocalTheatre()
    try:
        with pytest.raises(ValueError, match=r"^captain\.notes_file: absent\.md cannot be read"):
            theatre.open(
                settings={"captain": {"notes_file": "absent.md"}},
                room=LocalRoom(RoomId("local")),
                replies=(),
                state=tmp_path,
            )
    finally:
        theatre.close()
