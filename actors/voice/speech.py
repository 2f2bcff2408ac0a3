"""What becomes of his speech on a link: it goes out on the connection that is up, or it has failed, once."""

from __future__ import annotations

from dataclasses import replace

from actors.voice.decisions import Sound, Step, TellPlayback
from actors.voice.state import Phase, State
from messages.voice import (
    PlaySound,
    SoundCut,
    SoundDrained,
    SoundEvent,
    SoundFailed,
    SoundOrder,
)


def lost(state: State, reason: str) -> Step:
    """Whatever the port held of his speech will not be heard."""
    if state.speaking is None:
        return state, ()
    failed = SoundFailed(connection=state.connection, utterance=state.speaking, frames=0, reason=reason)
    return replace(state, speaking=None, refused=state.speaking), (TellPlayback(message=failed),)


def ordered(state: State, order: SoundOrder) -> Step:
    """An order about his sound: it goes to the connection that is up, or has failed."""
    if order.utterance == state.refused:
        return state, ()
    if state.phase is Phase.UP:
        speaking = order.utterance if isinstance(order, PlaySound) else state.speaking
        return replace(state, speaking=speaking), (Sound(connection=state.connection, order=order),)
    return lost(replace(state, speaking=order.utterance), "link_down")


def reported(state: State, event: SoundEvent) -> Step:
    """News of his sound, for playback."""
    over = isinstance(event, SoundDrained | SoundCut | SoundFailed) and event.utterance == state.speaking
    return replace(state, speaking=None if over else state.speaking), (TellPlayback(message=event),)
