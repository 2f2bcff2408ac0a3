"""What grows is named, and what is only restless, or warms up, is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.reliability.soak.growth import course, grown
from tests.reliability.soak.judge import judged
from tests.reliability.soak.parts import Look

LOOK = Look(
    hours=1.0,
    sizes={"floor.state.lines": 7},
    objects={"builtins.dict": 900},
    blocks=50_000,
    used=9_000_000,
    memory=10_000_000,
    descriptors=5,
    threads=1,
    dead=0,
    people=3,
    broken=(),
    did={"asked": 1},
)


def test_what_grows_by_more_than_two_in_a_hundred_grew() -> None:
    assert course("leak", [1_000.0 + number for number in range(100)]).grew()
    assert not course("warm", [float(min(number, 10)) for number in range(100)]).grew()
    assert not course("still", [1_000.0] * 90 + [1_020.0] * 10).grew()
    assert course("late", [1_000.0] * 90 + [1_021.0] * 10).grew()


def test_what_is_restless_has_to_grow_beyond_its_unrest() -> None:
    restless = [100.0, 140.0] * 50
    assert not course("restless", [*restless[:-10], *([139.0] * 10)]).grew()
    assert course("restless", [*restless[:-10], *([170.0] * 10)]).grew()


def test_what_was_not_there_before_grew_from_nothing() -> None:
    samples = [{"a": 5.0} | ({"b": 9.0} if number > 60 else {}) for number in range(100)]
    assert [one.name for one in grown(samples, slack=4.0)] == ["b"]
    assert grown(samples, slack=9.0) == ()


def test_a_run_that_was_looked_at_too_seldom_says_nothing() -> None:
    with pytest.raises(ValueError, match="too few"):
        course("short", [1.0] * 19)


def test_who_keeps_ids_is_named_and_who_may_is_not_as_long_as_he_may() -> None:
    may, may_not = "body/gateway.state.refused", "body/gateway.state.text.ids"
    looks = [replace(LOOK, people=100, sizes={may: number, may_not: number}) for number in range(100)]
    verdict = judged("stays", looks)
    assert verdict.broken == (f"{may_not} grew from 14.5 to 94.5",)
    assert [one.name for one in verdict.bounded] == [may]
    beyond = judged("stays", [replace(look, people=40) for look in looks])
    assert f"{may} grew from 14.5 to 94.5" in beyond.broken


def test_a_process_that_takes_more_and_more_is_told() -> None:
    looks = [
        replace(
            LOOK,
            used=1_000 + one,
            memory=50_000 * (1_000 + one),
            blocks=1_000 + one,
            descriptors=1_000 + one,
            threads=1_000 + one,
        )
        for one in range(100)
    ]
    told = judged("stay", looks).broken
    assert [one.split()[0] for one in told] == ["memory", "resident", "blocks", "descriptors", "threads"]
    assert told[0] == "memory in use grew by 7.9%, from 1,014 to 1,094"
    assert told[1] == "resident memory grew by 7.9%, from 50,725,000 to 54,725,000"


def test_an_arena_that_is_kept_for_later_is_no_growth_and_bytes_in_use_are() -> None:
    arena = 1 << 20
    looks = [replace(LOOK, memory=10_000_000 + (one // 34) * arena) for one in range(100)]
    assert judged("stay", looks).broken == ()
    looks = [replace(LOOK, used=9_000_000 + (one // 34) * arena) for one in range(100)]
    assert judged("stay", looks).broken == ("memory in use grew by 23.3%, from 9,000,000 to 11,097,152",)


def test_the_dead_and_the_rules_that_were_broken_are_told() -> None:
    looks = [LOOK] * 98 + [replace(LOOK, dead=2), replace(LOOK, broken=("ValueError: too much",))]
    assert judged("stay", looks).broken == (
        "up to 2 actors were over and still in memory",
        "1 times: ValueError: too much",
    )
    assert judged("stay", [LOOK] * 100).broken == ()
