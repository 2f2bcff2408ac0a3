"""A stay with too many marks is drawn by the minute, and its stretches one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """The same lanes: how much of each minute, or of a few, was filled; `level0` is hardly, `level9` wholly."""
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


def stretches(lanes: Sequence[Lane], began: float, ended: float) -> Iterator[tuple[float, float]]:
    """Stretches of so many minutes that there are not too many marks in one."""
    wanted = MARKS_A_STRETCH / max(1.0, count(lanes) / ((ended - began) / _MINUTE))
    minutes = max((each for each in _STRETCHES if each <= wanted), default=_STRETCHES[0])
    for number in range(max(1, ceil((ended - began) / (minutes * _MINUTE)))):
        low = began + number * minutes * _MINUTE
        yield low, min(low + minutes * _MINUTE, ended)
