"""What only holds itself is gone within a minute, and a look takes little however much was loaded."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Generator

import pytest

from supervisors.broom import SWEEP_SECONDS, Broom
from tests.clock import ManualClock


class Said:
    """Words in a cycle, as an exception is with its own traceback."""

    def __init__(self) -> None:
        self.again = self


@pytest.fixture(autouse=True)
def thawed() -> Generator[None]:
    """Python itself does not sweep meanwhile, and afterwards it may look at everything."""
    gc.disable()
    yield
    gc.unfreeze()
    gc.enable()


def test_it_is_due_once_a_minute() -> None:
    clock = ManualClock()
    broom = Broom(clock.now)
    due: list[bool] = []
    for seconds in (0.0, SWEEP_SECONDS - 1.0, 1.0, 1.0, SWEEP_SECONDS):
        clock.advance(seconds)
        due.append(broom.due())
    assert due == [False, False, True, False, True]


def test_what_only_holds_itself_is_swept_up() -> None:
    broom = Broom()
    broom.settle()
    said = weakref.ref(Said())
    assert said() is not None
    broom.sweep()
    assert said() is None


def test_what_was_garbage_at_the_beginning_is_not_kept_for_good() -> None:
    said = weakref.ref(Said())
    Broom().settle()
    assert said() is None


def test_what_is_here_for_good_is_not_looked_at() -> None:
    Broom().settle()
    assert gc.get_freeze_count() > 10 * len(gc.get_objects())
