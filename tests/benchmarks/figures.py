"""What a run measured, what a line of the table makes of it, and whether that is good enough."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

Values = Mapping[str, float]
"""What one run measured, by the name that it gave it."""
Runs = Mapping[str, Sequence[Values]]
"""What a bench measured: under the name of each run, its repetitions in order."""


class Of(StrEnum):
    """What a target is a bound of."""

    OURS = "ours"
    TO_PEER = "to the peer"
    TO_FLOOR = "to the floor"


class Outcome(StrEnum):
    """How a line came out; a line without a target is only told."""

    MET = "met"
    MISSED = "missed"
    NOT_MEASURED = "not measured"
    TOLD = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """One number of one run of the same bench."""

    run: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A bound of the median: an upper one, unless it is `at_least`."""

    of: Of
    bound: float
    at_least: bool = False

    def is_met(self, value: float) -> bool:
        """Whether this value is good enough."""
        return value >= self.bound if self.at_least else value <= self.bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the table: our number, what stands beside it, and what is asked of it.

    `unit` is ms, us, s, MB, % or a word that is counted. `note` says in one sentence what a reader must know.
    """

    name: str
    unit: str
    ours: Reading
    peer: Reading | None = None
    floor: Reading | None = None
    targets: tuple[Target, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The middle one, the smallest and the largest of so many."""

    n: int
    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One target, what it was held against, and whether it is met; None where that could not be measured."""

    target: Target
    spread: Spread | None

    @property
    def outcome(self) -> Outcome:
        """How it came out."""
        if self.spread is None:
            return Outcome.NOT_MEASURED
        return Outcome.MET if self.target.is_met(self.spread.median) else Outcome.MISSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line with its numbers; None stands for what was not measured or is not there.

    `tried` is how often it was tried, which is more than the `n` of a spread where repetitions failed.
    """

    line: Line
    tried: int
    ours: Spread | None
    peer: Spread | None
    floor: Spread | None
    to_peer: Spread | None
    to_floor: Spread | None
    judgements: tuple[Judgement, ...]

    @property
    def outcome(self) -> Outcome:
        """The worst of its judgements."""
        outcomes = {judgement.outcome for judgement in self.judgements}
        worst = (Outcome.MISSED, Outcome.NOT_MEASURED, Outcome.MET)
        return next((one for one in worst if one in outcomes), Outcome.TOLD)


def spread(values: Sequence[float]) -> Spread | None:
    """Return the spread of these; None of nothing."""
    if not values:
        return None
    return Spread(n=len(values), low=min(values), median=statistics.median(values), high=max(values))


def row(line: Line, runs: Runs) -> Row:
    """Return the line with its numbers; a ratio is always of two numbers of the same repetition."""
    ours = _numbers(line.ours, runs)
    peer, floor = (_numbers(reading, runs) for reading in (line.peer, line.floor))
    spreads = {
        Of.OURS: spread(_present(ours)),
        Of.TO_PEER: spread(_ratios(ours, peer)),
        Of.TO_FLOOR: spread(_ratios(ours, floor)),
    }
    judgements = tuple(Judgement(target=target, spread=spreads[target.of]) for target in line.targets)
    return Row(
        line=line,
        tried=_tried(line, runs),
        ours=spreads[Of.OURS],
        peer=spread(_present(peer)),
        floor=spread(_present(floor)),
        to_peer=spreads[Of.TO_PEER],
        to_floor=spreads[Of.TO_FLOOR],
        judgements=judgements,
    )


def percentile(samples: Sequence[float], percent: float) -> float:
    """Return the sample below which so many percent of all lie; of too few the largest."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def _numbers(reading: Reading | None, runs: Runs) -> list[float | None]:
    """A number, or none, of each repetition."""
    return [] if reading is None else [values.get(reading.key) for values in runs.get(reading.run, ())]


def _tried(line: Line, runs: Runs) -> int:
    readings = (line.ours, line.peer, line.floor)
    return max(len(runs.get(reading.run, ())) for reading in readings if reading is not None)


def _present(numbers: Sequence[float | None]) -> list[float]:
    return [number for number in numbers if number is not None]


def _ratios(ours: Sequence[float | None], theirs: Sequence[float | None]) -> list[float]:
    pairs = zip(ours, theirs, strict=False)
    return [our / their for our, their in pairs if our is not None and their]
