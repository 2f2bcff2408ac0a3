"""One stream of lines on disk: whole lines only, nobody else's eyes, a new file a day, and old ones go."""

from __future__ import annotations

import contextlib
import os
from datetime import date, timedelta
from pathlib import Path

from actors.evidence.files import Stream, expired, place
from actors.evidence.settings import EvidenceSettings
from actors.seclusion import own_folder

_A_DAY = timedelta(days=1)
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class Journal:
    """The file that a stream is at; for one thread. Only `close` may follow an OSError."""

    def __init__(self, directory: Path, stream: Stream, settings: EvidenceSettings) -> None:
        self._directory, self._stream = directory, stream
        self._limit, self._keep_days = settings.rotate_mib * 2**20, settings.retention_days
        self._file: int | None = None
        self._day: date | None = None
        self._path = directory

    def write(self, day: date, line: str) -> None:
        """Append one line to the file of its day; all of it, or none.

        Where the clock is put back over midnight no page is turned back: files are read in their order.
        """
        file = self._file
        if self._day is not None and self._day - day == _A_DAY:
            day = self._day
        if file is None or day != self._day or not self._fits(file):
            file = self._turn_page(day)
        content = line.encode("utf-8", "replace") + b"\n"
        size = os.fstat(file).st_size
        try:
            _write_all(file, content)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(file, size)
            raise

    def sync(self) -> None:
        """Return when every line is on disk."""
        if self._file is not None:
            os.fsync(self._file)

    def close(self) -> None:
        """Let go of the file, without a sync; never raises."""
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                os.close(file)

    def _fits(self, file: int) -> bool:
        """Whether there is room, and readers will find it.

        A file that somebody deleted or moved away would go on taking lines that nobody ever reads.
        """
        written = os.fstat(file)
        try:
            found = self._path.lstat()
        except OSError:
            return False
        return written.st_size < self._limit and os.path.samestat(written, found)

    def _turn_page(self, day: date) -> int:
        """Go on in the file that this day's next line belongs in, and delete what is too old."""
        self.sync()
        self.close()
        own_folder(self._directory)
        sizes = {
            entry.name: entry.stat(follow_symlinks=False).st_size for entry in os.scandir(self._directory)
        }
        delete_expired(self._directory, day, self._keep_days)
        self._path = self._directory / place(sizes, self._stream, day, self._limit)
        file = os.open(self._path, _FLAGS, 0o600)
        self._file, self._day = file, day
        os.fchmod(file, 0o600)
        size = os.fstat(file).st_size
        if size and os.pread(file, 1, size - 1) != b"\n":
            os.write(file, b"\n")
        sync_directory(self._directory)
        return file


def delete_expired(directory: Path, today: date, keep_days: int) -> None:
    """Delete the files whose days are over."""
    for name in expired([path.name for path in directory.iterdir()], today, keep_days):
        (directory / name).unlink(missing_ok=True)


def _write_all(file: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]


def sync_directory(directory: Path) -> None:
    """A new file's name is on disk only after this."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
