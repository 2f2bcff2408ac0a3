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

from actors.console.settings import door_file, key_file
from actors.seclusion import OpenToOthers, own_folder, write_closed

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
        self._door = Path()

    def put(self, directory: Path, port: int) -> None:
        """Write it where its owner finds it; raises NoKey. Blocks as long as the disk does."""
        try:
            directory = directory.expanduser()
            own_folder(directory)
            path = key_file(directory, port)
            write_closed(path, self._secret)
        except OpenToOthers as error:
            raise NoKey(f"{directory} {error.why}; {error.remedy}") from None
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise NoKey(f"no key can be kept in {directory} ({why}); set [console] directory") from None
        except RuntimeError:
            raise NoKey(f"{directory} is in nobody's home; write [console] directory in full") from None
        self._path, self._door = path, door_file(directory, port)

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
                    self._door.unlink(missing_ok=True)
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
