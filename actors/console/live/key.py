"""Who can read this file may give orders: nobody else's eyes, and gone when the house closes."""

from __future__ import annotations

import errno
import hmac
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from actors.console.settings import key_file
from actors.seclusion import OpenToOthers, own_folder

_SCHEME: Final = "bearer"
_BYTES: Final = 32
_LONGEST: Final = 256
_CLOSE_TO_OTHERS: Final = os.O_CLOEXEC | os.O_NOFOLLOW


class NoKey(Exception):
    """The key could not be put there; says why, and what to do about it."""


class Key:
    """One secret for one life of the console; it shows in nothing that is printed."""

    def __init__(self) -> None:
        self._secret = secrets.token_urlsafe(_BYTES).encode()
        self._path: Path | None = None

    def put(self, directory: Path, port: int) -> None:
        """Write it where its owner finds it; raises NoKey. Blocks as long as the disk does."""
        try:
            directory = directory.expanduser()
            own_folder(directory)
            path = key_file(directory, port)
            _write(path, self._secret)
        except OpenToOthers as error:
            raise NoKey(f"{directory} is open to others; {error.remedy}") from None
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise NoKey(f"no key can be kept in {directory} ({why}); set [console] directory") from None
        except RuntimeError:
            raise NoKey(f"{directory} is in nobody's home; write [console] directory in full") from None
        self._path = path

    def opens_for(self, header: str | None) -> bool:
        """Whether this Authorization header shows the key; takes as long whichever sign of it is wrong."""
        scheme, _, shown = (header or "").partition(" ")
        same = hmac.compare_digest(shown.strip().encode("utf-8", "replace"), self._secret)
        return same and scheme.lower() == _SCHEME

    def remove(self) -> None:
        """Take the file away, if it is still this key's; never raises."""
        if self._path is not None:
            with suppress(OSError):
                if shown_in(self._path).encode() == self._secret:
                    self._path.unlink()

    def __repr__(self) -> str:
        return "Key()"


def shown_in(path: Path) -> str:
    """The key in such a file; raises OSError, also for what is no plain file."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | _CLOSE_TO_OTHERS)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "is no file", str(path))
        return os.read(file, _LONGEST).decode("ascii", "replace")
    finally:
        os.close(file)


def _write(path: Path, secret: bytes) -> None:
    """Whole, or not at all: who looks for it meanwhile finds none, or an old one."""
    unfinished = path.with_suffix(".new")
    with suppress(FileNotFoundError):
        unfinished.unlink()
    file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOSE_TO_OTHERS, 0o600)
    try:
        os.fchmod(file, 0o600)
        os.write(file, secret)
    finally:
        os.close(file)
    unfinished.replace(path)
