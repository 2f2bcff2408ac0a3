"""The record has one house to write it: who comes second, or cannot write at all, is told at the door."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from loguru import logger

from actors.evidence.local_log import OpenToOthers, prepare
from actors.evidence.orphans import close_orphans
from actors.evidence.settings import EvidenceSettings
from supervisors.settings import BadConfig

LOCK = "lock"


@contextmanager
def claimed_record(settings: EvidenceSettings) -> Generator[None]:
    """Keep other houses out of the record meanwhile, and put it in order first; raises BadConfig.

    Only what is wrong at the start is a reason not to begin: a disk that fails later is not.
    """
    directory = settings.directory.expanduser()
    _look_at(directory)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        claim = os.open(directory / LOCK, flags, 0o600)
    except OSError as error:
        raise _wrong(directory, f"cannot be written to ({error.strerror})", "mend that") from None
    try:
        _keep_others_out(directory, claim)
        _put_in_order(settings)
        yield
    finally:
        os.close(claim)


def _look_at(directory: Path) -> None:
    try:
        prepare(directory)
    except OpenToOthers:
        raise _wrong(directory, "is open to others", f"run chmod 700 {directory}") from None
    except (FileExistsError, NotADirectoryError):
        raise _wrong(directory, "is not a directory", f"move it away, run mkdir -m 700 {directory}") from None
    except OSError as error:
        why = f"cannot be made ({error.strerror})"
        raise _wrong(directory, why, f"run mkdir -m 700 {directory} as who may") from None
    if not os.access(directory, os.R_OK | os.W_OK | os.X_OK):
        raise _wrong(directory, "cannot be written to", f"run chmod 700 {directory}")


def _keep_others_out(directory: Path, claim: int) -> None:
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _wrong(directory, "is written to by another clankie run", "end that one") from None
    except OSError as error:
        logger.warning("{} cannot be locked ({}); run no second clankie on it", directory, error.strerror)


def _put_in_order(settings: EvidenceSettings) -> None:
    try:
        many = close_orphans(settings)
    except OSError as error:
        logger.warning("the last receipts could not be looked through: {}", error.strerror)
        return
    if many:
        logger.warning("stays that a killed house left open are on record as left, reason crashed: {}", many)


def _wrong(directory: Path, what: str, remedy: str) -> BadConfig:
    return BadConfig(f"[evidence] directory: {directory} {what}; {remedy}, or set another")
