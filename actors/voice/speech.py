"""What becomes of his speech: it goes out on the link, waits for the link to be back, or has failed, once."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.voice.decisions import Decision, Sound, Step, TellPlayback
from actors.voice.state import Phase, State
from messages.audio import FRAME_BYTES
from messages.voice import (
    CutSound,
    PlaySound,
    SoundCut,
    SoundDrained,
    SoundEvent,
    SoundFailed,
    SoundOrder,
)

MOST_HELD: Final = 64
"""Playback gives half a second of sound before it is due: what is more than this has no use."""


def lost(state: State, reason: str) -> Step:
    """Whatever the port held of his speech, or waits here, will not be heard."""
    if state.speaking is None:
        return state, ()
    failed = SoundFailed(connection=state.connection, utterance=state.speaking, frames=0, reason=reason)
    state = replace(state, speaking=None, refused=state.speaking, held=())
    return state, (TellPlayback(message=failed),)


def ordered(state: State, order: SoundOrder, now: float) -> Step:
    """An order about his sound: it goes to the connection that is up, waits for the next, or has failed."""
    if order.utterance == state.refused:
        return state, ()
    if state.phase is Phase.UP:
        if isinstance(order, PlaySound) and order.utterance != state.speaking:
            state = replace(state, speaking=order.utterance)
        return state, (Sound(connection=state.connection, order=order),)
    coming = state.phase in {Phase.IDLE, Phase.CONNECTING, Phase.WAITING}
    if coming and isinstance(order, CutSound):
        return _cut(state, order, now)
    if coming and len(state.held) < MOST_HELD:
        return replace(state, speaking=order.utterance, held=(*state.held, order)), ()
    return lost(replace(state, speaking=order.utterance), "link_down")


def resumed(state: State) -> Step:
    """The link is up: what waited for it goes out. How late that may be is for playback to say."""
    sounds: tuple[Decision, ...] = tuple(
        Sound(connection=state.connection, order=order) for order in state.held
    )
    return replace(state, held=()), sounds


def reported(state: State, event: SoundEvent) -> Step:
    """News of his sound, for playback."""
    over = isinstance(event, SoundDrained | SoundCut | SoundFailed) and event.utterance == state.speaking
    return replace(state, speaking=None) if over else state, (TellPlayback(message=event),)


def _cut(state: State, order: CutSound, now: float) -> Step:
    dropped = sum(len(held.pcm) // FRAME_BYTES for held in state.held if isinstance(held, PlaySound))
    told = SoundCut(connection=state.connection, utterance=order.utterance, frames=0, dropped=dropped, at=now)
    return replace(state, speaking=None, held=()), (TellPlayback(message=told),)
