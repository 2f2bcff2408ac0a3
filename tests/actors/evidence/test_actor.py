"""The room of the record, with probes for neighbours and a disk of the test's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from loguru import logger

from actors.base import Life
from actors.evidence import wire
from actors.evidence.actor import Evidence
from actors.evidence.files import Stream
from actors.evidence.settings import EvidenceSettings
from messages import evidence as say
from messages.ids import PersonId, StayId, Token, UtteranceId
from messages.lifecycle import Ending
from tests.actors.evidence.fake import FakeSink
from tests.clock import ManualClock
from tests.probe import Probe

DAY = date(2026, 1, 1)
LEFT = say.Left(stay_id=StayId("s1"), reason="self_decided", duration_ms=61_000)
HEARD = say.HeardWords(stay_id=StayId("s"), person_id=PersonId("p"), label="Ann", text="hi", typed=False)
SPOKEN = say.SpokenWords(stay_id=StayId("s"), utterance_id=UtteranceId("u"), text="hello", whole=True)


class Room:
    """An evidence room on one thread."""

    def __init__(self, sink: FakeSink | None = None, *, transcripts: bool = False) -> None:
        self.sink, self.clock = sink or FakeSink(), ManualClock()
        settings = EvidenceSettings(directory=Path("unused"), transcripts=transcripts)
        self.console = Probe[say.EvidenceOpened]()
        self.actor = Evidence(
            Life.alone(), watchers=(self.console,), clock=self.clock, port=self.sink, settings=settings
        )
        self.actor.opened()

    def hears(self, *messages: say.EvidenceMessage) -> None:
        for message in messages:
            self.actor.on_receive(message)

    def tick(self) -> None:
        self.hears(say.EvidenceTick())


@pytest.fixture
def logged() -> Iterator[list[str]]:
    lines: list[str] = []
    sink = logger.add(lambda line: lines.append(str(line)), format="{message}")
    yield lines
    logger.remove(sink)


def test_a_receipt_is_stamped_written_and_shown_as_written() -> None:
    room, watcher = Room(), Probe[say.Recorded | say.PrivateWords]()
    room.clock.advance(1.5)
    room.hears(say.Watch(watcher=watcher, may_see_words=False), LEFT)
    [(stream, day, line)] = room.sink.lines
    assert (stream, day) == (Stream.RECEIPTS, DAY)
    entry = wire.parse_line(line)
    assert isinstance(entry, wire.Entry)
    assert entry.receipt == LEFT
    assert entry.origin == "local"
    assert wire.stamp(entry.occurred_at) == "2026-01-01T12:00:01.500Z"
    assert watcher.received() == [
        say.Recorded(receipt=LEFT, at=entry.occurred_at.timestamp(), json_line=line)
    ]


@pytest.mark.parametrize(
    ("put_back", "borne"),
    [
        (3.0, [10.0, 10.0, 10.0, 12.0]),
        (60.0, [10.0, 10.0, 10.0, 10.0]),
        (3_600.0, [10.0, -3_590.0, -3_589.0, -3_585.0]),
    ],
)
def test_a_clock_that_is_put_back_a_little_is_waited_for_and_one_that_was_wrong_is_not(
    put_back: float, borne: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    room, noon = Room(), ManualClock().wall()
    for seconds in (10.0, 10.0 - put_back, 11.0 - put_back, 15.0 - put_back):
        monkeypatch.setattr(room.clock, "wall", lambda at=seconds: noon + timedelta(seconds=at))
        room.hears(LEFT)
    entries = [wire.parse_line(line) for _, _, line in room.sink.lines]
    assert [
        (one.occurred_at - noon).total_seconds() for one in entries if isinstance(one, wire.Entry)
    ] == borne


def test_a_record_that_opens_says_so_to_whoever_may_want_to_watch() -> None:
    room = Room()
    assert room.console.received() == [say.EvidenceOpened(record=room.actor.here)]


def test_every_receipt_has_an_id_of_its_own() -> None:
    room = Room()
    room.hears(LEFT, LEFT)
    assert len({json.loads(line)["id"] for _, _, line in room.sink.lines}) == 2


def test_words_are_not_kept_by_default_and_his_own_never() -> None:
    room = Room()
    room.hears(HEARD, SPOKEN)
    assert room.sink.lines == []
    room = Room(transcripts=True)
    room.hears(HEARD, SPOKEN)
    [(stream, _, line)] = room.sink.lines
    assert stream is Stream.TRANSCRIPT
    assert json.loads(line)["text"] == "hi"


def test_words_are_shown_only_to_those_who_may_see_them() -> None:
    room, curious, trusted = Room(), *(Probe[say.Recorded | say.PrivateWords]() for _ in range(2))
    room.hears(
        say.Watch(watcher=curious, may_see_words=False), say.Watch(watcher=trusted, may_see_words=True)
    )
    room.hears(HEARD, SPOKEN)
    assert curious.received() == []
    assert trusted.received() == [HEARD, SPOKEN]


def test_a_captain_learns_what_happened_last_in_a_stay() -> None:
    room, captain = Room(), Probe[say.ReceiptsKnown]()
    floor = say.Floor(stay_id=StayId("s1"), state="engaged")
    room.hears(floor, say.ReceiptsAsked(stay=StayId("s1"), reply_to=captain))
    assert captain.received() == [say.ReceiptsKnown(receipts=(floor,), floor="engaged")]
    assert len(room.sink.lines) == 1


def test_a_flush_is_answered_when_the_disk_says_so() -> None:
    room, asker = Room(), Probe[say.Flushed]()
    room.hears(LEFT, say.Flush(done=asker))
    assert room.sink.orders == ["open", "sync 1"]
    assert asker.received() == []
    room.hears(say.SinkSynced(token=Token(1)))
    assert asker.received() == [say.Flushed(lost=0)]


def test_a_flush_that_cannot_be_whole_counts_what_still_waits() -> None:
    room, asker = Room(FakeSink(unwritten=3)), Probe[say.Flushed]()
    room.hears(say.SinkFailed(reason="ENOSPC", remedy="make room"), say.Flush(done=asker))
    assert asker.received() == [say.Flushed(lost=3, failed="ENOSPC")]


def test_a_disk_without_room_holds_up_nobody_and_its_losses_are_known(logged: list[str]) -> None:
    room = Room(FakeSink(room=1))
    room.hears(say.SinkFailed(reason="ENOSPC", remedy="make room"), LEFT, LEFT, LEFT)
    assert room.actor.describe() == {"recorded": 3, "lost": 2, "failing": "ENOSPC"}
    room.clock.advance(5)
    room.tick()
    assert room.sink.orders == ["open", "retry"]
    assert logged == ["evidence cannot be written (ENOSPC): make room\n"]


def test_a_receipt_that_says_too_much_is_refused_and_is_no_reason_to_die(logged: list[str]) -> None:
    room = Room()
    room.hears(say.Left(stay_id=StayId("s"), reason="secret " * 100, duration_ms=1))
    assert room.sink.lines == []
    assert room.actor.describe()["lost"] == 1
    assert "secret" not in logged[0]


def test_closing_gives_the_disk_two_seconds_and_tells_those_who_wait(logged: list[str]) -> None:
    room, asker = Room(FakeSink(unwritten=2)), Probe[say.Flushed]()
    room.hears(say.Flush(done=asker))
    room.actor.closed(Ending.SHUTDOWN)
    assert room.sink.orders[-1] == "close 2.0"
    assert asker.received() == [say.Flushed(lost=2, failed="ESHUTDOWN")]
    assert logged == ["evidence closed with 2 lines unwritten; lost in all: 2\n"]


def test_closing_with_everything_written_says_nothing(logged: list[str]) -> None:
    room = Room()
    room.actor.closed(Ending.SHUTDOWN)
    assert logged == []


@pytest.mark.parametrize(
    ("key", "value"),
    [("retention_days", 0), ("rotate_mib", 0), ("sync_ms", -1), ("flush_s", 0), ("origin", "My House")],
)
def test_settings_that_cannot_work_are_refused_by_name(key: str, value: object) -> None:
    with pytest.raises(ValueError, match=key):
        EvidenceSettings(**{key: value})  # type: ignore[arg-type]


def test_a_record_with_nothing_to_write_still_looks_for_old_files() -> None:
    room = Room()
    assert room.sink.tidied == [DAY]
    room.clock.advance(59)
    room.tick()
    assert room.sink.tidied == [DAY]
    room.clock.advance(1)
    room.tick()
    assert room.sink.tidied == [DAY, DAY]


def test_a_purge_is_ordered_and_answered_at_the_end_at_the_latest() -> None:
    room, asker = Room(), Probe[say.Purged]()
    room.hears(say.PurgePerson(person=PersonId("p"), receipts=True, done=asker))
    assert room.sink.orders == ["open", "purge 1 p all"]
    room.hears(say.SinkPurged(token=Token(1), lines=1, receipts=2))
    assert asker.received() == [say.Purged(person=PersonId("p"), lines=1, receipts=2)]
    room.hears(say.PurgePerson(person=PersonId("q"), receipts=False, done=asker))
    room.actor.closed(Ending.SHUTDOWN)
    assert asker.received()[-1] == say.Purged(person=PersonId("q"), lines=0, receipts=0, failed="ESHUTDOWN")
