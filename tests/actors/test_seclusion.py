"""His memory and folders are closed to others whatever the umask, and what others may replace is refused."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from actors.seclusion import OpenToOthers, own_folder, replaceable

LOOK = """
import ctypes, os, resource
resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE)[1:] * 2)
from actors.seclusion import close_memory
close_memory()
dumpable, most = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), resource.getrlimit(resource.RLIMIT_CORE)
print(dumpable, *most, "SSLKEYLOGFILE" in os.environ)
"""


def looked(**environment: str) -> str:
    kept = {name: text for name, text in os.environ.items() if name != "CLANKIE_DEBUG"}
    return subprocess.run(
        [sys.executable, "-c", LOOK], env={**kept, "SSLKEYLOGFILE": "/dev/null", **environment},
        capture_output=True, text=True, timeout=30, check=True,
    ).stdout.strip()  # fmt: skip


def test_nobody_gets_a_core_or_a_look_into_his_memory_and_no_library_writes_keys_down() -> None:
    assert looked() == "0 0 0 False"


def test_who_wants_to_look_into_him_can_say_so_and_gets_no_keys_of_connections() -> None:
    dumpable, _, most, log = looked(CLANKIE_DEBUG="1").split()
    assert (dumpable, int(most), log) == ("1", resource.getrlimit(resource.RLIMIT_CORE)[1], "False")


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_a_folder_and_what_is_missing_above_it_are_his_alone_whatever_the_umask(
    tmp_path: Path, umask: int
) -> None:
    before = os.umask(umask)
    try:
        own_folder(tmp_path / "a" / "b" / "c")
    finally:
        os.umask(before)
    assert [(tmp_path / one).stat().st_mode & 0o777 for one in ("a", "a/b", "a/b/c")] == [0o700] * 3


@pytest.mark.parametrize("mode", [0o710, 0o702, 0o755])
def test_a_folder_that_others_have_rights_to_is_refused(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)
    with pytest.raises(OpenToOthers) as refused:
        own_folder(tmp_path)
    assert refused.value.remedy == f"run chmod 700 {tmp_path}"


def test_a_folder_of_another_user_is_refused_also_for_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    owner = tmp_path.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(OpenToOthers) as refused:
        own_folder(tmp_path)
    assert refused.value.why == f"belongs to another user ({owner})"
    assert refused.value.remedy == "run clankie as that one"


def test_a_folder_that_everybody_may_replace_is_refused_and_a_sticky_one_does_no_harm(tmp_path: Path) -> None:
    own_folder(tmp_path / "above" / "his")
    (tmp_path / "above").chmod(0o777)
    with pytest.raises(OpenToOthers) as refused:
        own_folder(tmp_path / "above" / "his")
    assert refused.value.remedy == f"run chmod o-w {tmp_path}/above"
    (tmp_path / "above").chmod(0o1777)
    own_folder(tmp_path / "above" / "his")


def test_a_link_is_judged_by_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "open" / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "open" / "file")
    assert replaceable(tmp_path / "link") == tmp_path / "open"
    (tmp_path / "nothing").symlink_to(tmp_path / "missing")
    with pytest.raises(FileExistsError):
        own_folder(tmp_path / "nothing")
