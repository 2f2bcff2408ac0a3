"""A stay with too many marks is drawn by the minute, and its stretches one by one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from supervisors.report.lanes import count
from supervisors.report.marks import Lane, Mark

MOST_MARKS: Final = 3_000
"""So many are drawn at once; more of them are nothing that anybody could tell apart."""
MOST_BINS: Final = 240
MARKS_A_STRETCH: Final = 400
_MINUTE: Final = 60.0
_STRETCHES: Final = (1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0)
"""In minutes."""


def is_dense(lanes: Sequence[Lane]) -> bool:
    """Whether there are too many marks for one picture."""
    return count(lanes) > MOST_MARKS


def by_the_minute(lanes: Sequence[Lane], began: float, ended: float) -> tuple[Lane, ...]:
    """The same lanes: how full each minute was, or a few minutes, from `level0` to `level9`."""
    width = _MINUTE * max(1, ceil((ended - began) / _MINUTE / MOST_BINS))
    return tuple(
        Lane(
            name=lane.name, title=lane.title, look=lane.look, marks=tuple(_binned(lane, began, ended, width))
        )
        for lane in lanes
    )


def _binned(lane: Lane, began: float, ended: float, width: float) -> Iterator[Mark]:
    filled = [0.0] * max(1, ceil((ended - began) / width))
    for mark in lane.marks:
        if mark.strip != "back":
            _pour(filled, max(0.0, mark.began - began), max(0.0, mark.ended - began), width)
    # What took no time at all counts for how often it happened.
    fullest = min(width, max(filled))
    for number, seconds in enumerate(filled):
        if seconds:
            level = min(9, int(10 * seconds / fullest))
            at = began + number * width
            yield Mark(began=at, ended=min(at + width, ended), look=f"level{level}")


def _pour(filled: list[float], began: float, ended: float, width: float) -> None:
    """Fill the bins that a mark touches, a moment with a tenth of a second."""
    first = min(int(began / width), len(filled) - 1)
    last = min(int(ended / width), len(filled) - 1)
    for number in range(first, last + 1):
        low, high = max(began, number * width), min(ended, (number + 1) * width)
        filled[number] += max(high - low, 0.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Some minutes of a stay, with what touches them, cut to them."""

    began: float
    ended: float
    lanes: tuple[Lane, ...]


def stretches(lanes: Sequence[Lane], began: float, ended: float) -> Iterator[Stretch]:
    """Stretches of so many minutes that no one has too many marks, and none in which nothing changes."""
    wanted = MARKS_A_STRETCH / max(1.0, count(lanes) * _MINUTE / max(ended - began, 1.0))
    width = _MINUTE * max((each for each in _STRETCHES if each <= wanted), default=_STRETCHES[0])
    latest = max(0, ceil((ended - began) / width) - 1)

    def stretch_of(at: float) -> int:
        return min(latest, max(0, int((at - began) / width)))

    def edges(number: int) -> tuple[float, float]:
        return began + number * width, min(began + (number + 1) * width, ended)

    # A clock that was set right in the middle may have put years between two of them.
    lively = sorted(
        {stretch_of(at) for lane in lanes for mark in lane.marks for at in (mark.began, mark.ended)}
    )
    sorted_in = [_sorted_in(lane, lively, stretch_of, edges) for lane in lanes]
    for number in lively:
        cut = tuple(
            Lane(name=lane.name, title=lane.title, look=lane.look, marks=tuple(marks.get(number, ())))
            for lane, marks in zip(lanes, sorted_in, strict=True)
        )
        low, high = edges(number)
        yield Stretch(began=low, ended=high, lanes=cut)


def _sorted_in(
    lane: Lane,
    lively: Sequence[int],
    stretch_of: Callable[[float], int],
    edges: Callable[[int], tuple[float, float]],
) -> Mapping[int, Sequence[Mark]]:
    """The marks of a lane by the stretch that they are in; one that spans an edge is in both."""
    found: dict[int, list[Mark]] = defaultdict(list)
    for mark in lane.marks:
        first, last = stretch_of(mark.began), stretch_of(mark.ended)
        for number in lively[bisect_left(lively, first) : bisect_right(lively, last)]:
            low, high = edges(number)
            cut = replace(mark, began=max(mark.began, low), ended=min(mark.ended, high))
            found[number].append(mark if first == last else cut)
    return found
