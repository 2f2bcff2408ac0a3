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
from typing import Final

from tests.reliability.program import Program

VOICE_SECONDS: Final = 2.0
"""So soon a media process notices that its house is gone."""
TOOLS_SECONDS: Final = 10.0
"""A server of tools may be slow to start, and reads then that its input has ended."""


VOICE: Final = "media"


class Whom(StrEnum):
    """Who is sent the signal."""

    GROUP = "all of it"
    HOUSE = "the house alone"
    NOT_THE_VOICE = "all but the voice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Killed:
    """When the signal was sent, who outlived the house for too long, and for how long its voice did."""

    at: float
    """The monotonic second before."""
    orphans: tuple[str, ...]
    voice: float | None
    """Seconds; None where there was no voice."""


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
            _end(pid for pid, role in family.items() if role != VOICE and pid != house)
        os.kill(house, signal.SIGKILL)
        # His voice first: it has the least time.
        gone = {
            one: _gone_after(watched[one], at, _patience(one[1]))
            for one in sorted(watched, key=lambda one: one[1] != VOICE)
        }
    finally:
        for one in watched.values():
            os.close(one)
    program.kill()
    voices = [seconds or VOICE_SECONDS for (_, role), seconds in gone.items() if role == VOICE]
    return Killed(
        at=at,
        orphans=tuple(f"{role} {pid}" for (pid, role), seconds in gone.items() if seconds is None),
        voice=max(voices, default=None),
    )


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


def _patience(role: str) -> float:
    return VOICE_SECONDS if role == VOICE else TOOLS_SECONDS


def _gone_after(descriptor: int, at: float, seconds: float) -> float | None:
    """How long after this second it was there; None if it still is after so many seconds."""
    if select.select([descriptor], [], [], max(0.0, at + seconds - time.monotonic()))[0]:
        return time.monotonic() - at
    return None
