"""The log tells of trouble in words: no crash that nobody ordered, no traceback, and nothing secret."""

from __future__ import annotations

import re
from typing import Final

from tests.reliability.chaos.history import History, Logged
from tests.reliability.chaos.invariants.violation import Violation

ORDERED: Final = "Poisoned"
GAVE_UP: Final = "IntensityExceeded"
SPENT: Final = 3
"""So many crashes that were ordered below a supervisor may be all that he puts up with."""
PERIOD_SECONDS: Final = 63.0
"""In so long; a log is read every two seconds."""
_CRASHES: Final = ("child ended: crashed", "child did not open", "child failed while", "child abandoned")
_BROKEN: Final = ("Traceback (most recent call last)", "the I/O thread complains", "a port failed at")
_CHILD: Final = re.compile(r"\(child (?P<path>[^,)]+)")


def no_crash_but_ordered_ones(history: History) -> tuple[Violation, ...]:
    """No line of the log is a traceback, and nobody crashed but by order, or of too many orders to."""
    return tuple(
        Violation(at=line.at, promise="no_crash_but_ordered_ones", what=line.text)
        for line in history.log
        if any(sign in line.text for sign in _BROKEN)
        or (any(sign in line.text for sign in _CRASHES) and not _is_ordered(history, line))
    )


def nothing_is_exposed(history: History) -> tuple[Violation, ...]:
    """No secret and nobody's words are in the log, and none in a receipt."""
    return tuple(
        Violation(at=one.at, promise="nothing_is_exposed", what=f"{one.what} in {one.where}")
        for one in history.exposed
    )


def _is_ordered(history: History, line: Logged) -> bool:
    if ORDERED in line.text:
        return True
    if GAVE_UP not in line.text:
        return False
    above = _path(line)
    ordered = [
        one
        for one in history.log
        if ORDERED in one.text
        and one.life == line.life
        and _path(one).startswith(f"{above}/")
        and line.at - PERIOD_SECONDS <= one.at <= line.at
    ]
    return len(ordered) >= SPENT


def _path(line: Logged) -> str:
    found = _CHILD.search(line.text)
    return found["path"] if found is not None else ""
