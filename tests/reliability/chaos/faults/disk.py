"""The disk of the record is full, takes nothing, or somebody moves or deletes the record underneath."""

from __future__ import annotations

import os
import resource
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.reliability.chaos.faults.effect import Effect, Ending, at_once
from tests.reliability.chaos.faults.stirring import stir

if TYPE_CHECKING:
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening

SMALL: Final = "8m"
"""The disk of an evening, where there may be one."""
BALLAST: Final = "ballast"
UNFELT: Final = "nothing was written meanwhile"


def record(evening: Evening) -> Path:
    """Where he keeps it."""
    return evening.program.folder / "evidence"


def mount(folder: Path, *options: str) -> bool:
    """Put an empty disk there; whether this user may."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    flags = ",".join((f"size={SMALL}", "mode=0700", *options))
    command = ("mount", "-t", "tmpfs", "-o", flags, "clankie-chaos", str(folder))
    with suppress(OSError):
        return os.geteuid() == 0 and not subprocess.run(command, capture_output=True, check=False).returncode
    return False


def unmount(folder: Path) -> None:
    """Take it away again."""
    command = ("umount", "-l", str(folder))
    subprocess.run(command, capture_output=True, check=False)


def full(_: Happening, evening: Evening) -> Ending:
    """Not one byte more; without a disk of its own it is every file of his that may not grow."""
    folder = record(evening)
    ballast = folder / BALLAST
    if os.path.ismount(folder):
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
    # The last page of a file that is open has room on the fullest of disks.
    limited = _limited(evening)
    stir(evening)

    def end() -> Effect:
        hit = _is_felt(evening)
        limited()
        ballast.unlink(missing_ok=True)
        return Effect(hits=int(hit), why=UNFELT)

    return end


def read_only(_: Happening, evening: Evening) -> Ending:
    """What was open fails once, and from then on nothing can be opened for writing."""
    folder = record(evening)
    if not (os.path.ismount(folder) and mount(folder, "ro")):
        return at_once(0, "only root may make a disk so")
    limited = _limited(evening)
    stir(evening)

    def end() -> Effect:
        hit = _is_felt(evening)
        limited()
        unmount(folder)
        return Effect(hits=int(hit), why=UNFELT)

    return end


def deleted(_: Happening, evening: Evening) -> Ending:
    """Every file of the record; he goes on in a new one."""
    files = _files(record(evening))
    for path in files:
        path.unlink(missing_ok=True)
    return at_once(len(files), "there was none")


def renamed(happening: Happening, evening: Evening) -> Ending:
    """As whoever rotates logs does it."""
    files = _files(record(evening))
    for path in files:
        with suppress(FileNotFoundError):
            path.rename(path.with_name(f"{path.name}.{happening.number}"))
    return at_once(len(files), "there was none")


def _limited(evening: Evening) -> Ending:
    """No file of his may grow (RLIMIT_FSIZE), which he is told as a file that is too large."""
    try:
        pid = evening.program.pid
        soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
    except (OSError, ValueError) as error:
        reason = f"his files could not be limited ({error})"
        return at_once(0, reason)

    def end() -> Effect:
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))
        return Effect(hits=1)

    return end


def _is_felt(evening: Evening) -> bool:
    """Whether he knows that he cannot write; to be asked while it is so."""
    root = evening.program.tree()
    return any(node.facts.get("failing") for node in root.every() if node.path.endswith("/evidence"))


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.suffix == ".jsonl"] if folder.is_dir() else []
