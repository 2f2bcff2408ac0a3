"""A rehearsal that could leave nothing behind says so before it begins, in one line with a remedy."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import pytest

from supervisors.rehearsal.folder import BadFolder, claimed, writing_to


def test_a_folder_is_made_with_everything_above_it_and_nothing_is_left_in_it(tmp_path: Path) -> None:
    with claimed(tmp_path / "a" / "b"):
        pass
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_two_rehearsals_at_a_time_do_not_share_a_folder_and_one_after_the_other_they_may(
    tmp_path: Path,
) -> None:
    with (
        claimed(tmp_path),
        pytest.raises(BadFolder, match="another rehearsal is writing to it; wait"),
        claimed(tmp_path),
    ):
        raise AssertionError
    with claimed(tmp_path):
        pass


@pytest.mark.parametrize(
    ("name", "what"), [("file", ""), ("file/below", r"\S+/file "), ("file/below/it", r"\S+/file ")]
)
def test_a_file_is_no_folder(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(BadFolder, match=rf"{name}: {what}is a file; name a folder with --out"),
        claimed(tmp_path / name),
    ):
        raise AssertionError


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "No space left on device; make room on its disk, or name another folder with --out"),
        (errno.EROFS, "Read-only file system; name a folder that can be written to with --out"),
        (errno.EACCES, "Permission denied; name a folder that can be written to with --out"),
    ],
)
def test_what_the_disk_refuses_is_one_line_with_a_remedy(code: int, words: str) -> None:
    folder = Path("out")
    with pytest.raises(BadFolder) as refused, writing_to(folder):
        raise OSError(code, os.strerror(code))
    assert str(refused.value) == f"out: {words}"


def test_a_folder_that_must_not_be_written_to_is_found_out_at_once() -> None:
    with (
        pytest.raises(BadFolder, match="name a folder that can be written to"),
        claimed(Path("/proc/self/out")),
    ):
        raise AssertionError


def test_a_full_disk_is_found_out_at_once_and_the_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: open("/dev/full", "wb", 0))  # noqa: PTH123, SIM115
    with pytest.raises(BadFolder, match=f"^{tmp_path}: No space left .*; make room"), claimed(tmp_path):
        raise AssertionError
