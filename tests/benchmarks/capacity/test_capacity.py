"""A stay of two people is measured, the limit is found, and what was found can be shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.capacity.bench import BENCHES, STAYS
from tests.benchmarks.capacity.drawing import STAYS_PICTURE, points
from tests.benchmarks.capacity.ramp import climb, in_turns, ratio, rungs, told
from tests.benchmarks.capacity.scene import Sample
from tests.benchmarks.capacity.speakers import carried

FINE = Sample(
    stays=1,
    speakers=3,
    send_p99=0.1,
    hear_p50=0.3,
    hear_p99=1.0,
    heard=1.0,
    said=1.0,
    dropped=0,
    crowded=1.0,
    house=0.02,
    media=0.04,
    crowd=0.02,
)


def test_every_packet_of_two_people_is_decoded() -> None:
    (sample,), sent, decoded = carried((2,), seconds=0.3)
    assert sent == decoded > 2 * 15
    assert sample.speakers == 2
    assert sample.media > 0


@pytest.mark.parametrize(
    "late",
    [{"send_p99": 3.1}, {"hear_p99": 20.1}, {"dropped": 1}, {"heard": 0.9}, {"said": 0.9}, {"crowded": 0.9}],
)
def test_whatever_is_late_or_missing_is_out_of_budget(late: dict[str, float]) -> None:
    assert FINE.in_budget
    assert not replace(FINE, **late).in_budget  # type: ignore[arg-type]


def late_above(limit: int, stays: int) -> Sample:
    """It holds up to here."""
    return replace(FINE, stays=stays, hear_p99=1.0 if stays <= limit else 99.0)


@pytest.mark.parametrize("limit", [3, 4, 8, 19, 32, 40])
def test_the_limit_is_the_highest_rung_that_holds(limit: int) -> None:
    heights = rungs(32)
    found = in_turns({1: climb(heights, 13)}, lambda _, stays: late_above(limit, stays))[1].limit
    held = [height for height in heights if height <= limit]
    assert (found.stays if found else 0) == max(held, default=0)


def test_one_failure_may_have_been_bad_luck() -> None:
    tried: list[int] = []

    def try_out(_cores: int, stays: int) -> Sample:
        tried.append(stays)
        return late_above(stays - 1 if tried.count(stays) == 1 else stays, stays)

    found = in_turns({1: climb(rungs(32), 13)}, try_out)[1].limit
    assert found
    assert found.stays == 31


def test_one_core_and_two_are_tried_by_turns() -> None:
    tried: list[int] = []

    def try_out(cores: int, stays: int) -> Sample:
        tried.append(cores)
        return late_above(12 * cores, stays)

    found = in_turns({cores: climb(rungs(32), 13 * cores) for cores in (1, 2)}, try_out)
    assert {cores: ramp.limit and ramp.limit.stays for cores, ramp in found.items()} == {1: 12, 2: 22}
    assert tried[:6] == [1, 2, 1, 2, 1, 2]


def test_what_one_core_cannot_do_at_all_is_no_gain_of_two() -> None:
    assert ratio(14.0, 28.0) == {"ratio": 2.0}
    assert not ratio(0.0, 4.0)


def test_the_page_shows_what_was_found(tmp_path: Path) -> None:
    values = told(1, in_turns({1: climb((8, 16), 13)}, lambda _, stays: late_above(16, stays))[1])
    runs = {"stays": [values]}
    assert values["stays.1"] == 16
    assert points([values], "sampled hear.1.") == ([16], [1.0])
    for bench in BENCHES:
        assert bench.section
        assert bench.draw
        assert list(bench.section(runs))
        assert all(path.read_text().startswith("<?xml") for path in bench.draw(runs, tmp_path))
    assert STAYS.section
    assert f"]({STAYS_PICTURE})" in "\n".join(STAYS.section(runs))
