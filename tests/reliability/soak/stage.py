"""The quick halves, each in a process of its own, so that its memory is its own; and what is said of them."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

from tests.reliability.figures import ROOT, Table
from tests.reliability.soak.growth import Course
from tests.reliability.soak.judge import BOUNDS, Verdict, judged
from tests.reliability.soak.part import LOOK
from tests.reliability.soak.parts import PARTS, Look

MEBIBYTE: Final = 1 << 20
TOLD: Final = {
    "stay": "one stay without an end",
    "stays": "stays with hours between, and crashes",
    "sound": "sound in the media process",
}


class PartEnded(Exception):
    """A part did not come to its end; the text says how to see why."""


def soak(hours: float, seed: int, told: Callable[[str, float], None]) -> tuple[Verdict, ...]:
    """Play all parts at once; `told` hears the share of each that is over, from several threads."""
    running: list[subprocess.Popen[bytes]] = []
    lock = threading.Lock()

    def play(name: str) -> Verdict:
        with _started(name, hours, seed, running, lock) as child:
            looks: list[Look] = []
            assert child.stdout is not None
            for line in child.stdout:
                looks.append(LOOK.validate_json(line))
                told(name, looks[-1].hours / hours)
        if child.returncode:
            raise PartEnded(f"{TOLD[name]} ended too soon; see why with: {_command(name, hours, seed)}")
        return judged(name, looks)

    with ThreadPoolExecutor(len(PARTS)) as pool:
        try:
            return tuple(pool.map(play, PARTS))
        except BaseException:
            with lock:
                for child in running:
                    child.kill()
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def _started(
    name: str, hours: float, seed: int, running: list[subprocess.Popen[bytes]], lock: threading.Lock
) -> Generator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.reliability.soak.part", name, str(hours), str(seed)]
    # In a session of its own it hears no Ctrl-C; whoever started it ends it.
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True) as child:
        with lock:
            running.append(child)
        try:
            yield child
        except BaseException:
            child.kill()
            raise


def _command(name: str, hours: float, seed: int) -> str:
    return f"python -m tests.reliability.soak.part {name} {hours:g} {seed}"


def tables(verdicts: Sequence[Verdict]) -> tuple[Table, ...]:
    """What was found, for the page and the screen."""
    head = ("what", "second tenth", "last tenth", "more")
    rows: list[tuple[str, ...]] = []
    for one in verdicts:
        name = TOLD[one.name]
        rows += [
            _row(f"{name}: memory in use, MiB", one.used, MEBIBYTE),
            _row(f"{name}: resident memory, MiB", one.memory, MEBIBYTE),
            _row(f"{name}: things that Python holds", one.blocks),
            _row(f"{name}: entries in what actors keep", one.entries),
            _row(f"{name}: open files", one.descriptors),
            _row(f"{name}: threads", one.threads),
        ]
    bounded = tuple(
        (course.name, f"{course.early:g}", f"{course.late:g}", f"{BOUNDS[course.name].most(one.people)}", why)
        for one in verdicts
        for course in one.bounded
        for why in (BOUNDS[course.name].why,)
    )
    return (
        Table(title="What there was", head=head, rows=tuple(rows)),
        Table(
            title="What was not full yet",
            head=("what", "second tenth", "last tenth", "at most", "why"),
            rows=bounded,
        ),
        Table(title="What happened", head=("what", "how often"), rows=_happened(verdicts)),
    )


def broken(verdicts: Sequence[Verdict], hours: float, seed: int) -> tuple[str, ...]:
    """What was not kept, each with the command that shows it again."""
    return tuple(
        f"{TOLD[one.name]}: {text} (`{_command(one.name, hours, seed)}`)"
        for one in verdicts
        for text in one.broken
    )


def _row(name: str, course: Course, unit: int = 1) -> tuple[str, ...]:
    early, late = course.early / unit, course.late / unit
    return (
        name,
        f"{early:,.1f}" if unit > 1 else f"{early:,.0f}",
        f"{late:,.1f}" if unit > 1 else f"{late:,.0f}",
        f"{course.share:+.1%}",
    )


def _happened(verdicts: Sequence[Verdict]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{TOLD[one.name]}: {what.replace('_', ' ')}", f"{times:,}")
        for one in verdicts
        for what, times in one.did.items()
        if not what.startswith("crash of") and times
    )
