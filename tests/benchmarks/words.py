"""How numbers, ratios, targets and verdicts are written, in the terminal and on the page alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.benchmarks.figures import Judgement, Of, Outcome, Row, Spread, Target

NOTHING: Final = "-"
HEADS: Final = ("metric", "ours", "peer", "floor", "ratio: median (least to most)", "target", "verdict")
UNITS: Final = {"us": "\N{MICRO SIGN}s", "x": ""}
"""How units are written that are not written as they are named."""


def cells(row: Row) -> tuple[str, ...]:
    """Return a row under HEADS."""
    unit = UNITS.get(row.line.unit, row.line.unit)
    return (
        row.line.name,
        *(_with_unit(spread, unit, row.tried) for spread in (row.ours, row.peer, row.floor)),
        "; ".join(_ratios(row)) or NOTHING,
        "; ".join(_target(judgement.target, unit) for judgement in row.judgements) or NOTHING,
        "; ".join(dict.fromkeys(_verdict(judgement, unit) for judgement in row.judgements)) or NOTHING,
    )


def number(value: float) -> str:
    """Return it with three digits that count."""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _with_unit(spread: Spread | None, unit: str, tried: int) -> str:
    if spread is None:
        return NOTHING
    return f"{number(spread.median)} {unit}".strip() + _of_so_many(spread, tried)


def _of_so_many(spread: Spread, tried: int) -> str:
    return "" if spread.n == tried else f", {spread.n} of {tried}"


def _ratios(row: Row) -> Iterator[str]:
    for spread, of in ((row.to_floor, Of.TO_FLOOR), (row.to_peer, Of.TO_PEER)):
        if spread is not None:
            least, most = _ratio(spread.low), _ratio(spread.high)
            yield f"{_ratio(spread.median)} {of} ({least} to {most}{_of_so_many(spread, row.tried)})"


def _ratio(value: float) -> str:
    """A small share reads better upside down."""
    return f"1/{number(1 / value)}" if 0 < value < 0.5 else number(value)


def _target(target: Target, unit: str) -> str:
    sign = "\N{GREATER-THAN OR EQUAL TO}" if target.at_least else "\N{LESS-THAN OR EQUAL TO}"
    if target.of is Of.OURS:
        return f"{sign} {number(target.bound)} {unit}".strip()
    return f"{sign} {_ratio(target.bound)} {target.of}"


def _verdict(judgement: Judgement, unit: str) -> str:
    if judgement.outcome is not Outcome.MISSED or judgement.spread is None:
        return judgement.outcome
    median, of = judgement.spread.median, judgement.target.of
    found = f"{number(median)} {unit}".strip() if of is Of.OURS else f"{_ratio(median)} {of}"
    return f"**missed**: {found}"
