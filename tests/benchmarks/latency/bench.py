"""What people wait for in a few rooms, in every repetition; in rooms of all sizes, once."""

from __future__ import annotations

from typing import Final

from tests.benchmarks.bench import Bench, Ours
from tests.benchmarks.figures import Line, Of, Reading, Target
from tests.benchmarks.latency.plan import HEAD
from tests.benchmarks.latency.program import key
from tests.benchmarks.latency.section import MOST_ADDED, growth_section, section
from tests.benchmarks.latency.stages import Kind, Stage

MODULE: Final = "tests.benchmarks.latency.program"


def _line(name: str, what: str, which: str, bound: float | None = None, note: str = "") -> Line:
    targets = () if bound is None else (Target(of=Of.OURS, bound=bound),)
    reading = Reading("ours", key(HEAD[0].name, what, which))
    return Line(name=f"{name}, {which}", unit="ms", ours=reading, targets=targets, note=note)


LINES: Final = (
    _line(
        "a packet with speech to the words so far at the floor",
        Kind.DELTA,
        "p50",
        note="sound goes to the provider in portions of 80 ms, the first of which is sent at once.",
    ),
    _line("end of speech to the first packet with sound", Kind.TURN, "p50"),
    _line("end of speech to the first packet with sound", Kind.TURN, "p99"),
    _line(
        "what we add to that",
        Kind.ADDED,
        "p50",
        MOST_ADDED,
        "without the silence that ends a turn and the prebuffer; the target is the sum of the cloud's.",
    ),
    _line("what we add to that", Kind.ADDED, "p99"),
    _line("the end of a turn to the last of its words", Stage.FINAL, "p50", 10.0),
    _line("sound at the voice link to the first packet at the voice server", Stage.SEND, "p99", 5.0),
    _line("first packet of `stop` to his last packet with sound", Kind.STOP, "p50", 1_000.0),
    _line("decision to cut him to the end of his last packet with sound", Kind.CUT, "p99", 40.0),
    _line("somebody comes or goes, to the floor", Kind.ROSTER, "p50"),
)
"""The first in every room is not counted: it opens the lines to the providers."""

BENCHES: Final = (
    Bench(
        name="latency",
        runs={"ours": Ours(MODULE, ("head",))},
        lines=LINES,
        section=section,
    ),
    Bench(
        name="latency-by-size",
        runs={"ours": Ours(MODULE, ("growth",))},
        lines=(),
        seconds=120.0,
        repetitions=1,
        section=growth_section,
    ),
)
