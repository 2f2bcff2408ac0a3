"""What he has in memory and in his folders is for nobody else on this machine, whatever they may try."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

DEBUG_VARIABLE: Final = "CLANKIE_DEBUG"
"""Who sets it wants to look into him, with a profiler or a debugger."""
KEY_LOG_VARIABLE: Final = "SSLKEYLOGFILE"
"""Where OpenSSL would write what opens every connection."""
_PR_SET_DUMPABLE: Final = 4


class OpenToOthers(PermissionError):
    """The directory is not this user's alone; `why` says what it is instead, `remedy` what would mend it."""

    def __init__(self, why: str, directory: Path, remedy: str) -> None:
        super().__init__(errno.EPERM, why, str(directory))
        self.why, self.remedy = why, remedy


def close_memory() -> None:
    """Leave no core when this process or a child of it dies, and let nobody but root look into it.

    Never raises. A new program is open again: each of ours closes itself. With CLANKIE_DEBUG only the keys
    of its connections are kept back.
    """
    os.environ.pop(KEY_LOG_VARIABLE, None)
    if os.environ.get(DEBUG_VARIABLE):
        return
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def own_folder(directory: Path) -> None:
    """Make the directory, 0700, and whatever is missing above it; whatever the umask says.

    Raises OpenToOthers if it is not this user's alone, OSError if it cannot be made.
    """
    for missing in reversed([one for one in (directory, *directory.parents) if not _is_there(one)]):
        with suppress(FileExistsError):
            missing.mkdir(mode=0o700)
            missing.chmod(0o700)
    if not directory.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(directory))
    facts = directory.stat()
    # It may be anybody's: to close it for the others could break more than we keep.
    if facts.st_uid != os.geteuid():
        why = f"belongs to another user ({facts.st_uid})"
        raise OpenToOthers(why, directory, "run clankie as that one")
    if facts.st_mode & 0o077:
        raise OpenToOthers("is open to others", directory, f"run chmod 700 {directory}")
    if (above := replaceable(directory)) is not None:
        why = f"is in {above}, in which everybody may replace it"
        raise OpenToOthers(why, directory, f"run chmod o-w {above}")


def write_closed(path: Path, content: bytes) -> None:
    """Write a file of mode 0600, whole or not at all: who looks meanwhile finds none, or an old one."""
    unfinished = path.with_name(f"{path.name}.new")
    with suppress(FileNotFoundError):
        unfinished.unlink()
    file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(file, "wb") as whole:
        os.fchmod(file, 0o600)
        whole.write(content)
    unfinished.replace(path)


def replaceable(path: Path) -> Path | None:
    """The folder above `path` in which everybody may put something else in its place, if there is one."""
    for folder in path.resolve().parents:
        mode = folder.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return folder
    return None


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()
