"""What he lives by is written down before he does it, and read again when he wakes."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Final

from loguru import logger

from actors.captain import local_pages as pages
from actors.captain.journal import Book, Entry, LaneId, Note
from actors.captain.ledger_wire import parse_notes, to_notes
from actors.captain.local_lanes import Lanes
from actors.seclusion import own_folder
from messages.ids import PersonId

_LANES: Final = "lanes"
_NOTES: Final = "notes.json"
_SET_ASIDE: Final = "notes.unreadable.json"


class LocalLedger:
    """A private directory with JSON lines for each lane, and all notes in one file; a LedgerPort.

    For one thread. `now` gives epoch seconds. What is older than `keep_days` goes when it is opened and,
    in time, while it is open; notes stay.
    """

    def __init__(self, directory: Path, *, keep_days: int, now: Callable[[], float]) -> None:
        self._directory = directory.expanduser()
        self._lanes = Lanes(self._directory / _LANES, keep_days=keep_days, now=now)
        self._notes_known = False
        self._unforgotten: tuple[str, ...] = ()
        self._failing: set[str] = set()

    def open(self) -> Book:
        """Read what is there; an empty book if nothing can be."""
        found: list[Book] = []
        if self._attempt("read", lambda: found.append(self._read())):
            self._attempt("tidied", self._lanes.settle)
        return found[0] if found else Book()

    def append(self, lane: LaneId, entry: Entry) -> bool:
        """Write this down for good before returning; false if that failed, which is logged once."""
        if not self._attempt("written", lambda: self._append(lane, entry)):
            return False
        self._attempt("tidied", lambda: self._lanes.tend(lane))
        return True

    def keep(self, notes: tuple[Note, ...]) -> bool:
        """Put these in place of all notes; false if that failed, or if it is not known which there are."""
        return self._attempt("kept", lambda: self._keep(notes))

    def forget(self, person: PersonId, texts: tuple[str, ...]) -> bool:
        """Write every lane anew without what this person said; false if that failed anywhere.

        The texts of notes that are gone already are looked for again the next time, until it has worked.
        """
        self._unforgotten = (*self._unforgotten, *texts)
        return self._attempt("forgotten", lambda: self._forget(person))

    def close(self) -> None:
        """No file is open between two calls."""

    def _read(self) -> Book:
        self._prepare()
        pages.tidy(self._directory)
        lanes, unreadable = self._lanes.read()
        notes, bad = self._read_notes()
        if unreadable + bad:
            logger.warning("the captain's lanes: {} lines could not be read", unreadable + bad)
        return Book(lanes=lanes, notes=notes, unreadable=unreadable + bad)

    def _read_notes(self) -> tuple[tuple[Note, ...], int]:
        """The notes; what cannot be made out is set aside, so that somebody may look at it."""
        path = self._directory / _NOTES
        try:
            notes = parse_notes(pages.read(path))
        except FileNotFoundError:
            notes = ()
        if notes is None:
            path.replace(self._directory / _SET_ASIDE)
            logger.warning("the captain's notes cannot be read; they are in {} now", _SET_ASIDE)
        self._notes_known = True
        return notes or (), int(notes is None)

    def _append(self, lane: LaneId, entry: Entry) -> None:
        self._prepare()
        self._lanes.append(lane, entry)

    def _keep(self, notes: tuple[Note, ...]) -> None:
        self._prepare()
        path = self._directory / _NOTES
        if not self._notes_known and path.exists():
            raise pages.NeverRead(errno.EEXIST, "there are notes that were never read", str(path))
        pages.rewrite(path, to_notes(notes))
        self._notes_known = True

    def _forget(self, person: PersonId) -> None:
        self._prepare()
        (self._directory / _SET_ASIDE).unlink(missing_ok=True)
        pages.sync(self._directory)
        self._lanes.forget(person, self._unforgotten)
        self._unforgotten = ()

    def _prepare(self) -> None:
        own_folder(self._directory)
        own_folder(self._directory / _LANES)

    def _attempt(self, what: str, writing: Callable[[], None]) -> bool:
        """Whether it worked; of failures in a row the first is logged, and so is the end of them."""
        try:
            writing()
        except OSError as failure:
            if what not in self._failing:
                reason = errno.errorcode.get(failure.errno or 0, type(failure).__name__)
                remedy = pages.remedy(failure, self._directory)
                logger.error("the captain's ledger cannot be {} ({}): {}", what, reason, remedy)
            self._failing.add(what)
            return False
        if what in self._failing:
            logger.info("the captain's ledger can be {} again", what)
        self._failing.discard(what)
        return True
