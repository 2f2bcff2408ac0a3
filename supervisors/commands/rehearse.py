"""`clankie rehearse` and `clankie demo`: the curtain rises, and somebody tells what happens."""

from __future__ import annotations

import importlib
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from loguru import logger
from rich.console import Console
from rich.text import Text

from supervisors.commands.interruption import INTERRUPTED_EXIT, signals_interrupt
from supervisors.commands.summary import Outcome, figures_table, outcomes_table
from supervisors.idle import measure_idle_house
from supervisors.rehearsal.figures import Figure, figures
from supervisors.rehearsal.folder import claimed
from supervisors.rehearsal.load import load
from supervisors.rehearsal.narrator import Told
from supervisors.rehearsal.run import RehearsalResult, rehearse
from supervisors.rehearsal.scenario import BadScenario
from supervisors.rehearsal.stage import Lender, Theatre, nobody_lends
from supervisors.speech import LocalSpeech
from supervisors.theatre import LocalTheatre

DEMO = Path(__file__).parents[1] / "rehearsal" / "demo" / "demo.toml"
DISCORD_THEATRE = "tests.loopback.discord.theatre"
LENDER = "tests.loopback.lender"
CHAOS = "tests.reliability.chaos.play"
EMBEDDED = "embedded"
FAILED_EXIT = 1


class Loaded(Theatre[Any], Protocol):
    """A theatre whose models are loaded before the first play."""

    @property
    def speech(self) -> LocalSpeech:
        """The models."""
        ...

    def close(self) -> None:
        """Let go of them."""


def play_demo(out: Path | None, *, with_figures: bool) -> int:
    """Play the bundled evening in full; return the exit code."""
    console = Console(highlight=False)
    return _unless_interrupted(console, out, lambda folder: _demo(console, folder, with_figures=with_figures))


def play_scenarios(
    scenarios: Sequence[Path],
    out: Path | None,
    *,
    full: bool = False,
    discord: bool = False,
    providers: str = EMBEDDED,
) -> int:
    """Play each scenario; return 0 only if everything that was expected of all of them held.

    `providers` is "embedded" or one of the offers of the lender, which belongs to the tests.
    """
    console = Console(highlight=False)

    def theatre() -> Loaded:
        lender = nobody_lends if providers == EMBEDDED else _lender(providers)
        return _discord_theatre(lender) if discord else _theatre(lender)

    def play(folder: Path) -> int:
        return _scenarios(console, scenarios, folder, theatre, full=full)

    return _unless_interrupted(console, out, play)


def play_chaos(seed: int, minutes: float, out: Path | None) -> int:
    """Play a night in which everything goes wrong; return 0 only if every promise was kept in it."""
    console = Console(highlight=False)
    chaos = _from_tests("--chaos", CHAOS)
    return _unless_interrupted(console, out, lambda folder: int(chaos.play(seed, minutes, folder, console)))


def check_scenarios(scenarios: Sequence[Path]) -> int:
    """Say of each scenario that it can be played; raises BadScenario for the first that cannot."""
    console = Console(highlight=False)
    for path in scenarios:
        load(path)
        console.print(Text.assemble(("✓", "green"), f" {path} can be played"), soft_wrap=True)
    return 0


def _demo(console: Console, folder: Path, *, with_figures: bool) -> int:
    _said(console, "Everything runs on this machine. The ears, the voice and the floor are real;")
    _said(console, "his decisions are scripted rules, for there is no language model here.")
    with closing(_theatre()) as theatre:
        _load(console, theatre)
        result = rehearse(DEMO, folder, Told(console, full=True), theatre)
    if with_figures:
        _print_figures(console, result)
    return 0 if result.held else FAILED_EXIT


def _scenarios(
    console: Console,
    scenarios: Sequence[Path],
    folder: Path,
    make: Callable[[], Loaded],
    *,
    full: bool,
) -> int:
    for path in scenarios:
        load(path)  # what is wrong with the last one is not found out after an hour
    with closing(make()) as theatre:
        _load(console, theatre)
        if len(scenarios) == 1:
            result = rehearse(scenarios[0], folder, Told(console, full=full), theatre)
            return 0 if result.held else FAILED_EXIT
        outcomes = list(_one_after_the_other(console, scenarios, folder, theatre, full=full))
    console.print(outcomes_table(outcomes))
    return 0 if all(outcome.held for outcome in outcomes) else FAILED_EXIT


def _one_after_the_other(
    console: Console, scenarios: Sequence[Path], folder: Path, theatre: Loaded, *, full: bool
) -> Iterator[Outcome]:
    """Each in a folder of its own; one that turns out to be unplayable does not keep the others away."""
    seen: Counter[str] = Counter()
    for number, path in enumerate(scenarios, 1):
        console.print()
        _said(console, f"{number} of {len(scenarios)}: {path}")
        seen[path.stem] += 1
        name = path.stem if seen[path.stem] == 1 else f"{path.stem}-{seen[path.stem]}"
        began, broken, expected, fault = time.monotonic(), 0, 0, ""
        try:
            verdicts = rehearse(path, folder / name, Told(console, full=full), theatre).verdicts
            expected, broken = len(verdicts), sum(not verdict.held for verdict in verdicts)
        except BadScenario as error:
            fault = str(error)
            console.print(Text(fault, style="red"))
        seconds = time.monotonic() - began
        yield Outcome(name=name, expected=expected, broken=broken, seconds=seconds, fault=fault)


def _unless_interrupted(console: Console, out: Path | None, play: Callable[[Path], int]) -> int:
    """On the way out of an interrupted play the house is closed in order; a second Ctrl-C does not wait."""
    folder: Path | None = None
    with signals_interrupt():
        try:
            folder = _folder(out)
            return play(folder)
        except KeyboardInterrupt:
            left = f"; what there is so far is in {folder}" if folder and any(folder.iterdir()) else ""
            told = f"Interrupted. The house is closed, and nothing was judged{left}."
            with suppress(OSError):  # of a terminal that is gone
                console.print(Text(told, style="yellow"), soft_wrap=True)
            return INTERRUPTED_EXIT
        finally:
            if out is None and folder is not None and not any(folder.iterdir()):
                folder.rmdir()


def _theatre(lender: Lender = nobody_lends) -> LocalTheatre:
    logger.remove()  # the narrator tells what happens
    return LocalTheatre(lender)


def _discord_theatre(lender: Lender) -> Loaded:
    """The theatre with a Discord of its own; raises BadScenario without the tests, to which it belongs."""
    logger.remove()
    made: Loaded = _from_tests("--discord", DISCORD_THEATRE).DiscordTheatre(lender)
    return made


def _lender(offer: str) -> Lender:
    """Who lends these providers; raises BadScenario without the tests, to which they belong."""
    lender: Lender = _from_tests("--providers", LENDER).lender(offer)
    return lender


def _from_tests(option: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise BadScenario(_without(option, error.name or name)) from None


def _without(option: str, module: str) -> str:
    if module.partition(".")[0] == "tests":
        needed = f"{option} needs the source checkout, whose tests/ hold the servers to play on"
        return f"{needed}; there, run: make setup && .venv/bin/clankie rehearse {option} …"
    return f"{option} needs {module}, which is not installed; in the checkout, run: make setup"


def _load(console: Console, theatre: Loaded) -> None:
    began = time.monotonic()
    with console.status("Loading …") as line:
        for part in theatre.speech.load():
            line.update(f"Loading {part} …")
    _said(console, f"Models loaded in {time.monotonic() - began:.1f} s.")


def _folder(out: Path | None) -> Path:
    """The folder for what comes of it; raises BadFolder before the models are loaded, not after the play."""
    folder = out if out is not None else Path(tempfile.mkdtemp(prefix="clankie-"))
    with claimed(folder):
        return folder


def _print_figures(console: Console, result: RehearsalResult) -> None:
    with console.status("Measuring an idle house …"):
        idle = measure_idle_house()
    measured = () if idle is None else (idle.megabytes,)
    found = (
        *figures(result.moments, idle_cpu_percent=idle.cpu_percent if idle else None),
        Figure(name="RSS of an idle house without models", values=measured, unit="MB", limit=120),
    )
    console.print(figures_table(found))


def _said(console: Console, text: str) -> None:
    console.print(Text(text, style="dim"))
