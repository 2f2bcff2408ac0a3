"""One stay as it can be told: when it was, what it came to, its turns, and the lines that asked for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from actors.chronicle.figures import Figures, figures
from actors.chronicle.why import JudgedLine, Turn, after, line_of, turn_of
from messages.evidence import HouseReceipt, Joined, Left, Membership
from messages.ids import PersonId, RoomId, StayId, TurnId
from supervisors.report.gathering import Found, Stamped
from supervisors.report.people import person_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Everything that a report says of one stay; seconds are wall-clock ones since the epoch."""

    stay_id: StayId
    origin: str
    room_id: RoomId | None
    """None where the record begins after he had come in."""
    encryption: str
    began: float
    ended: float
    left: str | None
    """Why he left; None where that is not on record."""
    open: bool = False
    """Whether it goes on, as far as a house at work can tell; `ended` is now then."""
    people: tuple[PersonId, ...]
    most_humans: int
    stamped: tuple[Stamped, ...]
    lines: tuple[JudgedLine, ...]
    turns: tuple[Turn, ...]
    figures: Figures


def stories(found: Found, now: float | None = None) -> Iterator[Story]:
    """One for each stay, in the order of their beginnings; `now`, if a house is at work on this record."""
    for stay, stamped in found.stays.items():
        yield _story(stay, found.origins.get(stay, ""), tuple(stamped), now)


def _story(stay: StayId, origin: str, stamped: Sequence[Stamped], now: float | None) -> Story:
    receipts = [one.receipt for one in stamped]
    joined = next((one for one in receipts if isinstance(one, Joined)), None)
    left = next((one for one in reversed(receipts) if isinstance(one, Left)), None)
    lines, turns = _why(stamped)
    goes_on = now is not None and joined is not None and left is None
    return Story(
        stay_id=stay,
        origin=origin,
        room_id=joined.room_id if joined else None,
        encryption=joined.encryption if joined else "",
        began=stamped[0].at,
        ended=max(stamped[-1].at, now) if now is not None and goes_on else stamped[-1].at,
        left=left.reason if left else None,
        open=goes_on,
        people=tuple(dict.fromkeys(filter(None, map(person_of, receipts)))),
        most_humans=max((one.humans for one in receipts if isinstance(one, Joined | Membership)), default=0),
        stamped=tuple(stamped),
        lines=tuple(lines),
        turns=tuple(turns),
        figures=figures(receipts),
    )


def _why(stamped: Sequence[Stamped]) -> tuple[list[JudgedLine], list[Turn]]:
    """Every line and every turn, each in the order in which it was first heard of."""
    lines: list[JudgedLine] = []
    turns: dict[TurnId, Turn] = {}
    for one in stamped:
        receipt = one.receipt
        if isinstance(receipt, HouseReceipt):
            continue
        line = line_of(receipt, one.at)
        if line is not None:
            lines.append(line)
        name = turn_of(receipt)
        turn = after(turns.get(name), receipt, one.at) if name else None
        if name and turn:
            turns[name] = turn
    return lines, list(turns.values())
