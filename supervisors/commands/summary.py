"""What came of it all, as tables that can be read at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from supervisors.rehearsal.figures import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one scenario."""

    name: str
    expected: int
    broken: int
    seconds: float
    fault: str = ""
    """Why it could not be played to its end; empty if it was."""

    @property
    def held(self) -> bool:
        """Whether it was played, and everything that was expected of it held."""
        return not self.fault and not self.broken

    def __str__(self) -> str:
        if self.fault:
            return "could not be played"
        if self.broken:
            return f"{self.broken} of {self.expected} did not hold"
        return f"all {self.expected} held" if self.expected else "nothing was expected"


def outcomes_table(outcomes: Sequence[Outcome]) -> Table:
    """One line for each scenario, and how long all of them took."""
    table = Table(box=SIMPLE_HEAD, show_footer=True)
    held = sum(outcome.held for outcome in outcomes)
    table.add_column("", footer="")
    table.add_column("scenario", footer=f"{held} of {len(outcomes)} held")
    table.add_column("expectations")
    table.add_column("time", justify="right", footer=f"{sum(one.seconds for one in outcomes):.1f} s")
    for outcome in outcomes:
        mark = Text("✓", style="green") if outcome.held else Text("✗", style="bold red")
        style = "" if outcome.held else "red"
        table.add_row(mark, Text(outcome.name), Text(str(outcome), style=style), f"{outcome.seconds:.1f} s")
    return table


def figures_table(figures: Sequence[Figure]) -> Table:
    """One line for each figure: its median, its worst value, and what the median must not exceed."""
    table = Table(box=SIMPLE_HEAD)
    table.add_column("figure")
    for name in ("median", "worst", "measured", "at most"):
        table.add_column(name, justify="right")
    for figure in figures:
        limit = "" if figure.limit is None else f"{figure.limit:g} {figure.unit}"
        style = "" if figure.held else "bold red"
        if not figure.values:
            table.add_row(figure.name, "–", "–", "not", limit, style="dim")
            continue
        middle, worst = median(figure.values), max(figure.values)
        many = len(figure.values)
        table.add_row(
            figure.name,
            _value(middle, figure.unit),
            _value(worst, figure.unit) if many > 1 else "",
            f"{many} times" if many > 1 else "once",
            limit,
            style=style,
        )
    return table


def _value(value: float, unit: str) -> str:
    return f"{value:.{0 if value >= 10 else 1}f} {unit}"
