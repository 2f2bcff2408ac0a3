"""Files that nobody else may read: a line is there whole or not at all, and so is a page."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from actors.seclusion import OpenToOthers

_CLOSE_TO_OTHERS = os.O_CLOEXEC | os.O_NOFOLLOW
_UNFINISHED = ".new"
LONGEST_READ = 4 * 2**20
"""Of a longer file only so much of its end is read."""
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


class NeverRead(PermissionError):
    """There is something that was not read, so that it must not be written over."""


def append(path: Path, line: bytes) -> int:
    """Write one line that ends in a line end, all of it or none, for good; returns how long the file is."""
    new = not path.exists()
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _CLOSE_TO_OTHERS, 0o600)
    try:
        os.fchmod(file, 0o600)
        size = os.fstat(file).st_size
        # A line that was torn stays torn, and this one begins on its own.
        torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
        content = b"\n" + line if torn else line
        try:
            _write_all(file, content)
            os.fsync(file)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(file, size)
            raise
    finally:
        os.close(file)
    if new:
        sync(path.parent)
    return size + len(content)


def rewrite(path: Path, content: bytes) -> None:
    """Put a new file in the place of this one, for good; whoever looks sees the old one or the new."""
    unfinished = path.with_name(f".{path.name}{_UNFINISHED}")
    file = os.open(unfinished, os.O_WRONLY | os.O_TRUNC | os.O_CREAT | _CLOSE_TO_OTHERS, 0o600)
    try:
        os.fchmod(file, 0o600)
        _write_all(file, content)
        os.fsync(file)
    except OSError:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise
    finally:
        os.close(file)
    unfinished.replace(path)
    sync(path.parent)


def read(path: Path) -> bytes:
    """The end of a file, at most LONGEST_READ; what others could read is theirs no longer."""
    file = os.open(path, os.O_RDONLY | _CLOSE_TO_OTHERS)
    with os.fdopen(file, "rb") as open_file:
        os.fchmod(file, 0o600)
        open_file.seek(max(0, os.fstat(file).st_size - LONGEST_READ))
        return open_file.read(LONGEST_READ)


def torn(path: Path) -> bytes:
    """What stands behind the last line end; nothing in a file whose lines are whole."""
    file = os.open(path, os.O_RDONLY | _CLOSE_TO_OTHERS)
    try:
        size = os.fstat(file).st_size
        whole = size == 0 or os.pread(file, 1, size - 1) == b"\n"
    finally:
        os.close(file)
    return b"" if whole else read(path).rpartition(b"\n")[2]


def cut(path: Path, end: bytes) -> None:
    """Take this from the end of a file, for good."""
    file = os.open(path, os.O_WRONLY | _CLOSE_TO_OTHERS)
    try:
        os.ftruncate(file, os.fstat(file).st_size - len(end))
        os.fsync(file)
    finally:
        os.close(file)


def tidy(directory: Path) -> None:
    """Delete what a process that was killed did not get to the end of."""
    for path in directory.glob(f".*{_UNFINISHED}"):
        path.unlink(missing_ok=True)


def sync(directory: Path) -> None:
    """A new file's name, or the lack of an old one's, is on disk only after this."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remedy(failure: OSError, directory: Path) -> str:
    """What an operator can do about it."""
    if isinstance(failure, OpenToOthers):
        return f"{directory} {failure.why}; {failure.remedy} or set [captain] directory"
    if isinstance(failure, NeverRead):
        return f"what is in {directory} could not be read when he started; start him again"
    if failure.errno in _FULL:
        return f"make room on the disk of {directory}, or set [captain] directory"
    if failure.errno in _FORBIDDEN:
        return f"let this user write to {directory}, or set [captain] directory"
    return f"see that {directory} is a directory on a disk that works, or set [captain] directory"


def _write_all(file: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]
