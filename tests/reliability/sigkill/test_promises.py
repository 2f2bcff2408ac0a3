"""Each promise of the kills can be broken, and is then told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from actors.captain.journal import Entry as LaneEntry
from actors.captain.journal import HeardAsked, ToolBegun, TurnOver
from actors.captain.ledger_wire import to_line as to_entry
from actors.evidence.wire import Entry, to_line
from messages.authority import Surface
from messages.evidence import Consent, Joined, Left, Receipt
from messages.ids import CallId, HandoffId, MessageId, PersonId, RoomId, StayId
from tests.reliability.sigkill.disk import Disk, look
from tests.reliability.sigkill.promises import (
    Fate,
    Seen,
    Service,
    Unheard,
    broken,
    done_twice,
    heard,
    unheard,
)

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
STAY, ADA = StayId("s1"), PersonId("ada")
JOINED = Joined(stay_id=STAY, room_id=RoomId("den"), humans=1, bots=0, encryption="none")
LEFT = Left(stay_id=STAY, reason="crashed", duration_ms=1)
ASKED = HeardAsked(
    at=1.0,
    handoff=HandoffId("h1"),
    surface=Surface.TEXT,
    room=RoomId("den"),
    message=None,
    people=(ADA,),
    label="Ada",
    text="pay",
)
BEGUN = ToolBegun(at=2.0, handoff=ASKED.handoff, call=CallId("c1"), tool="pay")
OVER = TurnOver(at=3.0, handoff=ASKED.handoff, how="interrupted")


def consent(phase: str) -> Consent:
    return Consent(stay_id=STAY, person_id=ADA, phase=phase)


def entries(*receipts: Receipt) -> tuple[Entry, ...]:
    return tuple(
        Entry(id=f"r{place}", occurred_at=BEGAN + timedelta(seconds=place), origin="den", receipt=receipt)
        for place, receipt in enumerate(receipts)
    )


def disk(*receipts: Receipt, lanes: Mapping[str, tuple[LaneEntry, ...]] | None = None) -> Disk:
    return Disk(
        entries=entries(*receipts),
        torn=0,
        lanes=lanes or {},
        torn_entries=0,
        half_done=(),
        open_to_others=(),
    )


CUT = disk(JOINED, consent("granted"), lanes={"text": (ASKED, BEGUN)})
BACK = disk(JOINED, consent("granted"), LEFT, consent("lost"), lanes={"text": (ASKED, BEGUN, OVER)})
FATE = Fate(
    at=9.0, seen=(Seen(receipt=consent("granted"), at=8.0),), disk=CUT, kills=1, owed=frozenset({STAY})
)
SERVICE = Service(disk=BACK, notices=1, voice_left=True, came_back=0, links=0)


def test_who_was_cut_off_and_has_put_all_in_order_has_broken_nothing() -> None:
    assert heard(CUT.entries) == {STAY: {ADA}}
    assert broken(FATE, SERVICE) == ()


def on(change: Callable[[Disk], Disk]) -> Service:
    return replace(SERVICE, disk=change(BACK))


@pytest.mark.parametrize(
    ("service", "told"),
    [
        (on(lambda it: replace(it, entries=it.entries[:1] + it.entries[2:])), "s before the kill is not on"),
        (
            on(lambda it: replace(it, entries=it.entries[:1] + it.entries[2:])),
            "on record right after the kill",
        ),
        (on(lambda it: replace(it, entries=(*it.entries, it.entries[-1]))), "on record 2 times"),
        (on(lambda it: replace(it, entries=it.entries[:2])), "has 1 joined and 0 left"),
        (on(lambda it: replace(it, entries=it.entries[1:])), "has 0 joined and 1 left"),
        (on(lambda it: replace(it, entries=it.entries[:3])), "is not on record as lost"),
        (on(lambda it: replace(it, entries=it.entries[::-1])), "not in the order of time"),
        (on(lambda it: replace(it, torn=2)), "2 lines are torn after 1 kills"),
        (on(lambda it: replace(it, torn_entries=1)), "still in the lanes"),
        (on(lambda it: replace(it, lanes={"text": (ASKED, OVER)})), "1 lines of lane text are gone"),
        (on(lambda it: replace(it, lanes={"text": (ASKED, BEGUN)})), "is over 0 times"),
        (on(lambda it: replace(it, lanes={"text": (ASKED, BEGUN, OVER, OVER)})), "is over 2 times"),
        (on(lambda it: replace(it, lanes={"text": (ASKED, BEGUN, BEGUN, OVER)})), "was begun 2 times"),
        (on(lambda it: replace(it, half_done=("x.new",))), "left lying about: x.new"),
        (on(lambda it: replace(it, open_to_others=("lock is 0644",))), "lock is 0644"),
        (replace(SERVICE, notices=0), "told 0 times"),
        (replace(SERVICE, notices=2), "told 2 times"),
        (replace(SERVICE, voice_left=False), "still shows him"),
        (replace(SERVICE, came_back=1), "came back by himself"),
        (replace(SERVICE, links=1), "1 voice connections"),
        (replace(SERVICE, orphans=("media 7",)), "outlived its house: media 7"),
        (replace(SERVICE, trouble=("no console",)), "no console"),
    ],
)
def test_every_promise_can_be_broken(service: Service, told: str) -> None:
    assert any(told in one for one in broken(FATE, service)), broken(FATE, service)


def test_what_was_told_at_the_moment_of_the_kill_or_has_been_forgotten_may_be_gone() -> None:
    late = replace(FATE, seen=(Seen(receipt=consent("moved"), at=8.9),), forgotten=frozenset({ADA}))
    assert broken(late, on(lambda it: replace(it, lanes={"text": ()}))) == ()


def test_a_deed_is_done_once_at_the_most() -> None:
    assert list(done_twice(["a", "b"])) == []
    assert list(done_twice(["a", "a"])) == ["a was done 2 times"]


def test_whoever_asked_is_told_once_whatever_became_of_it() -> None:
    asked = replace(ASKED, message=MessageId("m1"))
    more = replace(asked, message=MessageId("m2"), handoff=HandoffId("h2"), into=ASKED.handoff)
    lanes = {"text": (asked, more, replace(OVER, how="answered"))}
    assert list(unheard(lanes, {"m2": 1, "m3": 3}, [])) == []
    never, twice = (
        Unheard(turn="h1", answers=0, on_its_way=False),
        Unheard(turn="h1", answers=2, on_its_way=False),
    )
    assert list(unheard(lanes, {}, [2.9, 4.1])) == [never]
    assert list(unheard(lanes, {}, [3.1])) == [replace(never, on_its_way=True)]
    assert list(unheard(lanes, {"m1": 1, "m2": 1}, [3.1])) == [twice]
    assert list(unheard({"text": (asked, OVER)}, {}, [3.1])) == [never]


def test_the_disk_is_read_as_it_is(tmp_path: Path) -> None:
    assert look(tmp_path) == disk()
    for name in ("evidence", "captain/lanes"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "captain").chmod(0o700)
    line = to_line(JOINED, entry_id="r0", occurred_at=BEGAN, origin="den")
    (tmp_path / "evidence" / "receipts-2026-01-01.jsonl").write_text(f"{line}\n{str(line)[:40]}")
    (tmp_path / "captain" / "lanes" / "text-den.jsonl").write_bytes(to_entry(ASKED) + b'{"v":1')
    (tmp_path / "captain" / "lanes" / ".text-den.jsonl.new").touch(0o600)
    found = look(tmp_path)
    assert (found.entries, found.torn, found.torn_entries) == (entries(JOINED), 1, 1)
    assert found.lanes == {"text-den": (ASKED,)}
    assert found.half_done == (".text-den.jsonl.new",)
    assert "captain/lanes is 0755" in found.open_to_others
