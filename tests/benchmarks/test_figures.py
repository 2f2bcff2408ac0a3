"""Ratios are of the same repetition, verdicts are on medians, and what is missing is said."""

from __future__ import annotations

import pytest

from tests.benchmarks.figures import Line, Of, Outcome, Reading, Target, percentile, row, spread
from tests.benchmarks.words import cells, number

OURS, PEER, FLOOR = Reading("ours", "us"), Reading("peer", "us"), Reading("floor", "us")


def line(*targets: Target) -> Line:
    return Line(name="hop", unit="us", ours=OURS, peer=PEER, floor=FLOOR, targets=targets)


def at_most(of: Of, bound: float) -> Target:
    return Target(of=of, bound=bound)


RUNS = {
    "ours": ({"us": 10.0}, {"us": 30.0}, {"us": 20.0}),
    "peer": ({"us": 100.0}, {"us": 100.0}, {"us": 400.0}),
    "floor": ({"us": 5.0}, {}, {"us": 5.0}),
}


def test_a_ratio_is_of_two_runs_of_the_same_repetition() -> None:
    found = row(line(), RUNS)
    assert found.to_peer == spread([0.1, 0.3, 0.05])
    assert found.to_floor == spread([2.0, 4.0])
    assert found.outcome is Outcome.TOLD


@pytest.mark.parametrize(
    ("target", "outcome"),
    [
        (at_most(Of.OURS, 20.0), Outcome.MET),
        (at_most(Of.OURS, 19.9), Outcome.MISSED),
        (at_most(Of.TO_PEER, 0.1), Outcome.MET),
        (at_most(Of.TO_FLOOR, 2.9), Outcome.MISSED),
        (Target(of=Of.OURS, bound=20.0, at_least=True), Outcome.MET),
        (Target(of=Of.OURS, bound=20.1, at_least=True), Outcome.MISSED),
    ],
)
def test_the_verdict_is_on_the_median(target: Target, outcome: Outcome) -> None:
    assert row(line(target), RUNS).outcome is outcome


def test_a_line_is_as_bad_as_the_worst_of_its_targets() -> None:
    good, bad = at_most(Of.OURS, 20.0), at_most(Of.TO_PEER, 0.01)
    assert row(line(good, bad), RUNS).outcome is Outcome.MISSED
    assert row(line(good, bad), {"ours": RUNS["ours"]}).outcome is Outcome.NOT_MEASURED
    assert row(line(good, bad), {}).outcome is Outcome.NOT_MEASURED


def test_no_ratio_is_made_of_nothing() -> None:
    runs = {"ours": ({"us": 0.0},), "peer": ({"us": 0.0},)}
    found = row(line(), runs)
    assert (found.to_peer, found.to_floor, found.floor) == (None, None, None)


def test_a_row_reads_as_a_person_would_say_it() -> None:
    told = cells(row(line(at_most(Of.TO_PEER, 0.04), at_most(Of.OURS, 25.0)), RUNS))
    assert told == (
        "hop",
        "20 µs",
        "100 µs",
        "5 µs, 2 of 3",
        "3 to the floor (2 to 4, 2 of 3); 1/10 to the peer (1/20 to 1/3.33)",
        "≤ 1/25 to the peer; ≤ 25 µs",
        "**missed**: 1/10 to the peer; met",
    )


@pytest.mark.parametrize(
    ("value", "told"),
    [(0.0, "0"), (0.01234, "0.0123"), (3.14159, "3.14"), (123.456, "123"), (12_345.6, "12,346")],
)
def test_three_digits_are_told(value: float, told: str) -> None:
    assert number(value) == told


def test_a_percentile_is_one_of_the_samples() -> None:
    samples = [float(one) for one in range(100, 0, -1)]
    assert [percentile(samples, p) for p in (0, 50, 99, 100)] == [1.0, 51.0, 100.0, 100.0]
