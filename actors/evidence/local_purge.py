"""Somebody is taken out of files that are kept: each is there as it was or as it shall be, never neither."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Final

from actors.evidence.files import Stream, parse_name
from actors.evidence.forgetting import Forgotten
from actors.evidence.local_log import sync_directory

UNFINISHED: Final = ".purging"
"""How the name of a file ends that is being written in the place of another."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
_OLD = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


@dataclass(frozen=True, slots=True, kw_only=True)
class Purge:
    """What was done: lines taken out of transcripts, receipts changed; `failed` is an errno's name."""

    lines: int = 0
    receipts: int = 0
    failed: str = ""


def purge(directory: Path, person: str, *, receipts: bool) -> Purge:
    """Take this person out of every file in a directory that nobody else is writing to; never raises OSError.

    What failed halfway may be tried again: what was done is done.
    """
    forgotten = Forgotten(person=person, pseudonym=f"purged-{token_hex(4)}")
    done = {Stream.TRANSCRIPT: 0, Stream.RECEIPTS: 0}
    failed = ""
    try:
        for path in sorted(directory.iterdir()):
            known = parse_name(path.name)
            if known is not None and (receipts or known[0] is Stream.TRANSCRIPT):
                try:
                    done[known[0]] += _purge_file(path, known[0], forgotten)
                except OSError as failure:  # he is still to be taken out of the others
                    failed = failed or _code(failure)
    except OSError as failure:
        failed = _code(failure)
    return Purge(lines=done[Stream.TRANSCRIPT], receipts=done[Stream.RECEIPTS], failed=failed)


def _code(failure: OSError) -> str:
    return errno.errorcode.get(failure.errno or 0, type(failure).__name__)


def clear_away(directory: Path) -> None:
    """Delete what a purge that was killed left half-written; the files themselves are whole."""
    for path in directory.glob(f"*{UNFINISHED}"):
        with suppress(OSError):
            path.unlink()


def _purge_file(path: Path, stream: Stream, forgotten: Forgotten) -> int:
    """How many lines were changed or taken out; a file without any is left as it is."""
    with os.fdopen(os.open(path, _OLD), "rb") as old:
        if not any(forgotten.is_in(line) for line in old):
            return 0
        old.seek(0)
        edit = _without_words if stream is Stream.TRANSCRIPT else _without_name
        return _replace(path, old, lambda line: edit(forgotten, line) if forgotten.is_in(line) else line)


def _replace(path: Path, old: Iterable[bytes], edit: Callable[[bytes], bytes]) -> int:
    fresh, changed = path.with_name(path.name + UNFINISHED), 0
    try:
        with os.fdopen(os.open(fresh, _NEW, 0o600), "wb") as new:
            os.fchmod(new.fileno(), 0o600)
            for line in old:
                edited = edit(line)
                changed += edited != line
                new.write(edited)
            new.flush()
            os.fsync(new.fileno())
        if changed:
            fresh.replace(path)
            sync_directory(path.parent)
    finally:
        with suppress(FileNotFoundError):
            fresh.unlink()
    return changed


def _without_words(forgotten: Forgotten, line: bytes) -> bytes:
    return b"" if forgotten.is_whose_words(line) else line


def _without_name(forgotten: Forgotten, line: bytes) -> bytes:
    return forgotten.out_of_receipt(line)
