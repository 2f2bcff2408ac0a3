"""Who came and was never seen to go: a house that was killed leaves that to the next one to write down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from actors.evidence.files import Stream
from actors.evidence.local_log import Journal
from actors.evidence.local_tidy import last_sign
from actors.evidence.reader import receipt_files
from actors.evidence.settings import EvidenceSettings
from actors.evidence.wire import Entry, parse_line, to_line
from messages.evidence import Consent, Joined, Left
from messages.ids import PersonId, RoomId, StayId, new_id

REASON: Final = "crashed"
STILL_NEWS: Final = timedelta(days=1)
"""Since a crash was found: whoever could not be told by then has to be told no more."""
_STAYS: Final = (b'"discord.voice.joined"', b'"discord.voice.left"', b'"discord.voice.consent"')
_ENDS_CONSENT: Final = frozenset({"withdrawn", "departed", "moved", "lost"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Bereft:
    """A stay that a crash has ended: whom he heard then, and nobody has told that he does not any more."""

    stay: StayId
    room: RoomId
    people: tuple[PersonId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """How many stays got their `left` only now, and of which stays somebody is still to be told."""

    orphans: int
    bereft: tuple[Bereft, ...]


@dataclass(slots=True, kw_only=True)
class _Stay:
    """A stay that is not over or, with somebody who was heard, that a crash has ended at `cut`."""

    joined: Entry
    room: RoomId
    mark: bytes
    """What a line of it has in it."""
    heard: dict[PersonId, None] = field(default_factory=dict[PersonId, None])
    last: bytes = b""
    """Its newest line."""
    cut: datetime | None = None


def close_orphans(settings: EvidenceSettings) -> Found:
    """Write a `left` for each stay on record that has none, and return what was found.

    For a directory that no house is using, and that may be empty. Raises OSError.
    """
    directory = settings.directory.expanduser()
    now = datetime.now(UTC)
    stays = _looked_through(_lines(receipt_files(directory)))
    orphans = {name: stay for name, stay in stays.items() if stay.cut is None}
    lived = last_sign(directory, now)
    journal = Journal(directory, Stream.RECEIPTS, settings)
    try:
        for name, stay in orphans.items():
            seen = _last_seen(stay)
            _close(journal, stay.joined, name, max(seen, lived or seen), now)
        journal.sync()
    finally:
        journal.close()
    bereft = tuple(
        Bereft(stay=name, room=stay.room, people=tuple(stay.heard))
        for name, stay in stays.items()
        if stay.heard and now - (stay.cut or now) < STILL_NEWS
    )
    return Found(orphans=len(orphans), bereft=bereft)


def _lines(files: Iterable[Path]) -> Iterator[bytes]:
    """Every file that is kept: a stay may be as old as the oldest."""
    for path in files:
        with path.open("rb") as file:
            yield from file


def _looked_through(lines: Iterable[bytes]) -> dict[StayId, _Stay]:
    stays: dict[StayId, _Stay] = {}
    early: dict[StayId, dict[PersonId, None]] = {}
    over: set[StayId] = set()
    for line in lines:
        if any(mark in line for mark in _STAYS):
            entry = parse_line(line.decode(errors="replace"))
            if isinstance(entry, Entry):
                _noted(stays, early, over, entry)
        for stay in stays.values():
            if stay.cut is None and stay.mark in line and line.endswith(b"\n"):
                stay.last = line
    return stays


def _noted(
    stays: dict[StayId, _Stay],
    early: dict[StayId, dict[PersonId, None]],
    over: set[StayId],
    entry: Entry,
) -> None:
    """`early`: who asks him to come may have consented before he is there.

    `over`: where the clock was put back over midnight, a `left` is in an older file than its `joined`.
    """
    match entry.receipt:
        case Joined(stay_id=name, room_id=room) if name not in over:
            mark = f'"stayId":"{name}"'.encode()
            stays[name] = _Stay(joined=entry, room=room, mark=mark, heard=early.pop(name, {}))
        case Left(stay_id=name, reason=reason) if name in stays:
            if reason == REASON and stays[name].heard:
                stays[name].cut = entry.occurred_at
            else:
                del stays[name]
        case Left(stay_id=name):
            over.add(name)
        case Consent(stay_id=name, person_id=person, phase="granted"):
            heard = stays[name].heard if name in stays else early.setdefault(name, {})
            heard[person] = None
        case Consent(stay_id=name, person_id=person, phase=phase) if phase in _ENDS_CONSENT:
            heard = stays[name].heard if name in stays else early.get(name, {})
            heard.pop(person, None)
        case _:
            pass


def _last_seen(stay: _Stay) -> datetime:
    """The moment of its last receipt."""
    entry, began = parse_line(stay.last.decode(errors="replace")), stay.joined.occurred_at
    return max(entry.occurred_at, began) if isinstance(entry, Entry) else began


def _close(journal: Journal, joined: Entry, stay: StayId, seen: datetime, now: datetime) -> None:
    duration_ms = round((seen - joined.occurred_at).total_seconds() * 1000)
    left = Left(stay_id=stay, reason=REASON, duration_ms=duration_ms)
    line = to_line(left, entry_id=new_id(), occurred_at=now, origin=joined.origin)
    if isinstance(line, str):
        journal.write(now.date(), line)
