"""Processes hunt side by side, each for one target; one that dies or hangs has found something, too."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.reliability.figures import ROOT
from tests.reliability.fuzz.judge import Failure
from tests.reliability.fuzz.target import Target
from tests.reliability.fuzz.worker import on_desk

SILENT_SECONDS: Final = 60.0
"""Whoever says nothing for so much CPU hangs: an input may cost some seconds, and a find more to shorten."""
PROGRAM: Final = (sys.executable, "-m", "tests.reliability.fuzz.worker")
MOST_LIVES: Final = 20
"""How often a target is begun anew after a process of its has died."""
FOUND: Final = ROOT / "build" / "fuzz"
BOOK: Final = FOUND / "hunted.json"


@dataclass(slots=True, kw_only=True)
class Hunted:
    """What came of one target."""

    target: Target
    inputs: int = 0
    corpus: int = 0
    reached: int = 0
    lines: int = 0
    seconds: float = 0.0
    failures: dict[str, Failure] = field(default_factory=dict)


class Hunters:
    """All processes of a run; `stop` ends each of them."""

    def __init__(
        self,
        seed: int,
        told: Callable[[Hunted], None],
        *,
        program: Sequence[str] = PROGRAM,
        silent_seconds: float = SILENT_SECONDS,
    ) -> None:
        self._seed, self._told = seed, told
        self._program, self._silent_seconds = program, silent_seconds
        self._at_work: set[subprocess.Popen[str]] = set()
        self._lock, self._stopped = threading.Lock(), False

    def all(self, chosen: Mapping[Target, float], side_by_side: int) -> Iterator[Hunted]:
        """What came of each, in their order, after so many seconds."""
        with ThreadPoolExecutor(side_by_side) as pool:
            try:
                yield from pool.map(self._one, chosen, chosen.values())
            finally:
                self.stop()  # whoever interrupts it does not wait for those who hunt

    def stop(self) -> None:
        """Nobody hunts any more."""
        with self._lock:
            self._stopped = True
            for process in self._at_work:
                _kill(process)

    def _one(self, target: Target, seconds: float) -> Hunted:
        hunted, until = Hunted(target=target), time.monotonic() + seconds
        for life in range(MOST_LIVES):
            left = until - time.monotonic()
            if left < 1 or self._stopped:
                break
            if self._life(hunted, left, self._seed + life):
                break
        hunted.seconds = seconds - max(0.0, until - time.monotonic())
        self._told(hunted)
        return hunted

    def _life(self, hunted: Hunted, seconds: float, seed: int) -> bool:
        """Whether a process came to its own end."""
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            desk = Path(folder) / "desk"
            with self._born(hunted.target, seconds, seed, desk) as process:
                before, hung = hunted.inputs, self._heard(process, hunted)
                hunted.inputs += before
            if self._stopped or process.returncode == 0:
                return True
            how = "hangs" if hung else f"ends its process ({_how(process.returncode)})"
            hunted.failures.setdefault(how, Failure(kind=how, says=how, input=on_desk(desk)))
            return False

    @contextmanager
    def _born(
        self, target: Target, seconds: float, seed: int, desk: Path
    ) -> Generator[subprocess.Popen[str]]:
        process = subprocess.Popen(
            [*self._program, target.name, str(seed), f"{seconds:.1f}", str(desk)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        with self._lock:
            self._at_work.add(process)
            if self._stopped:
                _kill(process)
        try:
            yield process
        finally:
            with self._lock:
                self._at_work.discard(process)
            _kill(process)
            process.wait()
            if process.stdout is not None:
                process.stdout.close()

    def _heard(self, process: subprocess.Popen[str], hunted: Hunted) -> bool:
        """Read all that it says, and wait for its end; whether it had to be ended."""
        hung, over = threading.Event(), threading.Event()
        said = [_Moment.of(process.pid)]

        def watch() -> None:
            while not over.wait(min(1.0, self._silent_seconds)):
                if _Moment.of(process.pid).is_long_after(said[0], self._silent_seconds):
                    hung.set()
                    _kill(process)

        watching = threading.Thread(target=watch, daemon=True)
        watching.start()
        for line in process.stdout or ():
            said[0] = _Moment.of(process.pid)
            with suppress(ValueError):
                _take(hunted, json.loads(line))
                self._told(hunted)
        process.wait()
        over.set()
        watching.join()
        return hung.is_set()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moment:
    """A moment by the clock, and by what a process has been given of the machine until then."""

    at: float
    cpu: float

    @classmethod
    def of(cls, pid: int) -> _Moment:
        """Now."""
        cpu = 0.0
        with suppress(OSError, ValueError, IndexError):
            told = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
            cpu = (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
        return cls(at=time.monotonic(), cpu=cpu)

    def is_long_after(self, other: _Moment, seconds: float) -> bool:
        """Whether it had so much of the machine meanwhile, or ten times as long none of it."""
        return self.cpu - other.cpu > seconds or self.at - other.at > 10 * seconds


def _take(hunted: Hunted, told: dict[str, Any]) -> None:
    hunted.inputs, hunted.corpus = told["inputs"], told["corpus"]
    if told["lines"]:
        hunted.reached, hunted.lines = told["reached"], told["lines"]
    for one in told["failures"]:
        failure = Failure(kind=one["kind"], says=one["says"], input=base64.b64decode(one["input"]))
        hunted.failures.setdefault(failure.kind, failure)


def _kill(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _how(returned: int | None) -> str:
    return signal.Signals(-returned).name if returned is not None and returned < 0 else f"exit {returned}"


def _as_json(one: Hunted) -> dict[str, Any]:
    failures = [[failure.kind, failure.says] for failure in one.failures.values()]
    numbers = {name: getattr(one, name) for name in ("inputs", "corpus", "reached", "lines", "seconds")}
    return {**numbers, "failures": failures}


def remember(hunted: Iterable[Hunted]) -> None:
    """Write down what came of these, beside what came of others before, for whoever goes on."""
    BOOK.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(BOOK.read_bytes()) if BOOK.exists() else {}
    BOOK.write_text(json.dumps({**known, **{one.target.name: _as_json(one) for one in hunted}}, indent=1))


def remembered(chosen: Mapping[Target, float]) -> list[Hunted]:
    """Those of which nothing has to be tried again: they had their whole time, and nothing broke."""
    known: dict[str, dict[str, Any]] = json.loads(BOOK.read_bytes()) if BOOK.exists() else {}
    done: list[Hunted] = []
    for target, seconds in chosen.items():
        told = known.get(target.name)
        if told is not None and not told.pop("failures") and told["seconds"] >= seconds - 5:
            done.append(Hunted(target=target, **told))
    return done


def put_down(hunted: Iterable[Hunted]) -> dict[str, Path]:
    """Every input that broke something, in a file of its own, by the kind of what it broke."""
    written: dict[str, Path] = {}
    for one in hunted:
        for failure in one.failures.values():
            path = FOUND / one.target.name / failure.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(failure.input)
            written[f"{one.target.name}: {failure.kind}"] = path
    return written
