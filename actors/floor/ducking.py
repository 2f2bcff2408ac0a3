"""Loudness over his speech makes him quieter, and lets him rise again when it came to nothing."""

from __future__ import annotations

from dataclasses import replace

from actors.floor import barge_in, voices
from actors.floor.barge_in import Speech
from actors.floor.cutting import change_speech
from actors.floor.decisions import Record, TellPlayback
from actors.floor.settings import OnOverlap
from actors.floor.state import State
from actors.floor.voices import Voice
from messages import evidence
from messages.playback import Duck, Unduck


def talked_over(state: State, voice: Voice) -> State:
    """A voice goes on; over his own speech it may make him quieter."""
    speech = state.audible()
    reacts = state.settings.on_overlap is not OnOverlap.IGNORE
    if speech is None or not reacts or not barge_in.talks_over(speech, voice, state.settings.overlap_after):
        return state
    duck = barge_in.Duck(person=voice.person.id, segment=voice.segment, since=state.now)
    state = change_speech(state, replace(speech, duck=duck))
    return state.do(
        TellPlayback(message=Duck(utterance=speech.utterance)), _overlap(state, speech, duck, "ducked")
    )


def came_to_nothing(state: State) -> State:
    """A line did not cut him: if nobody is talking any more he rises at once."""
    speech = state.audible()
    if speech is None or speech.duck is None or voices.anyone(state.voices):
        return state
    return _rise(state, speech, speech.duck)


def rise_in_time(state: State) -> State:
    """As loud as before, some time after the voice that came to nothing."""
    quiet_since = None if voices.anyone(state.voices) else state.voice_at
    for speech in state.speeches:
        hushed = barge_in.hushed(speech, quiet_since)
        state = change_speech(state, hushed)
        moment = rises_at(state, hushed)
        if hushed.duck is not None and moment is not None and moment <= state.now:
            state = _rise(state, hushed, hushed.duck)
    return state


def rises_at(state: State, speech: Speech) -> float | None:
    """When this speech rises by itself, as far as that is known."""
    if speech.duck is None or not speech.audible():
        return None
    limit = state.settings.pause_limit if state.settings.on_overlap is OnOverlap.PAUSE else None
    return barge_in.rises_at(speech.duck, state.settings.resume_after, limit)


def _rise(state: State, speech: Speech, duck: barge_in.Duck) -> State:
    state = change_speech(state, barge_in.risen(speech, state.voices))
    return state.do(
        TellPlayback(message=Unduck(utterance=speech.utterance)), _overlap(state, speech, duck, "resumed")
    )


def _overlap(state: State, speech: Speech, duck: barge_in.Duck, phase: str) -> Record:
    return Record(
        receipt=evidence.Overlap(
            stay_id=state.stay,
            person_id=duck.person,
            segment_id=duck.segment,
            utterance_id=speech.utterance,
            phase=phase,
            reaction=state.settings.on_overlap.value,
        )
    )
