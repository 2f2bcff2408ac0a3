"""A directory in which one ledger follows another, and what may stand in it."""

from __future__ import annotations

from pathlib import Path

from actors.captain.journal import Book, Entry, HeardAsked, LaneId, Note, SaidAnswer
from actors.captain.ledger_wire import file_of
from actors.captain.local_ledger import LocalLedger
from messages.authority import Surface
from messages.ids import GuildId, HandoffId, MessageId, PersonId, RoomId

DAY = 86_400.0
NOW = 1_800_000_000.0
DEN = LaneId("text-den")
ADA, BEN = PersonId("ada"), PersonId("ben")
NOTE = Note(at=NOW, person=ADA, guild=GuildId("g1"), room=None, text="likes tea")


def asked(turn: str, *people: PersonId, at: float = NOW) -> HeardAsked:
    return HeardAsked(
        at=at,
        handoff=HandoffId(turn),
        surface=Surface.TEXT,
        room=RoomId("den"),
        message=MessageId("m1"),
        people=people,
        label="Ada",
        text="play something",
    )


def said(turn: str, text: str = "with pleasure", at: float = NOW) -> SaidAnswer:
    return SaidAnswer(at=at, handoff=HandoffId(turn), text=text)


class Shelf:
    """A directory for ledgers, and a time that the test sets."""

    def __init__(self, directory: Path) -> None:
        self.directory, self.now = directory, NOW

    def ledger(self) -> LocalLedger:
        return LocalLedger(self.directory, keep_days=30, now=lambda: self.now)

    def read(self) -> Book:
        return self.ledger().open()

    def file(self, lane: LaneId = DEN) -> Path:
        return self.directory / "lanes" / file_of(lane)

    def lines(self, lane: LaneId = DEN) -> int:
        return self.file(lane).read_bytes().count(b"\n")

    def write(self, *entries: Entry, lane: LaneId = DEN) -> LocalLedger:
        ledger = self.ledger()
        ledger.open()
        assert all(ledger.append(lane, one) for one in entries)
        return ledger
