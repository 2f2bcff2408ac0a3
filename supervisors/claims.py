"""A folder has one house to write into it: who comes second, or cannot write at all, is told at the door."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from loguru import logger

from actors.seclusion import OpenToOthers, own_folder
from supervisors.paths import at_home
from supervisors.settings import BadConfig

LOCK = "lock"


@contextmanager
def claimed(setting: str, folder: Path) -> Generator[Path]:
    """Make a folder of mode 0700 and keep other houses out of it meanwhile; yields it, its home found.

    Raises BadConfig, which names the `setting`: only what is wrong at the start is a reason not to begin, a
    disk that fails later is not.
    """
    folder = at_home(setting, folder)
    _look_at(setting, folder)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        claim = os.open(folder / LOCK, flags, 0o600)
    except OSError as error:
        raise _wrong(setting, folder, f"cannot be written to ({error.strerror})", "mend that") from None
    try:
        _keep_others_out(setting, folder, claim)
        yield folder
    finally:
        os.close(claim)


def foreseen(setting: str, folder: Path) -> bool:
    """Raise BadConfig for what `claimed` would, and make nothing; return whether a house is at work in it."""
    folder = at_home(setting, folder)
    there = folder
    try:
        while not there.exists() and not there.is_symlink():
            there = there.parent
        if not there.is_dir():
            raise NotADirectoryError
    except OSError as error:
        raise _unmade(setting, folder, error) from None
    if there == folder:
        _look_at(setting, folder)
        return _has_others(setting, folder)
    if not os.access(there, os.W_OK | os.X_OK):
        raise _unmade(setting, folder, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    return False


def _look_at(setting: str, folder: Path) -> None:
    try:
        own_folder(folder)
    except OpenToOthers as error:
        raise _wrong(setting, folder, error.why, error.remedy) from None
    except OSError as error:
        raise _unmade(setting, folder, error) from None
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise _wrong(setting, folder, "cannot be written to", f"run chmod 700 {folder}")


def _unmade(setting: str, folder: Path, error: OSError) -> BadConfig:
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        return _wrong(setting, folder, "is not a directory", f"move it away, run mkdir -m 700 {folder}")
    why = f"cannot be made ({error.strerror})"
    return _wrong(setting, folder, why, f"run mkdir -m 700 {folder} as who may")


def _has_others(setting: str, folder: Path) -> bool:
    try:
        claim = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _wrong(setting, folder, f"cannot be written to ({error.strerror})", "mend that") from None
    try:
        fcntl.flock(claim, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    finally:
        os.close(claim)
    return False


def _keep_others_out(setting: str, folder: Path, claim: int) -> None:
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        what = "is written to by another clankie run, or by this one for another setting"
        raise _wrong(setting, folder, what, "end that one") from None
    except OSError as error:
        logger.warning("{} cannot be locked ({}); run no second clankie on it", folder, error.strerror)


def _wrong(setting: str, folder: Path, what: str, remedy: str) -> BadConfig:
    return BadConfig(f"{setting}: {folder} {what}; {remedy}, or set another")
