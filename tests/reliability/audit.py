"""`make audit`: whether a fault is known of anything that is pinned; who cannot be asked has not said no."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import typer
from rich.console import Console
from rich.table import Table

from tests.reliability.locked import Package, exported, packages

FAULTS_EXIT, NOT_ASKED_EXIT = 1, 3
ASK_SECONDS: Final = 300.0
app = typer.Typer(add_completion=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One known fault of one package; `mended` are the versions without it."""

    package: str
    version: str
    name: str
    mended: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was said of how many packages; of those in `unasked` nobody could say anything."""

    known: int = 0
    faults: tuple[Fault, ...] = ()
    unasked: tuple[str, ...] = ()


def answer_of(told: str) -> Answer:
    """Return what pip-audit's JSON says; of what it skipped, which it is cheerful about, nobody was asked."""
    try:
        listed: Sequence[Mapping[str, Any]] = list(json.loads(told)["dependencies"])
    except (ValueError, KeyError, TypeError):
        return Answer()
    asked = [one for one in listed if "vulns" in one]
    faults = tuple(
        Fault(
            package=one["name"], version=one["version"], name=each["id"], mended=tuple(each["fix_versions"])
        )
        for one in asked
        for each in one["vulns"]
    )
    return Answer(
        known=len(asked), faults=faults, unasked=tuple(one["name"] for one in listed if one not in asked)
    )


def lists(found: Iterable[Package]) -> Iterator[list[Package]]:
    """Deal them out, so that no list has two versions of one package, which pip-audit refuses."""
    rest = list(found)
    while rest:
        first: dict[str, Package] = {}
        for one in rest:
            first.setdefault(one.name, one)
        yield list(first.values())
        rest = [one for one in rest if one not in first.values()]


def ask(found: Sequence[Package], environment: Mapping[str, str] = os.environ) -> Answer:
    """Ask the package index about these; never raises for what it answers."""
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "pinned.txt"
        listed.write_text("".join(f"{one.name}=={one.version}\n" for one in found), "utf-8")
        command = (sys.executable, "-m", "pip_audit", "--requirement", str(listed), "--no-deps")
        options = ("--disable-pip", "--format", "json", "--progress-spinner", "off", "--timeout", "15")
        try:
            done = subprocess.run(
                (*command, *options), env=dict(environment), capture_output=True, text=True,
                timeout=ASK_SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Answer(unasked=tuple(one.name for one in found))
    answer = answer_of(done.stdout)
    heard_of = answer.known or answer.unasked
    return answer if heard_of else Answer(unasked=tuple(one.name for one in found))


def verdict(answers: Iterable[Answer], console: Console) -> int:
    """Say what was found; return 0 only if everything was asked about and nothing is known."""
    told = list(answers)
    faults = [fault for one in told for fault in one.faults]
    unasked = sorted({name for one in told for name in one.unasked})
    if faults:
        table = Table("package", "version", "fault", "mended in", title="Known faults")
        for one in faults:
            table.add_row(one.package, one.version, one.name, ", ".join(one.mended) or "no version yet")
        console.print(table)
        console.print("Raise what is named in pyproject.toml, then run: uv lock --upgrade-package NAME")
    if unasked:
        some = ", ".join(unasked[:5]) + (", …" if len(unasked) > 5 else "")
        console.print(
            f"Of {len(unasked)} packages ({some}) it could not be asked: the package index does not answer, "
            "or does not tell of faults; try again where it does. This is no all-clear."
        )
    if not (faults or unasked):
        console.print(
            f"No fault is known of any of the {sum(one.known for one in told)} packages that are pinned."
        )
    return FAULTS_EXIT if faults else NOT_ASKED_EXIT if unasked else 0


@app.command()
def audit() -> None:
    """Ask the package index whether a fault is known of anything that uv.lock pins for running him.

    Exits with 0 if none is, 1 if one is, and 3 if the index could not be asked about everything.
    """
    console = Console()
    found = packages(exported())
    with console.status(f"asking about {len(found)} packages"):
        answers = [ask(one) for one in lists(found)]
    raise typer.Exit(verdict(answers, console))


if __name__ == "__main__":
    app()
