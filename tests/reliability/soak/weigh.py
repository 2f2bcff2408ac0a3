"""What half an hour in real time says: memory, files and threads, and how long people waited."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tests.reliability.figures import Table
from tests.reliability.soak import growth
from tests.reliability.soak.real import Course, Sample

MEBIBYTE: Final = 1 << 20
ROLES: Final = ("house", "media")
LEAST_UNREST_SECONDS: Final = 0.1
"""Two thirds of a run that differ by less in how long people wait do not differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """How long people waited in one third, and how late the machine woke a sleeper up meanwhile; seconds."""

    middle: float
    worst: float
    late: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """What was found in one run, and what was not kept."""

    courses: tuple[growth.Course, ...]
    first: Waits
    last: Waits
    noise: float
    """So much the worst waits may differ: what the machine itself was later, and the unrest of the first."""
    missed: int
    excused: int
    broken: tuple[str, ...]


def weighed(course: Course) -> Weighed:
    """Judge a run: nothing grows, nobody waits longer in the end, nobody is left without an answer."""
    samples = course.samples
    courses = tuple(one for role in ROLES for one in _courses(role, samples))
    end = samples[-1].seconds
    begin = end / growth.TENTHS
    third = (end - begin) / 3
    first, last = _waits(course, begin, begin + third), _waits(course, end - third, end)
    noise = max(LEAST_UNREST_SECONDS, first.worst - first.middle) + max(0.0, last.late - first.late)
    missed = sum(one.waited is None and not one.excused for one in course.asked)
    broken = [
        f"{one.name} grew from {one.early:,.0f} to {one.late:,.0f}"
        for one in courses
        if one.grew() and not one.name.endswith("(shared)")
    ]
    if last.worst - first.worst > noise:
        broken.append(f"the worst wait went from {first.worst:.2f} s to {last.worst:.2f} s")
    if last.middle - first.middle > LEAST_UNREST_SECONDS:
        broken.append(f"the middle wait went from {first.middle:.2f} s to {last.middle:.2f} s")
    if missed:
        broken.append(f"{missed} questions had no answer although nothing was broken")
    return Weighed(
        courses=courses,
        first=first,
        last=last,
        noise=noise,
        missed=missed,
        excused=sum(one.excused for one in course.asked),
        broken=tuple(broken),
    )


def tables(course: Course, found: Weighed) -> tuple[Table, ...]:
    """The same for the page and the screen."""
    rows = tuple(_row(one) for one in found.courses)
    waits = tuple(
        (name, f"{1e3 * one.middle:.0f}", f"{1e3 * one.worst:.0f}", f"{1e3 * one.late:.1f}")
        for name, one in (("first third", found.first), ("last third", found.last))
    )
    did = tuple((what, f"{times:,}") for what, times in course.did.items())
    return (
        Table(title="What it took", head=("what", "second tenth", "last tenth", "more"), rows=rows),
        Table(
            title="From the end of a question to his first packet, ms",
            head=("when", "p50", "p99", "a sleeper of 10 ms woke up too late by"),
            rows=waits,
        ),
        Table(title="What happened", head=("what", "how often"), rows=did),
    )


def _courses(role: str, samples: Sequence[Sample]) -> list[growth.Course]:
    there = [one for one in samples if role in one.figures]
    kinds = sorted({kind for one in there for kind in one.figures[role].kinds})
    return [
        growth.course(f"{role}: memory of its own", [one.own[role] for one in there]),
        growth.course(f"{role}: memory (shared)", [one.figures[role].pss for one in there]),
        growth.course(f"{role}: threads", [one.figures[role].threads for one in there]),
        *(
            growth.course(f"{role}: open {kind}", [one.figures[role].kinds.get(kind, 0) for one in there])
            for kind in kinds
        ),
    ]


def _waits(course: Course, begin: float, end: float) -> Waits:
    waited = sorted(
        one.waited
        for one in course.asked
        if one.waited is not None and not one.excused and begin <= one.seconds < end
    )
    late = sorted(one.late for one in course.samples if begin <= one.seconds < end)
    return Waits(
        middle=statistics.median(waited), worst=_percentile(waited, 0.99), late=_percentile(late, 0.99)
    )


def _percentile(values: Sequence[float], share: float) -> float:
    """The least value that so large a share of all does not exceed."""
    return values[min(len(values) - 1, int(share * len(values)))]


def _row(one: growth.Course) -> tuple[str, ...]:
    if "memory" in one.name:
        early, late = (f"{value / MEBIBYTE:,.1f} MiB" for value in (one.early, one.late))
    else:
        early, late = f"{one.early:g}", f"{one.late:g}"
    return (one.name, early, late, f"{one.share:+.1%}")
