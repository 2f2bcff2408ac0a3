"""Everything that must hold of any night, whatever went wrong in it."""

from __future__ import annotations

from typing import Final

from tests.reliability.chaos.history import History
from tests.reliability.chaos.invariants.effects import an_order_is_done_once
from tests.reliability.chaos.invariants.endings import one_end_for_every_beginning, one_left_for_each_joined
from tests.reliability.chaos.invariants.levels import nothing_is_left_over, nothing_leaks, queues_are_bounded
from tests.reliability.chaos.invariants.logs import no_crash_but_ordered_ones, nothing_is_exposed
from tests.reliability.chaos.invariants.privacy import (
    nothing_in_clear,
    nothing_of_whom_nobody_may_hear,
    nothing_on_record_without_a_grant,
)
from tests.reliability.chaos.invariants.service import answers_once_it_is_over, never_silent_without_a_reason
from tests.reliability.chaos.invariants.stale import nothing_of_an_earlier_life, nothing_stale_is_heard
from tests.reliability.chaos.invariants.violation import Invariant, Violation

__all__ = ["INVARIANTS", "Violation", "judge", "said_of"]

INVARIANTS: Final[tuple[Invariant, ...]] = (
    one_left_for_each_joined,
    one_end_for_every_beginning,
    nothing_of_whom_nobody_may_hear,
    nothing_on_record_without_a_grant,
    nothing_in_clear,
    nothing_stale_is_heard,
    nothing_of_an_earlier_life,
    queues_are_bounded,
    nothing_leaks,
    nothing_is_left_over,
    never_silent_without_a_reason,
    answers_once_it_is_over,
    no_crash_but_ordered_ones,
    nothing_is_exposed,
    an_order_is_done_once,
)


def judge(history: History) -> tuple[Violation, ...]:
    """Every promise that was not kept, the first first."""
    found = [violation for invariant in INVARIANTS for violation in invariant(history)]
    return tuple(sorted(found, key=lambda one: (one.at, one.promise, one.what)))


def said_of(invariant: Invariant) -> str:
    """The promise in words."""
    return " ".join((invariant.__doc__ or "").split()).rstrip(".")
