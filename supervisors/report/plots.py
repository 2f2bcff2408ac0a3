"""How latencies are spread: each measurement a dot, or bars where there are many, and a box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

from actors.chronicle.figures import Distribution, Figures
from supervisors.report.words import many, milliseconds

MOST_DOTS: Final = 150
_BINS: Final = 48
_HIGH, _TALL = 58, 84
"""Where the axis is, and how tall a plot, in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """One latency: what it is called, and what its median is at most when all is well, in milliseconds."""

    name: str
    meaning: str
    found: Distribution
    normal: int | None = None

    @property
    def slow(self) -> bool:
        """Whether its median is more than it should be."""
        return self.normal is not None and (self.found.median or 0) > self.normal


_LATENCIES: Final = (
    (
        "Answer",
        "from the end of speech to his first audible frame, 600 ms of silence that end a turn included",
        "speech_end_to_first_audio",
        1_600,
    ),
    ("First audio", "from his decision to the first audible frame", "first_audio", None),
    ("First text", "from asking the model to its first text", "first_text", None),
    (
        "Transcript",
        "from the last voice to the words, a silence that is waited for included",
        "transcript",
        None,
    ),
    (
        "Word to cut",
        "from the last voice of who interrupts to the decision to stop",
        "word_end_to_cut",
        1_000,
    ),
    ("Cut to silence", "from the decision to stop to silence", "cut_to_silence", 40),
    ("Captain", "from handing something over to his answer", "handoff", None),
)


def latencies(found: Figures) -> tuple[Latency, ...]:
    """All that is measured, those first that a listener notices."""
    return tuple(
        Latency(name=name, meaning=meaning, found=getattr(found, field), normal=normal)
        for name, meaning, field, normal in _LATENCIES
    )


def told(latency: Latency) -> str:
    """A plot in a sentence."""
    found = latency.found
    if not found.values:
        return "never measured"
    spread = f"median {milliseconds(found.median)}, p95 {milliseconds(found.p95)}"
    worst = f"longest {milliseconds(found.values[-1])}, {many(len(found.values), 'measurement')}"
    return f"{spread}, {worst}"


def plot(latency: Latency) -> Iterator[str]:
    """One plot with an axis of its own."""
    values = latency.found.values
    top = _round_up(max(values[-1], latency.normal or 0) * 1.04)
    label = f"{escape(latency.name)}: {told(latency)}"
    yield f'<svg class=plot height={_TALL} width="100%" role=img aria-label="{label}">'
    for part in range(5):
        x = 2 + 96 * part / 4
        anchor = " class=first" if part == 0 else " class=last" if part == 4 else ""
        yield f"<line class=tick x1={x}% x2={x}% y1=4 y2={_HIGH} />"
        yield f"<text{anchor} x={x}% y={_HIGH + 17}>{milliseconds(top * part / 4) if part else '0'}</text>"
    yield f"<line class=base x1=2% x2=98% y1={_HIGH} y2={_HIGH} />"
    if len(values) > MOST_DOTS:
        yield from _bars(values, top)
    else:
        yield from _dots(values, top)
    yield from _box(latency, top)
    yield "</svg>"


def _dots(values: tuple[int, ...], top: float) -> Iterator[str]:
    """Dots that would lie on one another are stacked."""
    stacks: dict[int, int] = {}
    for value in values:
        place = int(value / top * 110)
        high = stacks[place] = stacks.get(place, -1) + 1
        yield f"<circle cx={_x(value, top):.2f}% cy={_HIGH - 20 - 5 * min(high, 6)} r=3.4 />"


def _bars(values: tuple[int, ...], top: float) -> Iterator[str]:
    counts = [0] * _BINS
    for value in values:
        counts[min(_BINS - 1, int(value / top * _BINS))] += 1
    for number, count in enumerate(counts):
        if count:
            tall = max(1.5, 38 * count / max(counts))
            x = 2 + 96 * number / _BINS
            yield f"<rect class=bin x={x:.2f}% width=1.85% y={_HIGH - 14 - tall:.1f} height={tall:.1f} />"


def _box(latency: Latency, top: float) -> Iterator[str]:
    """The middle half of all, its middle, and the p95; and what is normal."""
    found, y = latency.found, _HIGH - 10
    low, high = _x(found.quantile(0.25) or 0, top), _x(found.quantile(0.75) or 0, top)
    yield f"<rect class=box x={low:.2f}% width={max(high - low, 0.2):.2f}% y={y} height=7 rx=2 />"
    for look, value in (("median", found.median), ("p95", found.p95)):
        x = _x(value or 0, top)
        yield f"<line class={look} x1={x:.2f}% x2={x:.2f}% y1={y - 3} y2={y + 10} />"
    if latency.normal is not None:
        x = _x(latency.normal, top)
        yield f"<line class=normal x1={x:.2f}% x2={x:.2f}% y1=4 y2={_HIGH} />"


def _x(value: float, top: float) -> float:
    return 2 + 96 * value / top


def _round_up(value: float) -> float:
    """The next value that is easily quartered."""
    steps = (4, 8, 12, 20, 40, 80, 100, 120, 200, 400, 600, 800, 1000, 1200, 1600, 2000, 3000, 4000)
    return next((step for step in steps if step >= value), -(-value // 4000) * 4000)
