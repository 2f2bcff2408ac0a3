"""What is measured of how many he can listen to, and what is asked of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.benchmarks.bench import Bench, Ours
from tests.benchmarks.capacity.drawing import SPEAKERS_PICTURE, STAYS_PICTURE, draw_speakers, draw_stays
from tests.benchmarks.figures import Line, Of, Reading, Runs, Target, spread

STEPS: Final = ("25", "50", "100")
MOST_STAYS: Final = "39"
BUDGET: Final = (
    "In budget: no packet lost, distance of two packets of his from 20 ms within 3 ms and a packet of theirs"
    " with its capture within 20 ms, both at p99; he and all others talk all the time."
)
CROWD: Final = (
    "The people are a process of the same cores both times, as if the whole machine had one core or two: the"
    " table below says what they take."
)


def _ours(run: str, name: str, unit: str, key: str, note: str = "", *targets: Target) -> Line:
    return Line(name=name, unit=unit, ours=Reading(run, key), targets=targets, note=note)


def _speakers_section(runs: Runs) -> Iterator[str]:
    yield "## One room, many speakers\n"
    yield "| speakers | CPU of his media process | of the house | of the people | his pace | to capture |"
    yield "|---|---|---|---|---|---|"
    for step in STEPS:
        keys = ("media", "house", "crowd", "send", "hear")
        cells = [_median(runs, "speakers", f"{key}.{step}") for key in keys]
        yield "| {} | {} % | {} % | {} % | {} ms | {} ms |".format(step, *cells)
    yield f"\n![CPU against speakers]({SPEAKERS_PICTURE})"


def _stays_section(runs: Runs) -> Iterator[str]:
    yield "## Stays on one core and on two\n"
    yield (
        "| cores | stays in budget | CPU per stay: house + media | of the people, in all | his pace, p99 |"
        " to capture, p99 |"
    )
    yield "|---|---|---|---|---|---|"
    for cores in ("1", "2"):
        cells = [_median(runs, "stays", f"{key}.{cores}") for key in _OF_A_LIMIT]
        yield "| {} | {} | {} + {} % | {} % | {} ms | {} ms |".format(cores, *cells)
    size = [_median(runs, "stays", key) for key in _OF_A_SIZE]
    yield "\nA further stay costs the house {} MB, {} threads and {} descriptors;".format(*size[:3])
    yield "its media process has {} MB alone, {} MB in all, {} threads and {} descriptors.".format(*size[3:])
    yield f"\n![Lateness against stays]({STAYS_PICTURE})"


def _median(runs: Runs, run: str, key: str) -> str:
    found = spread([values[key] for values in runs.get(run, ()) if key in values])
    return "-" if found is None else f"{found.median:.3g}"


_OF_A_LIMIT: Final = ("stays", "house", "media", "crowd", "send", "hear")
_OF_A_SIZE: Final = (
    *(f"house {what}" for what in ("private", "threads", "descriptors")),
    *(f"media {what}" for what in ("private", "resident", "threads", "descriptors")),
)

SPEAKERS: Final = Bench(
    name="speakers",
    runs={"speakers": Ours("tests.benchmarks.capacity.speakers", STEPS)},
    lines=(
        _ours(
            "speakers",
            "speakers in one room, all talking, in budget",
            "people",
            "carried",
            f"{BUDGET} No more than {STEPS[-1]} were tried.",
            Target(of=Of.OURS, bound=100, at_least=True),
        ),
        _ours("speakers", "packets lost of them", "packets", "lost", "", Target(of=Of.OURS, bound=0)),
        _ours("speakers", "CPU of the media process, each packet of a hundred speakers", "us", "each"),
    ),
    repetitions=2,
    section=_speakers_section,
    draw=draw_speakers,
)

STAYS: Final = Bench(
    name="stays",
    runs={"stays": Ours("tests.benchmarks.capacity.ramp", (MOST_STAYS,))},
    lines=(
        _ours("stays", "stays (he + 3 talking) on one core, in budget", "stays", "stays.1"),
        _ours("stays", "stays (he + 3 talking) on two cores, in budget", "stays", "stays.2"),
        _ours(
            "stays",
            "stays on two cores for each on one",
            "times",
            "ratio",
            CROWD,
            Target(of=Of.OURS, bound=1.6, at_least=True),
        ),
    ),
    seconds=120.0,
    section=_stays_section,
    draw=draw_stays,
)

BENCHES: Final[tuple[Bench, ...]] = (SPEAKERS, STAYS)
