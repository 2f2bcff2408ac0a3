"""How long a link may take, how long to wait before it is tried again, and what it lacked in the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.voice.settings import VoiceSettings
from actors.voice.state import State
from actors.voice.watch import ASTRAY, DEAF, MUTE

HURRIED: Final = frozenset({ASTRAY, DEAF, MUTE, "media_process"})
"""Reasons that say nothing of the other end: it may well answer at once."""

NOT_READY: Final = "not_ready"
"""Nobody knows why a link did not come up in time; any other reason says more."""


def patience(settings: VoiceSettings) -> float:
    """A link is up when the server has taken him in and the group that encrypts has formed."""
    return settings.ready_seconds + settings.secure_seconds


def pause(state: State, reason: str, now: float) -> tuple[State, float]:
    """How long to wait before the next try: not at all where only this house is to blame, but not always."""
    settings = state.settings
    if reason in HURRIED and not state.tries and now - state.hurried_at >= settings.reopen_most_seconds:
        return replace(state, hurried_at=now), 0.0
    seconds = min(settings.reopen_first_seconds * 2.0**state.tries, settings.reopen_most_seconds)
    return state, min(seconds, state.give_up_at - now)


def troubled(state: State, reason: str) -> State:
    """Remember what keeps a link from coming up."""
    return state if reason == NOT_READY else replace(state, trouble=reason)


def lacking(state: State) -> str:
    """Why a link is given up."""
    return "media_lost" if state.was_up else state.trouble or NOT_READY
