"""A file for each lane, as long as it has to be and no older than it may be."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from actors.captain import local_pages as pages
from actors.captain.journal import MOST_ENTRIES, Entry, LaneId
from actors.captain.ledger_wire import file_of, lane_of, parse_line, to_line
from actors.captain.memory import without
from messages.ids import PersonId

MOST_LANES: Final = 512
LARGEST_LANE: Final = 2**20
"""A lane of more bytes is written anew, with the newest half of that."""
_DAY: Final = 86_400.0
_FEW: Final = 8


@dataclass(slots=True, kw_only=True)
class _Known:
    """What is known of a file without looking into it."""

    oldest: float
    newest: float
    size: int
    fresh: int
    """How many lines it has got since it was (or failed to be) written anew, or above MOST_ENTRIES."""


class Lanes:
    """The lanes in one directory; for one thread, and everything may raise OSError."""

    def __init__(self, directory: Path, *, keep_days: int, now: Callable[[], float]) -> None:
        self._directory = directory
        self._keep, self._now = keep_days * _DAY, now
        self._known: dict[LaneId, _Known] = {}
        self._aging: deque[LaneId] = deque()
        self._looked = 0.0

    def read(self) -> tuple[tuple[tuple[LaneId, tuple[Entry, ...]], ...], int]:
        """The newest entries of each lane, that used last at the end; and how many lines are unreadable."""
        pages.tidy(self._directory)
        self._known.clear()
        found: dict[LaneId, tuple[Entry, ...]] = {}
        unreadable = 0
        for lane in self._on_disk():
            try:
                unreadable += self._mend(lane)
                entries, bad, size = self._entries(lane)
            except OSError:
                unreadable += 1
                continue
            unreadable += bad
            found[lane] = self._young(entries)
            self._know(lane, entries, size, fresh=max(0, len(entries) + bad - MOST_ENTRIES))
        ordered = sorted((one for one in found if found[one]), key=lambda one: self._known[one].newest)
        return tuple((lane, found[lane]) for lane in ordered[-MOST_LANES:]), unreadable

    def settle(self) -> None:
        """Write anew what is too long or too old; delete what nobody can read or has used for longest."""
        while len(self._known) > MOST_LANES:
            self._delete(min(self._known, key=lambda one: self._known[one].newest))
        self._look_for_old()
        for lane in [*self._aging, *(one for one in self._known if self._is_long(one))]:
            self._shorten(lane)
        self._aging.clear()

    def append(self, lane: LaneId, entry: Entry) -> None:
        """Write an entry down for good."""
        size = pages.append(self._path(lane), to_line(entry))
        known = self._known.setdefault(lane, _Known(oldest=entry.at, newest=entry.at, size=0, fresh=0))
        known.newest, known.size, known.fresh = entry.at, size, known.fresh + 1

    def tend(self, lane: LaneId) -> None:
        """After an entry: a little of what `settle` does, so that it never takes long."""
        if len(self._known) > MOST_LANES:
            self._delete(min(self._known, key=lambda one: self._known[one].newest))
        if self._is_long(lane):
            self._shorten(lane)
        if self._now() - self._looked > _DAY:
            self._look_for_old()
        if self._aging:
            self._shorten(self._aging.popleft())

    def forget(self, person: PersonId, texts: tuple[str, ...]) -> None:
        """Write every lane anew in which something is of this person, or tells these, or cannot be read."""
        failures: list[OSError] = []
        for lane in self._on_disk():
            try:
                entries, bad, _ = self._entries(lane)
                kept = without(entries, person, texts)
                if bad or kept != entries:
                    self._rewrite(lane, kept)
            except OSError as failure:
                failures.append(failure)
        if failures:
            raise failures[0]

    # --- one lane

    def _mend(self, lane: LaneId) -> bool:
        """Whoever was killed in the midst of a line has not done what it was to say: it goes."""
        path = self._path(lane)
        end = pages.torn(path)
        if not end or parse_line(end) is not None:
            return False
        pages.cut(path, end)
        return True

    def _shorten(self, lane: LaneId) -> None:
        known = self._known.get(lane)
        if known is not None:
            # Should it fail, it is not tried again at every line.
            known.fresh = 0
            entries, _, _ = self._entries(lane)
            self._rewrite(lane, self._young(entries))

    def _rewrite(self, lane: LaneId, entries: tuple[Entry, ...]) -> None:
        lines = [to_line(one) for one in entries]
        while sum(map(len, lines)) > LARGEST_LANE // 2:
            lines = lines[1 + len(lines) // 8 :]
        if not lines:
            self._delete(lane)
            return
        content = b"".join(lines)
        pages.rewrite(self._path(lane), content)
        self._know(lane, entries[-len(lines) :], len(content), fresh=0)

    def _delete(self, lane: LaneId) -> None:
        self._known.pop(lane, None)
        self._path(lane).unlink(missing_ok=True)
        pages.sync(self._directory)

    def _entries(self, lane: LaneId) -> tuple[tuple[Entry, ...], int, int]:
        """The entries of a lane, how many of its lines are none, and how many bytes were read."""
        content = pages.read(self._path(lane))
        lines = [line for line in content.split(b"\n") if line]
        entries = tuple(entry for line in lines if (entry := parse_line(line)) is not None)
        return entries, len(lines) - len(entries), len(content)

    def _young(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        oldest = self._now() - self._keep
        return tuple(one for one in entries if one.at >= oldest)[-MOST_ENTRIES:]

    # --- what is known

    def _know(self, lane: LaneId, entries: tuple[Entry, ...], size: int, *, fresh: int) -> None:
        times = [one.at for one in entries]
        oldest, newest = min(times, default=0.0), max(times, default=0.0)
        few = _FEW if size > LARGEST_LANE else 0
        self._known[lane] = _Known(oldest=oldest, newest=newest, size=size, fresh=max(fresh, few))

    def _is_long(self, lane: LaneId) -> bool:
        known = self._known.get(lane)
        if known is None:
            return False
        return known.fresh >= MOST_ENTRIES or (known.size > LARGEST_LANE and known.fresh >= _FEW)

    def _look_for_old(self) -> None:
        self._looked = self._now()
        oldest = self._looked - self._keep
        self._aging = deque(lane for lane, known in self._known.items() if known.oldest < oldest)

    def _on_disk(self) -> list[LaneId]:
        names = sorted(path.name for path in self._directory.iterdir())
        return [lane for name in names if (lane := lane_of(name)) is not None]

    def _path(self, lane: LaneId) -> Path:
        return self._directory / file_of(lane)
