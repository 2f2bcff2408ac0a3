"""A stay with too many marks is drawn by the minute, and its stretches one by one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
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
    """Stretches of so many minutes that there are not too many marks in one."""
    wanted = MARKS_A_STRETCH / max(1.0, count(lanes) / ((ended - began) / _MINUTE))
    width = _MINUTE * max((each for each in _STRETCHES if each <= wanted), default=_STRETCHES[0])
    edges = [began + number * width for number in range(max(1, ceil((ended - began) / width)))]
    sorted_in = [_sorted_in(lane, edges, ended) for lane in lanes]
    for number, low in enumerate(edges):
        cut = tuple(
            Lane(name=lane.name, title=lane.title, look=lane.look, marks=tuple(marks[number]))
            for lane, marks in zip(lanes, sorted_in, strict=True)
        )
        yield Stretch(began=low, ended=min(low + width, ended), lanes=cut)


def _sorted_in(lane: Lane, edges: Sequence[float], ended: float) -> list[list[Mark]]:
    """The marks of a lane by the stretch that they are in; one that spans an edge is in both."""
    found: list[list[Mark]] = [[] for _ in edges]
    ends = (*edges[1:], ended)
    for mark in lane.marks:
        first = max(0, bisect_right(edges, mark.began) - 1)
        last = max(first, bisect_right(edges, mark.ended) - 1)
        for number in range(first, last + 1):
            low, high = max(mark.began, edges[number]), min(mark.ended, ends[number])
            found[number].append(mark if first == last else replace(mark, began=low, ended=high))
    return found
