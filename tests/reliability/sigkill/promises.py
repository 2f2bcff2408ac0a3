"""What must be true after every kill, from what was seen before it, what is on disk, and what was said."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.captain.journal import Entry as LaneEntry
from actors.captain.journal import HeardAsked, ToolBegun, TurnOver
from actors.evidence.wire import Entry
from messages.evidence import Consent, Joined, Left, Receipt
from tests.reliability.sigkill.disk import Disk

SETTLED_SECONDS: Final = 0.2
"""What was told so long before the kill is on disk."""
POST_SECONDS: Final = 1.0
"""So long an answer may be on its way to Discord."""
_ENDS_CONSENT: Final = frozenset({"withdrawn", "departed", "moved", "lost"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A receipt that whoever watches was told of, at this monotonic second."""

    receipt: Receipt
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What is known of a kill: when it was, what was seen before, and what was on disk right after it."""

    at: float
    """The monotonic second before the signal was sent."""
    seen: tuple[Seen, ...]
    disk: Disk
    kills: int
    """How many there have been so far, this one included."""
    owed: frozenset[str] = frozenset()
    """Every stay that was cut so far while he heard somebody."""
    forgotten: frozenset[str] = frozenset()
    """Who has had himself forgotten since he was last seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What he is like when he is back."""

    disk: Disk
    notices: int
    """How often a room was told that consents were lost, since the evening began."""
    voice_left: bool
    """Whether Discord shows him in no channel."""
    came_back: int
    """How often he went into a channel by himself."""
    links: int
    """Voice connections of his that are open."""
    orphans: tuple[str, ...] = ()
    """Who outlived his house by too much."""
    trouble: tuple[str, ...] = ()
    """What the start itself complained of."""


def broken(fate: Fate, service: Service) -> tuple[str, ...]:
    """Every promise that was not kept, in words."""
    return (
        *_record(fate, service.disk),
        *_stays(service.disk),
        *_consents(fate, service),
        *_voice(service),
        *_lanes(fate, service.disk),
        *_files(fate, service.disk),
        *(f"outlived its house: {one}" for one in service.orphans),
        *service.trouble,
    )


def _record(fate: Fate, disk: Disk) -> Iterator[str]:
    for name, times in disk.ids.items():
        if times > 1:
            yield f"receipt {name} is on record {times} times"
    there = Counter(entry.receipt for entry in disk.entries)
    settled = [one for one in fate.seen if one.at <= fate.at - SETTLED_SECONDS]
    for receipt in Counter(one.receipt for one in settled) - there:
        if getattr(receipt, "person_id", None) not in fate.forgotten:
            at = min(one.at for one in settled if one.receipt == receipt)
            yield f"{type(receipt).__name__} of {fate.at - at:.3f} s before the kill is not on record"
    for name in fate.disk.ids - disk.ids:
        yield f"receipt {name} was on record right after the kill, and is not any more"
    if disk.torn > fate.kills:
        yield f"{disk.torn} lines are torn after {fate.kills} kills"
    moments = [entry.occurred_at for entry in disk.entries]
    if moments != sorted(moments):
        yield "the record is not in the order of time"


def _stays(disk: Disk) -> Iterator[str]:
    joined = Counter(one.receipt.stay_id for one in disk.entries if isinstance(one.receipt, Joined))
    left = Counter(one.receipt.stay_id for one in disk.entries if isinstance(one.receipt, Left))
    for stay in {*joined, *left}:
        if (joined[stay], left[stay]) != (1, 1):
            yield f"stay {stay} has {joined[stay]} joined and {left[stay]} left"


def left_open(disk: Disk) -> Mapping[str, int]:
    """What a kill has left behind that the next life has to put in order, and how much of it."""
    joined = {one.receipt.stay_id for one in disk.entries if isinstance(one.receipt, Joined)}
    left = {one.receipt.stay_id for one in disk.entries if isinstance(one.receipt, Left)}
    entries = [one for lane in disk.lanes.values() for one in lane]
    over = {one.handoff for one in entries if isinstance(one, TurnOver)}
    asked = {one.handoff for one in entries if isinstance(one, HeardAsked) and one.into is None}
    there = {
        "stays": len(joined - left),
        "consents": len(heard(disk.entries)),
        "turns": len(asked - over),
        "torn lines": disk.torn + disk.torn_entries,
        "half files": len(disk.half_done),
    }
    return {name: count for name, count in there.items() if count}


def heard(entries: Sequence[Entry]) -> Mapping[str, frozenset[str]]:
    """Whom he heard in each stay that is not over or that crashed, where that is not on record as lost."""
    people: dict[str, set[str]] = {}
    here, over = set[str](), set[str]()
    for entry in entries:
        match entry.receipt:
            case Joined(stay_id=stay):
                here.add(stay)
            case Consent(stay_id=stay, person_id=person, phase="granted"):
                people.setdefault(stay, set()).add(person)
            case Consent(stay_id=stay, person_id=person, phase=phase) if phase in _ENDS_CONSENT:
                people.get(stay, set()).discard(person)
            case Left(stay_id=stay, reason=reason) if reason != "crashed":
                over.add(stay)
            case _:
                pass
    return {stay: frozenset(who) for stay, who in people.items() if who and stay in here - over}


def _consents(fate: Fate, service: Service) -> Iterator[str]:
    if service.notices != len(fate.owed):
        yield f"{len(fate.owed)} stays were cut with somebody heard; it was told {service.notices} times"
    for stay in heard(service.disk.entries):
        yield f"stay {stay}: a consent that was lost is not on record as lost"


def _voice(service: Service) -> Iterator[str]:
    if not service.voice_left:
        yield "Discord still shows him in the channel of the life that is gone"
    if service.came_back:
        yield "he came back by himself"
    if service.links:
        yield f"{service.links} voice connections of the life that is gone are open"


def _lanes(fate: Fate, disk: Disk) -> Iterator[str]:
    if disk.torn_entries:
        yield f"{disk.torn_entries} torn lines are still in the lanes"
    for lane, before in fate.disk.lanes.items():
        after = disk.lanes.get(lane, ())
        # The oldest lines of a lane that is too long go.
        since = min((entry.at for entry in after), default=0.0)
        gone = _of(before, fate.forgotten)
        lost = [
            entry
            for entry in before
            if entry not in after and entry.at >= since and entry.handoff not in gone
        ]
        if lost:
            yield f"{len(lost)} lines of lane {lane} are gone, such as {type(lost[0]).__name__}"
    for lane, entries in disk.lanes.items():
        yield from _turns(lane, entries)


def _of(entries: Sequence[LaneEntry], people: frozenset[str]) -> frozenset[str]:
    """The turns in which one of these people asked."""
    asked = (one for one in entries if isinstance(one, HeardAsked) and people.intersection(one.people))
    return frozenset(one.into or one.handoff for one in asked)


def _turns(lane: str, entries: Sequence[LaneEntry]) -> Iterator[str]:
    begun = Counter((one.handoff, one.call) for one in entries if isinstance(one, ToolBegun))
    over = Counter(one.handoff for one in entries if isinstance(one, TurnOver))
    asked = {one.handoff for one in entries if isinstance(one, HeardAsked) and one.into is None}
    for (handoff, call), times in begun.items():
        if times > 1:
            yield f"{lane}: {call} of {handoff} was begun {times} times"
    for handoff in asked | set(over):
        if over[handoff] != 1:
            yield f"{lane}: the turn {handoff} is over {over[handoff]} times"


def _files(fate: Fate, disk: Disk) -> Iterator[str]:
    yield from (f"left lying about: {name}" for name in disk.half_done)
    yield from disk.open_to_others
    yield from fate.disk.open_to_others


def done_twice(deeds: Sequence[str]) -> Iterator[str]:
    """What was really done more than once."""
    for deed, times in Counter(deeds).items():
        if times > 1:
            yield f"{deed} was done {times} times"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unheard:
    """A turn of which nobody heard, or heard too often; `on_its_way`: its answer was being sent just then."""

    turn: str
    answers: int
    on_its_way: bool


def unheard(
    lanes: Mapping[str, tuple[LaneEntry, ...]], answers: Mapping[str, int], kills: Sequence[float]
) -> Iterator[Unheard]:
    """Whoever wrote what he has read is told once what became of it; one answer is for all of a turn.

    An answer is on its way for POST_SECONDS after it is in the lane, and a kill (at these seconds of the
    epoch) may take it along.
    """
    turns: dict[str, set[str]] = {}
    over: dict[str, float] = {}
    for entries in lanes.values():
        for one in entries:
            if isinstance(one, HeardAsked) and one.message is not None:
                turns.setdefault(one.into or one.handoff, set()).add(one.message)
            elif isinstance(one, TurnOver) and one.how == "answered":
                over[one.handoff] = one.at
    for turn, messages in turns.items():
        times, at = sum(answers.get(message, 0) for message in messages), over.get(turn, math.inf)
        if times != 1:
            cut = any(at - 0.001 <= kill <= at + POST_SECONDS for kill in kills)
            yield Unheard(turn=turn, answers=times, on_its_way=times == 0 and cut)
