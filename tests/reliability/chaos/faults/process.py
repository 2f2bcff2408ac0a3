"""Processes are killed, stand still for a while, or the whole machine sleeps."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from tests.reliability.chaos.faults.effect import Effect, Ending, at_once, shows
from tests.reliability.chaos.faults.recall import in_voice

if TYPE_CHECKING:
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening

NO_MEDIA: Final = "there was no media process"


def media_killed(_: Happening, evening: Evening) -> Ending:
    """With SIGKILL; another one takes its place."""
    media = _media(evening)
    hits = sum(_signalled(pid, signal.SIGKILL) for pid in media)

    def end() -> Effect:
        gone = shows(lambda: not media & _media(evening))
        return Effect(hits=hits if gone else 0, why="it lives on" if hits else NO_MEDIA)

    return end


def media_stopped(_: Happening, evening: Evening) -> Ending:
    """With SIGSTOP; the house may end it and begin another meanwhile."""
    media = _media(evening)
    hits = sum(_signalled(pid, signal.SIGSTOP) for pid in media)

    def end() -> Effect:
        for pid in media & _media(evening):
            _signalled(pid, signal.SIGCONT)
        return Effect(hits=hits, why=NO_MEDIA)

    return end


def suspended(_: Happening, evening: Evening) -> Ending:
    """All of his processes at once; everybody else goes on, and gives him up."""
    family = set(evening.program.processes())
    if not family:
        return at_once(0, "the program does not run")
    hits = sum(_signalled(pid, signal.SIGSTOP) for pid in family)

    def end() -> Effect:
        evening.discord.gateway.drop(None)
        if in_voice(evening):
            evening.discord.voice.drop(evening.bot, 4006)
        for pid in family:
            _signalled(pid, signal.SIGCONT)
        return Effect(hits=hits, why="nobody could be stopped")

    return end


def _media(evening: Evening) -> set[int]:
    return {pid for pid, role in evening.program.processes().items() if role == "media"}


def _signalled(pid: int, number: signal.Signals) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False
