"""Who came and was never seen to go: a house that was killed leaves that to the next one to write down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from actors.evidence.files import Stream
from actors.evidence.local_log import Journal
from actors.evidence.local_tidy import last_sign
from actors.evidence.reader import receipt_files
from actors.evidence.settings import EvidenceSettings
from actors.evidence.wire import Entry, parse_line, to_line
from messages.evidence import Joined, Left
from messages.ids import StayId, new_id

NEWEST_FILES = 2
"""A stay that began in an older file is not looked for."""
REASON = "crashed"
_MARKS = (b'"discord.voice.joined"', b'"discord.voice.left"')


def close_orphans(settings: EvidenceSettings) -> int:
    """Write a `left` for each stay of the newest files that has none, and return how many there were.

    For a directory that no house is using, and that may be empty. Raises OSError.
    """
    directory = settings.directory.expanduser()
    files = receipt_files(directory)[-NEWEST_FILES:]
    lines = [line for path in files for line in path.read_bytes().splitlines()]
    now = datetime.now(UTC)
    orphans, lived = tuple(_orphans(lines)), last_sign(directory, now)
    journal = Journal(directory, Stream.RECEIPTS, settings)
    try:
        for joined, stay, seen in orphans:
            _close(journal, joined, stay, min(max(seen, lived or seen), now), now)
        journal.sync()
    finally:
        journal.close()
    return len(orphans)


def _orphans(lines: Sequence[bytes]) -> Sequence[tuple[Entry, StayId, datetime]]:
    """The `joined` without a `left`, each with the moment of the last receipt of its stay."""
    alone: dict[str, tuple[Entry, Joined]] = {}
    for line in lines:
        if any(mark in line for mark in _MARKS) and (entry := _entry(line)) is not None:
            match entry.receipt:
                case Joined(stay_id=stay) as joined:
                    alone[stay] = entry, joined
                case Left(stay_id=stay):
                    alone.pop(stay, None)
                case _:
                    pass
    return [
        (entry, joined.stay_id, _last_seen(lines, entry, joined.stay_id)) for entry, joined in alone.values()
    ]


def _last_seen(lines: Sequence[bytes], joined: Entry, stay: StayId) -> datetime:
    for line in reversed(lines):
        if (
            stay.encode() in line
            and (entry := _entry(line)) is not None
            and getattr(entry.receipt, "stay_id", None) == stay
        ):
            return max(entry.occurred_at, joined.occurred_at)
    return joined.occurred_at


def _entry(line: bytes) -> Entry | None:
    entry = parse_line(line.decode(errors="replace"))
    return entry if isinstance(entry, Entry) else None


def _close(journal: Journal, joined: Entry, stay: StayId, seen: datetime, now: datetime) -> None:
    duration_ms = round((seen - joined.occurred_at).total_seconds() * 1000)
    left = Left(stay_id=stay, reason=REASON, duration_ms=duration_ms)
    line = to_line(left, entry_id=new_id(), occurred_at=now, origin=joined.origin)
    if isinstance(line, str):
        journal.write(now.date(), line)
