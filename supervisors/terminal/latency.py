"""How long people wait for him, as numbers and as a little picture of the latest ones."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

BARS = "▁▂▃▄▅▆▇█"


def spark(values: Sequence[float], width: int) -> str:
    """The last `width` values as bars, each in proportion to the greatest of them."""
    shown = values[-width:] if width > 0 else ()
    top = max(shown, default=0)
    if top <= 0:
        return BARS[0] * len(shown)
    return "".join(BARS[min(len(BARS) - 1, round(value / top * (len(BARS) - 1)))] for value in shown)


def summed_up(values: Sequence[float]) -> str:
    """The last one and the middle one."""
    if not values:
        return "–"
    return f"{_time(values[-1])}, median {_time(median(values))}"


def _time(ms: float) -> str:
    return f"{ms:.0f} ms" if ms < 10_000 else f"{ms / 1000:.1f} s"
