"""The tables of what the room waits for, out of the numbers of all repetitions."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tests.benchmarks.figures import Runs, Values
from tests.benchmarks.latency.plan import GROWTH, HEAD
from tests.benchmarks.latency.program import key
from tests.benchmarks.latency.stages import Kind, Stage
from tests.benchmarks.words import NOTHING, number

NAMES: Final[Mapping[str, str]] = {
    Stage.SILENCE: "silence that ends a turn, 600 ms on purpose",
    Stage.FINAL: "the last of his words",
    Stage.DECISION: "the decision that it is his turn",
    Stage.TEXT: "the first text of the conversation",
    Stage.PCM: "the first sound of the voice",
    Stage.PREBUFFER: "the prebuffer",
    Stage.SEND: "the first packet with sound at the voice server",
    Kind.TURN: "**end of speech to the first packet with sound**",
    Kind.ADDED: "the same without silence and prebuffer: what we add",
    Kind.DELTA: "packet with speech to the words so far at the floor",
    Kind.CUT: "decision to cut him to the end of his last packet with sound, 20 ms long",
    Kind.STOP: "first packet of `stop` to his last packet with sound",
    Kind.ROSTER: "somebody comes or goes, to the floor",
    Kind.MEMBERSHIP: "from there to the request for a turn, 1 s on purpose",
}
COUNTS: Final[Mapping[str, str]] = {
    "turns": "turns that were answered",
    "n": "of them, turns of which every stage was seen",
    "lost": "questions without an answer",
    "early": "the same, before he had ever answered there",
    "unstopped": "stories that no word stopped",
}
LEAST_IDLE: Final = 0.25
"""If less of the cores was idle, and he was late too, it is the cores that everybody waited for."""
MOST_ADDED: Final = 40.0
"""Milliseconds: the budget of what we add."""
OVERLOADED: Final = "more than the cores carry"
GROWING: Final = (Kind.DELTA, *Stage, Kind.TURN, Kind.ADDED, Kind.CUT)

INTRODUCTION: Final = """\
## What the room waits for

The whole program in a process of its own, beside it a Discord, an OpenAI and an ElevenLabs that answer at
once: what is left is what we wait for on purpose, what the sockets take, and what we add. The microphones
stay open, so that the silence that ends a turn is the whole one. Milliseconds; a percentile is the median of
those of the repetitions, and the 99th of fewer than a hundred in a repetition is the longest. The people, the
voice server and the providers share the cores with him.
"""
GROWTH_INTRODUCTION: Final = """\
How it grows, once each, medians and in brackets the 95th percentiles. In rooms of several people one asks and
the others talk; in many rooms one person asks in each, without a pause. Of fewer than twenty the one in
brackets is the longest. Where the cores were almost always busy and what we add was beyond its budget, words
stand for figures that would be the machine's.
"""


def section(runs: Runs) -> Iterator[str]:
    """The breakdown of a turn."""
    found = runs.get("ours", ())
    yield INTRODUCTION
    yield "| | n | median | 95th | 99th |"
    yield "|---|---|---|---|---|"
    for what, name in NAMES.items():
        cells = [_median(found, key(HEAD[0].name, what, which)) for which in ("p50", "p95", "p99")]
        times = _total(found, key(HEAD[0].name, what, "n"))
        yield f"| {name} | {times:.0f} | {' | '.join(cells)} |"
    for which, name in COUNTS.items():
        yield f"| {name} | {_total(found, key(HEAD[0].name, Kind.TURN, which)):.0f} | | | |"


def growth_section(runs: Runs) -> Iterator[str]:
    """How every stage grows with the people in a room and with the rooms."""
    found = runs.get("ours", ())
    yield GROWTH_INTRODUCTION
    yield f"| | {' | '.join(part.name for part in GROWTH)} |"
    yield "|---" * (len(GROWTH) + 1) + "|"
    for which, name in COUNTS.items():
        counts = [_total(found, key(part.name, Kind.TURN, which)) for part in GROWTH]
        yield f"| {name} | {' | '.join(f'{count:.0f}' for count in counts)} |"
    for what in GROWING:
        yield f"| {NAMES[what]} | {' | '.join(_cell(found, part.name, what) for part in GROWTH)} |"


def _cell(found: Sequence[Values], part: str, what: str) -> str:
    if any(_overloaded(values, part) for values in found):
        return OVERLOADED
    middle, high = (_median(found, key(part, what, which)) for which in ("p50", "p95"))
    return middle if middle == NOTHING else f"{middle} ({high})"


def _overloaded(values: Values, part: str) -> bool:
    idle = values.get(key(part, Kind.TURN, "idle"), 1.0)
    return idle < LEAST_IDLE and values.get(key(part, Kind.ADDED, "p50"), 0.0) > MOST_ADDED


def _total(found: Sequence[Values], name: str) -> float:
    return sum(values.get(name, 0.0) for values in found)


def _median(found: Sequence[Values], name: str) -> str:
    there = [values[name] for values in found if name in values]
    return number(statistics.median(there)) if there else NOTHING
