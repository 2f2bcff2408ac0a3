"""The log tells of trouble in words: no crash that nobody ordered, no traceback, and nothing secret."""

from __future__ import annotations

from typing import Final

from tests.reliability.chaos.history import History
from tests.reliability.chaos.invariants.violation import Violation

ORDERED: Final = "Poisoned"
_CRASHES: Final = ("child ended: crashed", "child did not open", "child failed while", "child abandoned")
_BROKEN: Final = ("Traceback (most recent call last)", "the I/O thread complains", "a port failed at")


def no_crash_but_ordered_ones(history: History) -> tuple[Violation, ...]:
    """No line of the log is a traceback, and no actor crashed of anything but an order to."""
    return tuple(
        Violation(at=line.at, promise="no_crash_but_ordered_ones", what=line.text)
        for line in history.log
        if any(sign in line.text for sign in _BROKEN)
        or (any(sign in line.text for sign in _CRASHES) and ORDERED not in line.text)
    )


def nothing_is_exposed(history: History) -> tuple[Violation, ...]:
    """No secret and nobody's words are in the log, and none in a receipt."""
    return tuple(
        Violation(at=one.at, promise="nothing_is_exposed", what=f"{one.what} in {one.where}")
        for one in history.exposed
    )
