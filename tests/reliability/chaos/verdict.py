"""What is to be said of one night: what went wrong, what was promised, and what was not kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.reliability.chaos.history import History, Trouble
from tests.reliability.chaos.invariants import INVARIANTS, judge

SUSPECT_SECONDS: Final = 20.0
"""Trouble that was over so long before something broke may have broken it."""
NAME: Final = "verdict.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A promise that was not kept: when, which, how, and what was wrong then or shortly before."""

    at: float
    promise: str
    what: str
    during: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One night in numbers; `troubles` took effect, `missed` did not and says why."""

    seed: int
    minutes: float
    seconds: float
    troubles: tuple[str, ...]
    missed: tuple[str, ...]
    answers: tuple[float, ...]
    """Seconds from the end of each question in a quiet window to his answer."""
    questions: int
    said: int
    broken: tuple[Broken, ...]

    @property
    def held(self) -> bool:
        """Whether every promise was kept."""
        return not self.broken

    @property
    def again(self) -> str:
        """The command that plays the same night again."""
        return f"clankie rehearse --chaos {self.seed} --minutes {self.minutes:g}"


_ADAPTER: Final = TypeAdapter(Verdict)


def verdict(seed: int, minutes: float, history: History) -> Verdict:
    """Judge a night."""
    broken = tuple(
        Broken(at=one.at, promise=one.promise, what=one.what, during=tuple(_suspects(history, one.at)))
        for one in judge(history)
    )
    return Verdict(
        seed=seed,
        minutes=minutes,
        seconds=history.seconds,
        troubles=tuple(one.kind for one in history.troubles if not one.missed),
        missed=tuple(f"{one.kind} ({one.missed})" for one in history.troubles if one.missed),
        answers=tuple(one.heard - one.ended for one in history.asked if one.heard is not None),
        questions=len(history.asked),
        said=len(history.said),
        broken=broken,
    )


def keep(found: Verdict, folder: Path) -> None:
    """Leave it beside the night's history."""
    (folder / NAME).write_bytes(_ADAPTER.dump_json(found, indent=1) + b"\n")


def kept(folder: Path) -> Verdict | None:
    """The verdict of a night that was played to its end."""
    path = folder / NAME
    return _ADAPTER.validate_json(path.read_bytes()) if path.exists() else None


def tell(found: Verdict, console: Console, folder: Path) -> None:
    """Say it on a terminal."""
    took = f"{len(found.troubles)} troubles in {found.seconds:.0f} s"
    answered = f"{len(found.answers)} of {found.questions} questions in the quiet after them answered"
    slowest = f", the slowest after {max(found.answers):.1f} s" if found.answers else ""
    _line(console, f"Seed {found.seed}: {took}; {answered}{slowest}.")
    for missed in found.missed:
        _line(console, f"Missed: {missed}", "yellow")
    if found.held:
        _line(console, f"All {len(INVARIANTS)} promises were kept.", "green")
        return
    table = Table("second", "promise", "what", "what went wrong then", title="Not kept", title_justify="left")
    for one in found.broken:
        promise, during = one.promise.replace("_", " "), "\n".join(one.during) or "nothing"
        table.add_row(*(Text(cell) for cell in (f"{one.at:.1f}", promise, one.what, during)))
    console.print(table)
    _line(console, f"Again: {found.again}")
    _line(console, f"Everything that happened: {folder / 'history.jsonl'}")


def _suspects(history: History, at: float) -> Iterator[str]:
    for one in history.during(at, SUSPECT_SECONDS):
        yield f"{one.number}: {_named(one)} at {one.at:.1f} s"


def _named(trouble: Trouble) -> str:
    return f"{trouble.kind} ({trouble.target})" if trouble.target else trouble.kind


def _line(console: Console, text: str, style: str = "") -> None:
    console.print(Text(text, style=style), soft_wrap=True)
