"""The wall clock of his processes is put forward or back, by a small library that is loaded before libc."""

from __future__ import annotations

import ctypes
import mmap
import os
import shutil
import struct
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.reliability.chaos.faults.effect import Effect, Ending, at_once

if TYPE_CHECKING:
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening

SOURCE: Final = Path(__file__).parents[1] / "clock.c"
VARIABLE: Final = "CHAOS_CLOCK"
"""Names the file in which the offset stands."""
NAME: Final = "clock.bin"
_OFFSET: Final = struct.Struct("=qQ")
"""Nanoseconds, and how often somebody was told a time that is not so."""


def steps(happening: Happening, evening: Evening) -> Ending:
    """By hours or by seconds; in the end it is right again, which is a step as well."""
    file = evening.program.folder / NAME
    if not file.exists():
        return at_once(0, "there is no compiler on this machine, so his clock cannot be put")
    before = told(file)
    put(file, float(happening.target))

    def end() -> Effect:
        put(file, 0.0)
        return Effect(hits=told(file) - before, why="nobody asked for the time")

    return end


def put(file: Path, seconds: float) -> None:
    """Put every clock that this file is for."""
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), _OFFSET.size) as shared:
        ctypes.c_int64.from_buffer(shared).value = round(seconds * 1e9)


def told(file: Path) -> int:
    """How often somebody was told a time that is not so."""
    return int(_OFFSET.unpack(file.read_bytes()[: _OFFSET.size])[1])


@contextmanager
def shifted(folder: Path) -> Generator[bool]:
    """Whatever is started inside of this has such a clock; false where there is no compiler."""
    library = folder / "clock.so"
    compiler = shutil.which("gcc") or shutil.which("cc")
    command = (str(compiler), "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl", "-pthread")
    if compiler is None or subprocess.run(command, capture_output=True, check=False).returncode:
        yield False
        return
    file = folder / NAME
    file.write_bytes(bytes(mmap.PAGESIZE))
    before = {name: os.environ.get(name) for name in ("LD_PRELOAD", VARIABLE)}
    os.environ.update({"LD_PRELOAD": str(library), VARIABLE: str(file)})
    try:
        yield True
    finally:
        for name, text in before.items():
            os.environ.pop(name) if text is None else os.environ.update({name: text})
