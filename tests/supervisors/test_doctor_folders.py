"""What the house would stumble over at its own door, the doctor has seen before, and he leaves no trace."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest

from actors.evidence.settings import EvidenceSettings
from actors.gateway.port import Finding
from supervisors.commands import folders
from supervisors.record import claimed_record
from tests.supervisors.visits import says, settings, sick


def examined(root: Path, places: Mapping[str, Path] | None = None, *, port: int = 0) -> list[Finding]:
    """He keeps all below `root`, but what has another of these places."""
    names = ("evidence", "captain", "console")
    evidence, captain, console = ({"directory": str((places or {}).get(name, root / name))} for name in names)
    config = settings(evidence=evidence, captain=captain, console={**console, "port": port})
    return list(folders.findings(config))


def test_folders_that_are_still_to_be_made_are_well_and_are_not_made(tmp_path: Path) -> None:
    assert sick(examined(tmp_path / "new" / "house")) == []
    assert list(tmp_path.iterdir()) == []


def test_a_file_a_link_to_nothing_and_what_is_open_to_others_are_told_as_the_house_would(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o755)
    wrong = {"evidence": tmp_path / "file" / "in", "captain": tmp_path / "link", "console": tmp_path / "open"}
    evidence, captain, console = sick(examined(tmp_path, wrong))
    assert evidence[0] == "evidence folder"
    assert evidence[1] == f"[evidence] directory: {tmp_path}/file/in is not a directory"
    assert captain[1].endswith("link is not a directory")
    assert console[1:] == (
        f"[console] directory: {tmp_path}/open is open to others",
        f"run chmod 700 {tmp_path}/open, or set another",
    )


def test_a_folder_of_another_user_is_told_with_what_can_be_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / "evidence"
    theirs.mkdir()
    theirs.chmod(0o755)
    owner = theirs.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    ((_, words, remedy),) = sick(examined(tmp_path))
    assert words.endswith(f"evidence belongs to another user ({owner})")
    assert remedy == "run clankie as that one, or set another"
    theirs.chmod(0o700)
    monkeypatch.setattr(os, "access", lambda *_: False)
    told = {name: words for name, words, _ in sick(examined(tmp_path))}
    assert told["evidence folder"].endswith(f"belongs to another user ({owner})")
    assert told["captain folder"].endswith("captain cannot be made (Permission denied)")


def test_one_folder_for_the_record_and_the_captain_is_told(tmp_path: Path) -> None:
    ((name, words, _),) = sick(examined(tmp_path, {"captain": tmp_path / "x" / ".." / "evidence"}))
    assert (name, words[-29:]) == ("captain folder", "is that of [evidence] as well")


def test_a_house_at_work_and_a_port_that_is_taken_are_advice(tmp_path: Path) -> None:
    with (
        claimed_record(EvidenceSettings(directory=tmp_path / "evidence")),
        socket.create_server(("127.0.0.1", 0)) as taken,
    ):
        findings = examined(tmp_path, port=taken.getsockname()[1])
    assert sick(findings) == []
    assert says(findings, "evidence folder").startswith("a clankie run is at work in ")
    assert "cannot be had (Address already in use)" in says(findings, "console port")
    assert [bool(finding.remedy) for finding in findings] == [True, False, False, True]


def test_a_lock_that_leads_elsewhere_is_told(tmp_path: Path) -> None:
    (tmp_path / "evidence").mkdir(mode=0o700)
    (tmp_path / "evidence" / "lock").symlink_to(tmp_path / "elsewhere")
    ((_, words, _),) = sick(examined(tmp_path))
    assert words.endswith("cannot be written to (Too many levels of symbolic links)")
