"""Bytes of this process: what was asked for and not given back, and what is resident for it."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

FIELDS: Final = (
    "arena",
    "ordblks",
    "smblks",
    "hblks",
    "hblkhd",
    "usmblks",
    "fsmblks",
    "uordblks",
    "fordblks",
    "keepcost",
)
"""As glibc's malloc.h has them."""
_SMALL: Final = re.compile(r"^# bytes in allocated blocks += +([0-9,]+)$", re.MULTILINE)
_STDERR: Final = 2


class _Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in FIELDS]


def resident() -> int:
    """Bytes that no file stands behind: what others start and end does not change them."""
    for line in Path("/proc/self/smaps_rollup").read_text("ascii").splitlines():
        if line.startswith("Anonymous:"):
            return int(line.split()[1]) * 1024
    raise OSError("this kernel does not say how much memory a process has")


def in_use() -> int:
    """Bytes that somebody holds; pages and arenas that are kept for whoever asks next are none."""
    return large() + small()


def large() -> int:
    """What glibc was asked for: by libraries, and by Python for whatever exceeds 512 bytes."""
    ask: Callable[[], _Mallinfo] = ctypes.CDLL(None).mallinfo2
    ask.restype = _Mallinfo  # type: ignore[attr-defined]
    found = ask()
    return int(found.uordblks) + int(found.hblkhd)


def small() -> int:
    """What Python's own allocator was asked for, which only says so on stderr."""
    with tempfile.TemporaryFile() as said:
        stderr = os.dup(_STDERR)
        try:
            os.dup2(said.fileno(), _STDERR)
            sys._debugmallocstats()
        finally:
            os.dup2(stderr, _STDERR)
            os.close(stderr)
        said.seek(0)
        found = _SMALL.search(said.read().decode("ascii"))
    if found is None:
        raise OSError("this Python does not say how much it holds; leave PYTHONMALLOC alone")
    return int(found[1].replace(",", ""))
