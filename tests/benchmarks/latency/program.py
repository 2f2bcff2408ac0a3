"""Tells what people waited for in a few rooms, or in rooms of every size: `head` or `growth`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tests.benchmarks.bench import tell
from tests.benchmarks.figures import percentile
from tests.benchmarks.latency.plan import GROWTH, HEAD
from tests.benchmarks.latency.playing import Part, Played, play
from tests.benchmarks.latency.stages import Kind

PLANS: Final[Mapping[str, Sequence[Part]]] = {"head": HEAD, "growth": GROWTH}
PERCENTS: Final = (50, 95, 99)
SWITCH_SECONDS: Final = 0.0005
"""Providers, people and the voice server share this interpreter: none of them keeps the others waiting."""


def main(plan: str) -> None:
    """Play it once."""
    sys.setswitchinterval(SWITCH_SECONDS)
    tell(dict(value for played in play(PLANS[plan]) for value in values(played)))


def values(played: Played) -> Iterator[tuple[str, float]]:
    """Percentiles and numbers of all that was timed in a part, and how many questions had no answer."""
    name = played.part.name
    for what, samples in played.found.items():
        yield key(name, what, "n"), len(samples)
        for percent in PERCENTS:
            yield key(name, what, f"p{percent}"), percentile(samples, percent)
    counts = {
        "turns": played.turns,
        "lost": played.lost,
        "early": played.early,
        "unstopped": played.unstopped,
    }
    for which, count in counts.items():
        yield key(name, Kind.TURN, which), count
    yield key(name, Kind.TURN, "idle"), played.idle


def key(part: str, what: str, which: str) -> str:
    """How a number is called."""
    return f"{part}/{what}/{which}"


if __name__ == "__main__":
    main(sys.argv[1])
