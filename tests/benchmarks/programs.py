"""Runs one program of a bench in a process of its own, with the Python or the compiler that it takes."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.benchmarks.bench import HERE, Floor, Ours, Peer, Program
from tests.benchmarks.figures import Values
from tests.source import ROOT

PEERS: Final = ROOT / ".venv-peers"
READY: Final = ".ready"
"""What `make bench-peers` leaves there once all of it is installed."""
NO_PEERS: Final = "the peers are not installed: make bench-peers"
NO_COMPILER: Final = "there is no C compiler: on Debian, apt-get install gcc libc6-dev"
COMPILE_SECONDS: Final = 60.0
DIE_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What came of one run: what it measured, or why it cannot be done here, or what went wrong."""

    values: Values = field(default_factory=dict[str, float])
    cannot: str = ""
    failed: str = ""


class Unable(Exception):
    """A program cannot be run here; the sentence says what is missing."""


class Workshop:
    """Knows how each program is started; compiles a floor once, into a folder that its owner removes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._compiled: dict[str, Path] = {}

    def run(self, program: Program, seconds: float) -> Ran:
        """Run it once, and kill it and all that it started if it takes longer."""
        try:
            command = self._command(program)
        except Unable as missing:
            return Ran(cannot=str(missing))
        return _run(command, seconds, self._folder)

    def _command(self, program: Program) -> list[str]:
        match program:
            case Ours():
                return [sys.executable, "-m", program.module, *program.arguments]
            case Peer():
                if not (PEERS / READY).exists():
                    raise Unable(NO_PEERS)
                return [
                    str(PEERS / "bin" / "python"),
                    str(HERE / "peers" / program.script),
                    *program.arguments,
                ]
            case Floor():
                return [str(self._binary(program)), *program.arguments]

    def _binary(self, floor: Floor) -> Path:
        made = self._compiled.get(floor.source)
        if made is None:
            made = self._folder / Path(floor.source).stem
            source = HERE / "floors" / floor.source
            compiler = shutil.which("cc") or shutil.which("gcc")
            if compiler is None:
                raise Unable(NO_COMPILER)
            command = [compiler, "-O2", "-pthread", "-o", str(made), str(source), "-ldl"]
            if complaint := _complaint(command):
                raise Unable(f"{floor.source} does not compile here: {complaint}")
            self._compiled[floor.source] = made
        return made


def _complaint(compile_it: list[str]) -> str:
    """What the compiler has to say; nothing if it is content."""
    try:
        done = subprocess.run(
            compile_it, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"the compiler took longer than {COMPILE_SECONDS:.0f} s"
    return _first_line(done.stderr) if done.returncode else ""


def _run(command: list[str], seconds: float, folder: Path) -> Ran:
    with subprocess.Popen(
        command,
        cwd=ROOT,
        # Whoever is killed leaves his temporary files where they will be removed.
        env={**os.environ, "TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            told, complaints = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return Ran(failed=f"it took longer than {seconds:.0f} s")
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(DIE_SECONDS)
    ran = _read(told)
    if ran is not None and not process.returncode:
        return ran
    return Ran(failed=_last_line(complaints) or f"it ended with {process.returncode} and no word")


def _read(told: str) -> Ran | None:
    """What the last line says; None if it says nothing."""
    try:
        said = json.loads(_last_line(told))
    except ValueError:
        return None
    match said:
        case {"values": dict(values)} if all(map(_is_number, values.values())):
            return Ran(values={str(key): float(value) for key, value in values.items()})
        case {"cannot": str(because)}:
            return Ran(cannot=because)
        case _:
            return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _first_line(text: str) -> str:
    return next(iter(text.strip().splitlines()), "it said nothing")


def _last_line(text: str) -> str:
    return next(reversed(text.strip().splitlines()), "")
