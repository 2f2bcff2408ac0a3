"""The plan of an evening: the same for the same seed, nothing left out, and quiet in between."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reliability.chaos.plan import ALL, QUIET, ROUND, ROUNDED, Happening, plan, quiet
from tests.reliability.chaos.trouble import OF_THE_ROOT, SHAPES, Kind

SEEDS = st.integers(min_value=0, max_value=10_000)


@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_the_same_seed_brings_the_same_in_its_order(seed: int) -> None:
    told = plan(seed, 3.0)
    assert told == plan(seed, 3.0)
    assert told != plan(seed + 1, 3.0)
    assert [one.number for one in told] == list(range(1, len(told) + 1))
    assert [one.at for one in told] == sorted(one.at for one in told)


@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_five_seeds_of_three_minutes_in_a_row_bring_every_kind(first: int) -> None:
    told = [one.kind for seed in range(first, first + ROUND) for one in plan(seed, 3.0)]
    assert set(told) == ALL


@given(SEEDS, st.floats(min_value=0.75, max_value=12.0))
@settings(max_examples=60, deadline=None)
def test_after_every_storm_there_is_time_to_heal_and_then_quiet(seed: int, minutes: float) -> None:
    told = plan(seed, minutes)
    windows = quiet(told, minutes)
    assert len(windows) >= max(1, int(minutes * 60 // 45))
    for window in windows:
        assert window.ends - window.healed >= QUIET - ROUNDED
        assert not any(one.at < window.ends and one.until > window.begins for one in told)
    assert windows[-1].ends == pytest.approx(minutes * 60)


@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_two_troubles_never_share_a_ground(seed: int) -> None:
    for one, other in combinations(plan(seed, 3.0), 2):
        if SHAPES[one.kind].ground == SHAPES[other.kind].ground:
            assert other.at >= one.until - 0.02


def test_now_and_then_two_things_go_wrong_at_once() -> None:
    assert any(other.at < one.until for seed in range(5) for one, other in combinations(plan(seed, 3.0), 2))


def test_whoever_is_met_is_met_by_chance_and_crashes_are_the_most_frequent() -> None:
    told = [one for seed in range(100) for one in plan(seed, 3.0)]
    often = Counter(one.kind for one in told)
    assert often.most_common(1)[0][0] is Kind.ACTOR_CRASHES
    for kind, shape in SHAPES.items():
        assert {one.target for one in told if one.kind is kind} <= set(shape.targets or ("",))
    assert {one.target for one in told if one.kind is Kind.ACTOR_CRASHES} == set(
        SHAPES[Kind.ACTOR_CRASHES].targets
    )


@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_the_budget_of_the_root_is_never_spent(seed: int) -> None:
    falls = [
        one.at for one in plan(seed, 12.0) if one.kind is Kind.ACTOR_CRASHES and one.target in OF_THE_ROOT
    ]
    assert all(later - earlier > 60.0 for earlier, later in zip(falls, falls[2:], strict=False))


def test_a_short_evening_brings_what_it_has_time_for() -> None:
    told = plan(1, 0.4, {Kind.ORDER_SAY, Kind.SUSPENDED})
    assert {one.kind for one in told} == {Kind.ORDER_SAY}
    with pytest.raises(ValueError, match="too short"):
        plan(1, 0.4, {Kind.SUSPENDED})


def test_a_happening_says_what_it_is() -> None:
    one = Happening(number=3, at=12.34, kind=Kind.CUT, target="voice", seconds=0.0)
    assert str(one) == "3: a line is cut (voice) at 12.3 s for 0.0 s"
