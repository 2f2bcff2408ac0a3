"""`python -m tests.reliability.sigkill` kills him at any moment of an evening, and looks what is wrong."""

from __future__ import annotations

import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic import TypeAdapter
from rich.console import Console

from tests.reliability.figures import ROOT, keep
from tests.reliability.sigkill.siege import Result
from tests.reliability.sigkill.telling import found
from tests.reliability.terminal import COUNTED, in_order, progress, show

WHOLE_KILLS: Final = 100
"""So many, and no fewer, go on record."""
CLOSES_SECONDS: Final = 20.0
SECONDS_A_KILL: Final = 60.0
"""A part that takes longer than this for each of its kills hangs."""
RESULT: Final = TypeAdapter(Result)


class Part:
    """One evening in a process of its own; every line of it is put into `told`, and None at the end."""

    def __init__(self, seed: int, kills: int, folder: Path, told: queue.SimpleQueue[Result | None]) -> None:
        self.seed, self.kills, self.folder = seed, kills, folder
        self.log = folder.with_suffix(".log")
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.reliability.sigkill.part", str(seed), str(kills), str(folder)],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        self._told = told
        self._reader = threading.Thread(target=self._read, name="part of a siege")
        self._reader.start()

    def end(self) -> int:
        """Its exit code, once it has closed everything; it is told to, if it has not ended by itself."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(CLOSES_SECONDS)
        self._process.kill()
        self._reader.join(CLOSES_SECONDS)
        return self._process.wait()

    @property
    def again(self) -> str:
        """The command that kills as this part did."""
        return f"python -m tests.reliability.sigkill --times {self.kills} --seed {self.seed} --side-by-side 1"

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._told.put(RESULT.validate_json(line))
        self._told.put(None)


def main(
    times: Annotated[int, typer.Option(min=1, help="How often he is killed.")] = WHOLE_KILLS,
    seed: Annotated[int, typer.Option(help="What is drawn from: the moments, and whom the signal hits.")] = 1,
    side_by_side: Annotated[int, typer.Option(min=1, max=8, help="How many evenings at once.")] = 2,
    keep_folders: Annotated[
        bool, typer.Option("--keep", help="Keep his folders, whatever came of it.")
    ] = False,
) -> None:
    """Kill him with SIGKILL at any moment of a busy evening, start him again, and see that nothing is wrong.

    The exit code is 0 only if every promise was kept after every kill. A folder in which one was not stays
    there, with the command that does the same again. A hundred kills go on record in docs/.
    """
    console = Console(highlight=False)
    folder = Path(tempfile.mkdtemp(prefix="sigkill-"))
    began = time.monotonic()
    sides = min(side_by_side, times)
    shares = [times // sides + (place < times % sides) for place in range(sides)]
    with in_order(console, f"his folders are in {folder}"):
        results, broken_off = _besieged(console, folder, seed, shares)
    command = (
        "make crashes"
        if times >= WHOLE_KILLS
        else f"python -m tests.reliability.sigkill --times {times} --seed {seed}"
    )
    told = found(results, broken_off, command, time.monotonic() - began)
    show(console, told)
    if times >= WHOLE_KILLS:
        keep("sigkill", told)
    if told.held and not keep_folders:
        shutil.rmtree(folder)
    else:
        console.print(f"His folders are in {folder}.", soft_wrap=True)
    raise typer.Exit(0 if told.held else 1)


def _besieged(
    console: Console, folder: Path, seed: int, shares: Sequence[int]
) -> tuple[list[Result], list[str]]:
    """What came of every kill, and which parts did not come to their end."""
    told: queue.SimpleQueue[Result | None] = queue.SimpleQueue()
    results: list[Result] = []
    parts: list[Part] = []
    with progress(console, *COUNTED) as shown:
        task = shown.add_task("kills", total=sum(shares))
        try:
            for place, kills in enumerate(shares):
                parts.append(Part(seed + place, kills, folder / f"seed-{seed + place}", told))
            at_work = len(parts)
            while at_work:
                result = told.get(timeout=3 * SECONDS_A_KILL)
                at_work -= result is None
                if result is not None:
                    results.append(result)
                    shown.advance(task, 1 + result.again)
                    for problem in result.problems:
                        console.print(f"Killed while {result.moment} ({result.whom}): {problem}")
        except queue.Empty:
            console.print("An evening hangs, and is ended.")
        finally:
            codes = {part: part.end() for part in parts}
    broken = [
        f"The evening of seed {part.seed} broke off ({code}): {_last_line(part.log)}; {part.again}"
        for part, code in codes.items()
        if code
    ]
    if any(one.problems for one in results):
        broken += [f"To see it again: {part.again}" for part in parts]
    return results, broken


def _last_line(log: Path) -> str:
    return (log.read_text("utf-8", "replace").strip().splitlines() or ["it said nothing"])[-1]


if __name__ == "__main__":
    typer.run(main)
