"""What he is told to do once he does once."""

from __future__ import annotations

from tests.reliability.chaos.history import History
from tests.reliability.chaos.invariants.violation import Violation


def an_order_is_done_once(history: History) -> tuple[Violation, ...]:
    """The effect of one order, call or message happens at most once."""
    return tuple(
        Violation(
            at=one.at,
            promise="an_order_is_done_once",
            what=f"{one.what} {one.name} was done {one.times} times",
        )
        for one in history.orders
        if one.times > 1
    )
