"""What one stay proves: that with living people, and from its beginning to its end, it went as it should."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from actors.chronicle.proof_consent import unconsented
from actors.chronicle.proof_failures import unexplained
from actors.chronicle.proof_talk import answered, interruptions, overlaps
from actors.chronicle.proof_types import Fact, Point
from messages.evidence import Consent, Joined, Left
from messages.ids import StayId

DISCORD: Final = "discord"
_GO_THERE: Final = "run clankie with a bot token, on Discord itself, and have him join a room"
MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """All points of one stay, in the order in which they are told."""

    stay: StayId
    points: tuple[Point, ...]

    @property
    def holds(self) -> bool:
        """Whether every point does."""
        return all(point.held for point in self.points)


def stays_of(facts: Sequence[Fact]) -> tuple[StayId, ...]:
    """The stays on Discord in the order of their first receipts, those that never joined included."""
    return tuple(dict.fromkeys(fact.receipt.stay_id for fact in facts if fact.origin == DISCORD))


def latest_of(facts: Sequence[Fact]) -> StayId | None:
    """The stay to judge: the latest on Discord, else the latest there is; None where there is none."""
    on_discord = stays_of(facts)
    if on_discord:
        return on_discord[-1]
    return next(reversed(dict.fromkeys(fact.receipt.stay_id for fact in facts)), None)


def prove(facts: Sequence[Fact], stay: StayId) -> Proof:
    """Judge one stay by all that is on record, the oldest first."""
    return next(prove_each(facts, (stay,)))


def prove_each(facts: Sequence[Fact], stays: Iterable[StayId]) -> Iterator[Proof]:
    """The same of several."""
    own: dict[StayId, list[Fact]] = defaultdict(list)
    for fact in facts:
        own[fact.receipt.stay_id].append(fact)
    visits = tuple(fact for fact in facts if isinstance(fact.receipt, Joined | Left))
    return (_judged(stay, own[stay], visits) for stay in stays)


def _judged(stay: StayId, own: Sequence[Fact], visits: Sequence[Fact]) -> Proof:
    points = (
        _origin(own),
        _came(own),
        _consent(own),
        answered(own),
        overlaps(own),
        interruptions(own),
        _failures(own),
        _left(own),
        _came_again(visits, own, stay),
    )
    return Proof(stay=stay, points=points)


def _origin(own: Sequence[Fact]) -> Point:
    origins = sorted({fact.origin or "nobody" for fact in own})
    held = origins == [DISCORD]
    elsewhere = ", ".join(one for one in origins if one != DISCORD)
    return Point(
        name="on Discord, with living people",
        held=held,
        evidence=f"{len(own)} receipts, all signed discord"
        if held
        else f"signed {elsewhere}: this was no stay on Discord, and a rehearsal proves nothing here",
        remedy=_GO_THERE,
    )


def _is_on_discord(own: Sequence[Fact]) -> bool:
    """Whether there are slash commands, and encryption from end to end, to advise."""
    return not own or any(fact.origin == DISCORD for fact in own)


def _came(own: Sequence[Fact]) -> Point:
    joined = [fact.receipt for fact in own if isinstance(fact.receipt, Joined)]
    said = ", ".join(
        f"room {one.room_id}, encryption {one.encryption}, {one.humans} people" for one in joined
    )
    return Point(
        name="joined once, encrypted from end to end",
        held=len(joined) == 1 and joined[0].encryption == "dave",
        evidence=said or "no joined on record",
        remedy="let him come into a room where everybody's program encrypts from end to end (DAVE), and see "
        "clankie doctor"
        if _is_on_discord(own)
        else _GO_THERE,
    )


def _consent(own: Sequence[Fact]) -> Point:
    granted = [fact for fact in own if isinstance(fact.receipt, Consent) and fact.receipt.phase == "granted"]
    wrong = unconsented(own)
    people = {fact.receipt.person_id for fact in granted if isinstance(fact.receipt, Consent)}
    return Point(
        name="heard only who consented",
        held=bool(granted) and not wrong,
        evidence=f"{len(granted)} grants of {len(people)} people"
        + (f"; without a grant in force: {_some(wrong)}" if wrong else ""),
        remedy="nobody may be heard without a grant; that is a bug, keep the receipts"
        if wrong
        else "let somebody in the room consent: /clankie voice-consent opt-in"
        if _is_on_discord(own)
        else "let somebody in the room consent, by the button on his page (clankie page)",
    )


def _failures(own: Sequence[Fact]) -> Point:
    wrong, explained = unexplained(own)
    return Point(
        name="no failure without a recovery",
        held=not wrong,
        evidence=f"without a recovery: {_some(wrong)}" if wrong else f"{explained} failures, all made good",
        remedy="see clankie doctor and docs/operating.md for these reasons, mend them, and prove a new stay",
    )


def _left(own: Sequence[Fact]) -> Point:
    left = [fact.receipt for fact in own if isinstance(fact.receipt, Left)]
    last = isinstance(own[-1].receipt, Left) if own else False
    said = ", ".join(f"{one.reason} after {one.duration_ms / 1000:.0f} s" for one in left)
    return Point(
        name="left once",
        held=len(left) == 1,
        evidence=(said or "no left on record") + ("" if last or not left else ", and receipts after it"),
        remedy="end the stay (clankie ctl leave), then prove it",
    )


def _came_again(visits: Sequence[Fact], own: Sequence[Fact], stay: StayId) -> Point:
    rooms = {fact.receipt.room_id for fact in own if isinstance(fact.receipt, Joined)}
    found = ""
    room_of: dict[StayId, str] = {}
    gone: dict[str, StayId] = {}
    for fact in visits:
        match fact.receipt:
            case Joined(stay_id=other, room_id=room) if fact.origin == DISCORD:
                before = gone.get(room)
                if room in rooms and before not in (None, other) and stay in (before, other):
                    found = f"stay {before} left room {room}, stay {other} joined it after that"
                room_of[other] = room
            case Left(stay_id=other) if other in room_of:
                gone[room_of[other]] = other
            case _:
                pass
    return Point(
        name="came again",
        held=bool(found),
        evidence=found or "in this room there is no stay before or after it",
        remedy="have him leave and join the same room again, then prove the later stay"
        if _is_on_discord(own)
        else _GO_THERE,
    )


def _some(wrong: Sequence[str]) -> str:
    more = len(wrong) - MOST_NAMED
    return ", ".join(wrong[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
