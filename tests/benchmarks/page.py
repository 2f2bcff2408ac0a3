"""Writes docs/performance.md from the record of one run, and the prose of those who measured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import row
from tests.benchmarks.measuring import Measured
from tests.benchmarks.record import Record
from tests.benchmarks.words import HEADS, cells

INTRODUCTION: Final = """\
# Performance

Written by `make bench`, which measures all of this on your machine in a quarter of an hour; do not edit it.
Every number is of the product's own code. A peer is what you would use otherwise, doing the same work on the
same bytes beside it; a floor is a C program that does no more than the libraries or the kernel must. Of a
machine that is shared with others only ratios count: each is of two runs of the same repetition, and the
verdict is on the median of all repetitions.

How fast the parts are that have no budget was [measured by hand](performance-by-hand.md); where the time goes
is in the [profiles](profiles.md).
"""


def page(record: Record, benches: Sequence[Bench]) -> str:
    """Return the page."""
    return "\n".join(_page(record, benches)) + "\n"


def _page(record: Record, benches: Sequence[Bench]) -> Iterator[str]:
    measured = [(bench, record.benches[bench.name]) for bench in benches if bench.name in record.benches]
    yield INTRODUCTION
    yield from _conditions(record)
    yield "## The table\n"
    yield f"| {' | '.join(HEADS)} |"
    yield "|" + "---|" * len(HEADS)
    for bench, found in measured:
        for line in bench.lines:
            yield f"| {' | '.join(cells(row(line, found.runs)))} |"
    yield from _notes(measured)
    for bench, found in measured:
        if bench.section is not None and found.runs:
            yield ""
            yield from bench.section(found.runs)


def _conditions(record: Record) -> Iterator[str]:
    facts = defaultdict(lambda: "unknown", record.machine)
    yield (
        f"Measured on {facts['date'][:10]}: {facts['cpu_count']} cores ({facts['cpu_model_name']}), "
        f"{facts['platform']}, Python {facts['python_version'].split()[0]}, "
        f"a load of {facts['load_avg_1min']} before it began, {record.seconds / 60:.0f} minutes.\n"
    )


def _notes(measured: Sequence[tuple[Bench, Measured]]) -> Iterator[str]:
    notes = [f"- {line.name}: {line.note}" for bench, _ in measured for line in bench.lines if line.note]
    for bench, found in measured:
        notes += [f"- Not measured here: {bench.name}, {run}: {why}" for run, why in found.cannot.items()]
        notes += [f"- **Failed**: {bench.name}, {run}: {why}" for run, why in found.failed.items()]
    if notes:
        yield ""
        yield from notes
