"""Pictures of what a room and a machine can carry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tests.benchmarks.capacity.scene import HEAR_BUDGET_MS, SEND_BUDGET_MS
from tests.benchmarks.figures import Runs, Values

SPEAKERS_PICTURE: Final = "performance-speakers.svg"
STAYS_PICTURE: Final = "performance-stays.svg"
COLOURS: Final = {"1": "#c2410c", "2": "#1d4ed8"}


def points(repetitions: Sequence[Values], beginning: str) -> tuple[list[int], list[float]]:
    """Of all keys that begin so and end in a number: these numbers in order, and the median at each."""
    found: defaultdict[int, list[float]] = defaultdict(list)
    for values in repetitions:
        for key, value in values.items():
            if key.startswith(beginning):
                found[int(key.removeprefix(beginning))].append(value)
    return sorted(found), [median(found[number]) for number in sorted(found)]


def draw_speakers(runs: Runs, folder: Path) -> Iterator[Path]:
    """CPU against speakers."""
    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    for who, name in (("media", "media process"), ("house", "house"), ("crowd", "the people themselves")):
        axes.plot(*points(runs.get("speakers", ()), f"{who}."), marker="o", label=name)
    axes.set(xlabel="people talking in one room", ylabel="% of a core", ylim=(0, None))
    axes.legend(frameon=False)
    figure.suptitle("One media process hears a hundred people with a fraction of a core")
    yield _saved(figure, folder / SPEAKERS_PICTURE)


def draw_stays(runs: Runs, folder: Path) -> Iterator[Path]:
    """Lateness against stays, on one core and on two."""
    figure = Figure(figsize=(7, 5), layout="constrained")
    upper, lower = figure.subplots(2, sharex=True)
    _lateness(upper, runs, "send", SEND_BUDGET_MS)
    _lateness(lower, runs, "hear", HEAR_BUDGET_MS)
    upper.set(ylabel="his pace is off, p99, ms")
    lower.set(ylabel="packet to capture, p99, ms", xlabel="stays in which he and three others talk")
    upper.legend(frameon=False)
    figure.suptitle("With too many stays the captures are late long before his voice is")
    yield _saved(figure, folder / STAYS_PICTURE)


def _lateness(axes: Axes, runs: Runs, what: str, budget: float) -> None:
    for cores, colour in COLOURS.items():
        name = "one core" if cores == "1" else "two cores"
        where, late = points(runs.get("stays", ()), f"sampled {what}.{cores}.")
        axes.plot(where, late, marker="o", color=colour, label=name)
    axes.axhline(budget, color="#6b7280", linestyle="dashed", label="budget")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")


def _saved(figure: Figure, path: Path) -> Path:
    with rc_context({"svg.hashsalt": path.name}):  # else every drawing has names of its own
        figure.savefig(path, metadata={"Date": None})
    return path
