"""Queues have bounds, and what was opened for trouble is closed after it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from tests.reliability.chaos.history import End, History, Moment, Sample
from tests.reliability.chaos.invariants.violation import Violation

BOUNDS: Final[Mapping[str, float]] = {
    "mailbox": 1_000,
    "sayings": 4,
    "utterances": 16,
    "units_waiting": 64,
    "in_flight": 4,
    "seconds_waiting": 20.0,
    "lines_remembered": 30,
    "handoffs_open": 16,
    "results_waiting": 16,
    "awaited": 16,
    "microphones": 25,
    "voices": 25,
    "orders": 64,
    "waiting": 64,
    "children": 25,
}
"""How much of what the tree counts there may be at any moment, letters in a mailbox included."""
WAY_BACK: Final = 3
"""Threads and processes may differ by so many from one quiet moment to another."""
FILES_WAY_BACK: Final = 12
"""Open files and sockets may: a line of a person who has said nothing for two minutes is closed meanwhile."""
ABANDONED: Final = "abandoned"


def queues_are_bounded(history: History) -> tuple[Violation, ...]:
    """No queue that the house describes is ever longer than it may be."""
    worst: dict[tuple[int, str], tuple[float, float]] = {}
    for standing in history.standings:
        for name, value in standing.facts.items():
            bound = BOUNDS.get(name.rpartition(":")[2])
            if bound is None or not isinstance(value, int | float) or value <= bound:
                continue
            key = (standing.life, name)
            if key not in worst or value > worst[key][1]:
                worst[key] = (standing.at, value)
    return tuple(
        Violation(at=at, promise="queues_are_bounded", what=f"{name} was {value:g}")
        for (_, name), (at, value) in worst.items()
    )


def nothing_leaks(history: History) -> tuple[Violation, ...]:
    """In each quiet moment there are as many threads, open files and processes as in those before it."""
    found: list[Violation] = []
    for life in {sample.life for sample in history.samples}:
        samples = [one for one in history.samples if one.life == life]
        quiet = [one for one in samples if one.moment is Moment.QUIET]
        found += _grown(quiet[:1], quiet[1:])
        found += _grown(
            [one for one in samples if one.moment is Moment.BEFORE],
            [one for one in samples if one.moment is Moment.AFTER],
        )
    for standing in history.standings:
        for name, value in standing.facts.items():
            if name.endswith(f":{ABANDONED}") and isinstance(value, int) and value:
                found.append(Violation(at=standing.at, promise="nothing_leaks", what=f"{name} is {value}"))
    return tuple({(one.promise, one.what): one for one in reversed(found)}.values())


def nothing_is_left_over(history: History) -> tuple[Violation, ...]:
    """He ends only when he is told to, and when he has ended there is no process and no file of his."""
    found = [
        Violation(at=life.ended, promise="nothing_is_left_over", what=f"life {life.number} fell by itself")
        for life in history.lives
        if life.end is End.FELL
    ]
    found += [
        Violation(
            at=life.ended, promise="nothing_is_left_over", what=f"of life {life.number} there is {left}"
        )
        for life in history.lives
        for left in life.left
    ]
    return tuple(found)


def _grown(before: list[Sample], after: list[Sample]) -> Iterator[Violation]:
    if not before:
        return
    level: dict[str, int] = defaultdict(int)
    for one in before:
        for name, many in _counted(one).items():
            level[name] = max(level[name], many)
    for one in after:
        for name, many in _counted(one).items():
            if many > level[name] + (FILES_WAY_BACK if name.startswith("open ") else WAY_BACK):
                what = f"{name}: {many} instead of {level[name]} ({one.moment})"
                yield Violation(at=one.at, promise="nothing_leaks", what=what)


def _counted(sample: Sample) -> Mapping[str, int]:
    files = {f"open {kind}": many for kind, many in sample.open_files.items()}
    return {"threads": sample.threads, **files, **sample.processes}
