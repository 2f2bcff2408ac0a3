"""The numbers of the page without the page, for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from actors.chronicle.figures import Counts, Cross, Figures
from actors.costs import Bill, CostSettings, total, unpriced
from messages.ids import PersonId, RoomId, StayId
from supervisors.report.gathering import Found
from supervisors.report.plots import latencies
from supervisors.report.story import Story


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """One latency in milliseconds; None where it was never measured."""

    measured: int
    median_ms: int | None
    p95_ms: int | None
    longest_ms: int | None
    normal_ms: int | None
    """What the median is at most when all is well; None where nothing is said about that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What providers were asked to do; `cost` is that of what has a price, None without any prices."""

    usage: Bill
    cost: float | None
    unpriced: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StaySummary:
    """One stay; `began` and `ended` are seconds since the epoch, what is not on record is None."""

    stay_id: StayId
    origin: str
    room_id: RoomId | None
    encryption: str
    began: float
    ended: float
    left: str | None
    open: bool
    """Whether it goes on, in a house at work; `ended` is now then."""
    people: Sequence[PersonId]
    most_humans: int
    latencies: Mapping[str, Spread]
    utterances: int
    voiced_ms: int
    transcriptions: Counts
    empty_ratio: float | None
    typed: int
    lines: Cross
    turns: Cross
    ducks: int
    false_overlaps: int
    cuts: Counts
    spoken: int
    links_lost: int
    hindered: int
    failures: Cross
    tools: Cross
    captain_tools: Cross
    handoffs: Counts
    packets_read: int
    packets_unread: int
    usage: Bill
    cost: float | None
    """Of what has a price; None without any prices."""
    unpriced: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Everything that was read."""

    receipts: int
    twice: int
    foreign: Counts
    bad_lines: int
    torn: int
    currency: str
    elsewhere: Spending
    """What was spent outside of any stay."""
    stays: Sequence[StaySummary]


_SUMMARY: TypeAdapter[Summary] = TypeAdapter(Summary)
_COPIED = (
    *("utterances", "voiced_ms", "transcriptions", "empty_ratio", "typed", "lines", "turns", "ducks"),
    *("false_overlaps", "cuts", "spoken", "links_lost", "hindered", "failures", "tools", "captain_tools"),
    *("handoffs", "packets_read", "packets_unread"),
)


def to_json(found: Found, told: Sequence[Story], settings: CostSettings) -> str:
    """All numbers as one JSON object, which ends with a line."""
    summary = Summary(
        receipts=found.receipts,
        twice=found.twice,
        foreign=dict(found.foreign_kinds),
        bad_lines=found.bad_lines,
        torn=found.torn,
        currency=settings.currency,
        elsewhere=_spending(found.house_bill, settings),
        stays=tuple(_stay(story, settings) for story in told),
    )
    return f"{_SUMMARY.dump_json(summary, indent=2).decode()}\n"


def _spending(bill: Bill, settings: CostSettings) -> Spending:
    cost = total(bill, settings.prices) if settings.prices else None
    return Spending(usage=bill, cost=cost, unpriced=unpriced(bill, settings.prices))


def _stay(story: Story, settings: CostSettings) -> StaySummary:
    found = story.figures
    return StaySummary(
        stay_id=story.stay_id,
        origin=story.origin,
        room_id=story.room_id,
        encryption=story.encryption,
        began=story.began,
        ended=story.ended,
        left=story.left,
        open=story.open,
        people=story.people,
        most_humans=story.most_humans,
        latencies=_latencies(found),
        usage=found.bill,
        cost=total(found.bill, settings.prices) if settings.prices else None,
        unpriced=unpriced(found.bill, settings.prices),
        **{name: getattr(found, name) for name in _COPIED},
    )


def _latencies(found: Figures) -> dict[str, Spread]:
    return {
        one.name.lower().replace(" ", "_"): Spread(
            measured=len(one.found.values),
            median_ms=one.found.median,
            p95_ms=one.found.p95,
            longest_ms=one.found.values[-1] if one.found.values else None,
            normal_ms=one.normal,
        )
        for one in latencies(found)
    }
