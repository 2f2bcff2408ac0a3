"""Repeats every bench, all of them in turn, so that a ratio is of two runs of the same minute."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.benchmarks.bench import Bench, Program
from tests.benchmarks.figures import Values
from tests.benchmarks.programs import Ran

Run = Callable[[Program, float], Ran]
Watch = Callable[[int, str, str], None]
"""Told of each run before it begins: the repetition, the bench, and the name of the run."""


@dataclass(slots=True)
class Measured:
    """What one bench has measured so far; a repetition that failed is empty: the others stay in line."""

    runs: dict[str, list[Values]] = field(default_factory=dict[str, list[Values]])
    cannot: dict[str, str] = field(default_factory=dict[str, str])
    """Why a run cannot be done on this machine, by its name."""
    failed: dict[str, str] = field(default_factory=dict[str, str])
    """What went wrong last, by the name of the run."""


def measure(benches: Sequence[Bench], repetitions: int, run: Run, watch: Watch) -> Mapping[str, Measured]:
    """Run every program so many times; what this machine cannot do is tried once."""
    measured = {bench.name: Measured() for bench in benches}
    for repetition in range(repetitions):
        for bench in benches:
            if bench.repetitions is None or repetition < bench.repetitions:
                _once(bench, repetition, measured[bench.name], run, watch)
    return measured


def _once(bench: Bench, repetition: int, measured: Measured, run: Run, watch: Watch) -> None:
    # Whoever runs second finds the machine as the first left it: take turns at that.
    names = list(bench.runs)
    if repetition % 2:
        names.reverse()
    for name in names:
        if name in measured.cannot:
            continue
        watch(repetition, bench.name, name)
        ran = run(bench.runs[name], bench.seconds)
        if ran.cannot:
            measured.cannot[name] = ran.cannot
            continue
        if ran.failed:
            measured.failed[name] = ran.failed
        measured.runs.setdefault(name, []).append(ran.values)
