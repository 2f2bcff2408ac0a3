"""The rules of supervision as tables: who returns, who goes along, and when it is enough."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as some

from messages.lifecycle import Ending, RestartType, Strategy
from supervisors.policy import affected, passed_down, share, spend, wants_restart

FAMILY = ("first", "second", "third")


@pytest.mark.parametrize("ending", Ending)
def test_a_permanent_child_always_returns(ending: Ending) -> None:
    assert wants_restart(RestartType.PERMANENT, ending)


@pytest.mark.parametrize("ending", Ending)
def test_a_transient_child_returns_only_after_a_failure(ending: Ending) -> None:
    failed = ending in {Ending.CRASHED, Ending.OPEN_FAILED}
    assert wants_restart(RestartType.TRANSIENT, ending) is failed


@pytest.mark.parametrize("ending", Ending)
def test_a_temporary_child_never_returns(ending: Ending) -> None:
    assert not wants_restart(RestartType.TEMPORARY, ending)


def test_one_for_one_takes_nobody_along() -> None:
    assert affected(Strategy.ONE_FOR_ONE, FAMILY, "second") == ("second",)


def test_rest_for_one_takes_along_those_who_started_later() -> None:
    assert affected(Strategy.REST_FOR_ONE, FAMILY, "second") == ("second", "third")


def test_one_for_all_takes_everybody_along_in_the_order_of_start() -> None:
    assert affected(Strategy.ONE_FOR_ALL, FAMILY, "second") == FAMILY


def test_as_many_failures_as_the_intensity_are_not_too_many() -> None:
    history: tuple[float, ...] = ()
    verdicts: list[bool] = []
    for moment in (0.0, 1.0, 2.0, 3.0):
        history, exceeded = spend(history, moment, 3, 60.0)
        verdicts.append(exceeded)
    assert verdicts == [False, False, False, True]


def test_a_failure_is_forgotten_when_the_period_has_passed() -> None:
    assert spend((0.0, 30.0), 60.0, 2, 60.0) == ((30.0, 60.0), False)


@given(some.lists(some.floats(0.0, 100.0), max_size=30), some.integers(0, 5), some.floats(0.1, 20.0))
def test_intensity_is_exceeded_exactly_when_some_window_holds_too_many(
    moments: list[float], intensity: int, period: float
) -> None:
    history: tuple[float, ...] = ()
    for seen, moment in enumerate(sorted(moments), start=1):
        history, exceeded = spend(history, moment, intensity, period)
        inside = sum(other > moment - period for other in sorted(moments)[:seen])
        assert exceeded is (inside > intensity)
        assert len(history) == inside


@pytest.mark.parametrize(
    ("above", "below"),
    [
        (Ending.SHUTDOWN, Ending.SHUTDOWN),
        (Ending.ORDERED, Ending.ORDERED),
        (Ending.SIBLING_FAILED, Ending.SIBLING_FAILED),
        (Ending.GIVEN_UP, Ending.GIVEN_UP),
        (Ending.REMOVED, Ending.REMOVED),
        (Ending.FINISHED, Ending.SHUTDOWN),
        (Ending.CRASHED, Ending.GIVEN_UP),
        (Ending.OPEN_FAILED, Ending.GIVEN_UP),
    ],
)
def test_children_end_for_the_reason_their_supervisor_has(above: Ending, below: Ending) -> None:
    assert passed_down(above) is below


def test_every_ending_of_a_supervisor_says_how_its_children_end() -> None:
    assert {passed_down(ending) for ending in Ending} <= set(Ending)


@given(some.floats(0.001, 60.0), some.integers(1, 40))
def test_however_many_are_stuck_everyone_gets_time_and_together_no_more_than_there_is(
    within: float, children: int
) -> None:
    left = within
    for waiting in reversed(range(children)):
        mine = share(left, waiting)
        assert 0.0 < mine <= left
        left -= mine
    assert left == pytest.approx(0.0)


def test_nobody_gets_time_that_has_run_out() -> None:
    assert [share(-1.0, waiting) for waiting in range(12)] == [0.0] * 12
    assert list(itertools.pairwise([share(5.0, n) for n in range(3)])) == [(5.0, 4.5), (4.5, 4.0)]
