"""`clankie rehearse` and `clankie demo`: the curtain rises, and somebody tells what happens."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from loguru import logger
from rich.console import Console
from rich.text import Text

from supervisors.idle import measure_idle_house
from supervisors.local import LocalTheatre
from supervisors.rehearsal.figures import Figure, figures
from supervisors.rehearsal.load import load
from supervisors.rehearsal.narrator import Told
from supervisors.rehearsal.run import RehearsalResult, rehearse

DEMO = Path(__file__).parents[1] / "rehearsal" / "demo" / "demo.toml"


def play_demo(out: Path | None, *, with_figures: bool) -> int:
    """Play the bundled evening in full; return the exit code."""
    console = Console(highlight=False)
    console.print(
        Text("Everything runs on this machine. The ears, the voice and the floor are real;", style="dim")
    )
    console.print(Text("his decisions are scripted rules, for there is no language model here.", style="dim"))
    with closing(_theatre()) as theatre:
        _load(console, theatre)
        result = rehearse(DEMO, _folder(out), Told(console, full=True), theatre)
    if with_figures:
        _measured(console, result)
    return _verdict(console, [result])


def play_scenarios(scenarios: Sequence[Path], out: Path | None) -> int:
    """Play each scenario; return 0 only if everything that was expected of all of them held."""
    for path in scenarios:
        load(path)  # what is wrong with the last one is not found out after an hour
    console = Console(highlight=False)
    folder = _folder(out)
    with closing(_theatre()) as theatre:
        _load(console, theatre)
        results = [
            rehearse(
                path, folder / path.stem if len(scenarios) > 1 else folder, Told(console, full=False), theatre
            )
            for path in scenarios
        ]
    return _verdict(console, results)


def _theatre() -> LocalTheatre:
    logger.remove()  # the narrator tells what happens
    return LocalTheatre()


def _load(console: Console, theatre: LocalTheatre) -> None:
    began = time.monotonic()
    with console.status("Loading …") as line:
        for part in theatre.speech.load():
            line.update(f"Loading {part} …")
    console.print(Text(f"Models loaded in {time.monotonic() - began:.1f} s.", style="dim"))


def _folder(out: Path | None) -> Path:
    return out if out is not None else Path(tempfile.mkdtemp(prefix="clankie-"))


def _measured(console: Console, result: RehearsalResult) -> None:
    with console.status("Measuring an idle house …"):
        idle = measure_idle_house()
    found = list(figures(result.moments, idle_cpu_percent=idle.cpu_percent if idle else None))
    if idle is not None:
        found.append(
            Figure(
                name="memory of an idle house without models", values=(idle.megabytes,), unit="MB", limit=120
            )
        )
    console.print()
    for figure in found:
        console.print(Text(f"  {figure}", style="" if figure.held else "bold red"))


def _verdict(console: Console, results: Sequence[RehearsalResult]) -> int:
    failed = [one.scenario.path.name for one in results if not one.held]
    if failed:
        console.print(Text(f"Did not hold: {', '.join(failed)}", style="bold red"))
    return 1 if failed else 0
