"""How he is killed: alone, with all that he has started, or with all of it but the voice."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from tests.reliability.program import Program
from tests.reliability.sigkill.promises import ORPHAN_SECONDS


class Whom(StrEnum):
    """Who is sent the signal."""

    GROUP = "all of it"
    HOUSE = "the house alone"
    NOT_THE_VOICE = "all but the voice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Killed:
    """The monotonic second before the signal, who outlived the house for too long, and for how long anybody."""

    at: float
    orphans: tuple[str, ...]
    outlived: float


def kill(program: Program, whom: Whom) -> Killed:
    """Send it, and see that nobody outlives his house."""
    family = program.processes()
    house = program.pid
    watched = _watched({pid: role for pid, role in family.items() if pid != house})
    at = time.monotonic()
    try:
        if whom is Whom.GROUP:
            os.killpg(house, signal.SIGKILL)
        elif whom is Whom.NOT_THE_VOICE:
            _end(pid for pid, role in family.items() if role != "media" and pid != house)
        os.kill(house, signal.SIGKILL)
        end = time.monotonic() + ORPHAN_SECONDS
        orphans = tuple(f"{role} {pid}" for (pid, role), one in watched.items() if not _is_gone(one, end))
        outlived = time.monotonic() - at
    finally:
        for one in watched.values():
            os.close(one)
    program.kill()
    return Killed(at=at, orphans=orphans, outlived=outlived)


def _watched(family: Mapping[int, str]) -> dict[tuple[int, str], int]:
    opened: dict[tuple[int, str], int] = {}
    for pid, role in family.items():
        with suppress(ProcessLookupError):
            opened[pid, role] = os.pidfd_open(pid)
    return opened


def _end(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _is_gone(descriptor: int, end: float) -> bool:
    return bool(select.select([descriptor], [], [], max(0.0, end - time.monotonic()))[0])
