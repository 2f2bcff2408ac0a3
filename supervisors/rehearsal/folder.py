"""A rehearsal has a folder to itself, and knows before anybody speaks that something can be left in it."""

from __future__ import annotations

import errno
import fcntl
import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_TRIAL_BYTES: Final = 1 << 16
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


class BadFolder(Exception):
    """Nothing can be left there; the text is one line that names the folder and the remedy."""


@contextmanager
def claimed(folder: Path) -> Generator[None]:
    """Make the folder if need be and keep other rehearsals out of it meanwhile; raises BadFolder."""
    with writing_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder, buffering=0) as trial:
            trial.write(bytes(_TRIAL_BYTES))  # a disk that is full or must not be written to says so now
        claim = os.open(folder, os.O_RDONLY)
    try:
        _keep_others_out(folder, claim)
        yield
    finally:
        os.close(claim)


def _keep_others_out(folder: Path, claim: int) -> None:
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        remedy = "wait for it, or name another folder with --out"
        raise BadFolder(f"{folder}: another rehearsal is writing to it; {remedy}") from None


@contextmanager
def writing_to(folder: Path) -> Generator[None]:
    """What the disk refuses inside becomes BadFolder."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            remedy = "make room on its disk, or name another folder with --out"
        elif isinstance(error, FileExistsError | NotADirectoryError):
            raise BadFolder(f"{folder}: {_file(folder)}; name a folder with --out") from None
        else:
            remedy = "name a folder that can be written to with --out"
        raise BadFolder(f"{folder}: {error.strerror or type(error).__name__}; {remedy}") from None


def _file(folder: Path) -> str:
    """What of it is a file."""
    above = next((one for one in folder.parents if one.is_file()), None)
    return "is a file" if above is None else f"{above} is a file"
