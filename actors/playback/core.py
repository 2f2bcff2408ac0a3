"""One utterance at a time: let sound gather, feed it as it is sent, and time what was really sent."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.playback import endings
from actors.playback.decisions import Decision, Record, Step, TellFloor, TellVoice
from actors.playback.feeding import asked_for_more, fed, turn_of_next, watched, with_speech
from actors.playback.heard import Aligned
from actors.playback.sound import NOTHING, seconds
from actors.playback.state import Speech, State
from messages.floor import SpeechQueued, SpeechStarted, SpeechTold
from messages.ids import Token
from messages.playback import (
    AlignText,
    AskForMore,
    BreakSpeech,
    CutSpeech,
    Duck,
    EndSpeech,
    LinkRestarted,
    PlaybackMessage,
    PlaybackTick,
    QueueSound,
    QueueSpeech,
    Unduck,
)
from messages.voice import (
    CutSound,
    HoldSound,
    SetGain,
    SoundCut,
    SoundDrained,
    SoundEvent,
    SoundFailed,
    SoundSent,
    SoundStarted,
    SoundUnderrun,
)


def step(state: State, event: PlaybackMessage, now: float) -> Step:
    """One event, at monotonic second `now`."""
    match event:
        case QueueSpeech():
            return _queue(state, event, now)
        case PlaybackTick():
            return _time(state, event.token, now)
        case LinkRestarted():
            return _voice_restarted(state, now)
        case CutSpeech():
            return _cut(state, event, now)
        case QueueSound() | AlignText() | AskForMore() | EndSpeech() | BreakSpeech():
            speech = state.named(event.utterance)
            return _old_letter(state) if speech is None else _made(state, speech, event, now)
        case Duck() | Unduck():
            speech = state.named(event.utterance)
            return _old_letter(state) if speech is None else _overlap(state, speech, event, now)
        case SoundStarted() | SoundSent() | SoundUnderrun() | SoundDrained() | SoundCut() | SoundFailed():
            speech = state.named(event.utterance)
            return _old_letter(state) if speech is None else _sounded(state, speech, event, now)
        case _:
            assert_never(event)


def stopped(state: State, reason: str | None, now: float) -> tuple[Decision, ...]:
    """What is still owed when this life ends in mid-sentence; without a `reason` it is an orderly end."""
    decisions: tuple[Decision, ...] = ()
    for speech in state.speeches:
        silence = (TellVoice(message=CutSound(utterance=speech.utterance)),) if speech.begun else ()
        if reason is None:
            state, last = endings.cut(state, speech, None, now)
        else:
            state, last = endings.failed(state, speech, speech.broken or reason, now)
        decisions = (*decisions, *silence, *last)
    return decisions


def _old_letter(state: State) -> Step:
    return replace(state, old_letters=state.old_letters + 1), ()


# --- from the synthesizer -------------------------------------------------------------------------


def _queue(state: State, event: QueueSpeech, now: float) -> Step:
    speech = Speech(utterance=event.utterance, turn=event.turn, queued_at=now)
    if event.utterance in state.gone:
        return endings.cut(state, speech, None, now)
    queued = TellFloor(message=SpeechQueued(utterance=event.utterance, turn=event.turn))
    if len(state.speeches) >= state.settings.most_utterances:
        state, failed = endings.failed(state, speech, "queue_full", now)
        return state, (queued, *failed)
    state = replace(state, speeches=(*state.speeches, speech))
    return turn_of_next(state, (queued,), now)


def _made(
    state: State,
    speech: Speech,
    event: QueueSound | AlignText | AskForMore | EndSpeech | BreakSpeech,
    now: float,
) -> Step:
    if speech.cut_at is not None:
        return _old_letter(state)
    match event:
        case QueueSound():
            size = speech.size + len(event.pcm)
            return fed(state, replace(speech, waiting=speech.waiting.put(event.pcm), size=size), now)
        case AlignText():
            told = TellFloor(message=SpeechTold(utterance=speech.utterance, text=event.text))
            aligned = (*speech.aligned, Aligned(end=speech.size, text=event.text))
            return with_speech(state, replace(speech, aligned=aligned)), (told,)
        case AskForMore():
            speech, more = asked_for_more(state, replace(speech, hungry=True))
            return with_speech(state, speech), more
        case EndSpeech():
            return fed(state, replace(speech, ended=True, hungry=False), now)
        case BreakSpeech():
            broken = replace(speech, broken=event.reason, unheard=event.unheard, ended=True, hungry=False)
            if not speech.size:
                return turn_of_next(*endings.failed(state, broken, event.reason, now), now)
            return fed(state, broken, now)
        case _:
            assert_never(event)


# --- from the floor -------------------------------------------------------------------------------


def _cut(state: State, event: CutSpeech, now: float) -> Step:
    """Silence it. One that has not come yet is remembered, and will be cut when it comes."""
    speech = state.named(event.utterance)
    if speech is None:
        return endings.forgotten(state, event.utterance), ()
    if speech.cut_at is not None:
        return _old_letter(state)
    speech = replace(speech, cut_at=now, cut_because=event.reason, waiting=NOTHING)
    if not speech.begun:
        return turn_of_next(*endings.cut(state, speech, now, now), now)
    state, watch = watched(state, speech, state.settings.cut_seconds)
    return state, (TellVoice(message=CutSound(utterance=event.utterance)), watch)


def _overlap(state: State, speech: Speech, event: Duck | Unduck, now: float) -> Step:
    """Get out of the way of somebody who talks, or come back."""
    settings, ducked = state.settings, isinstance(event, Duck)
    if not speech.begun or speech.cut_at is not None or settings.on_overlap == "ignore":
        return state, ()
    if settings.on_overlap == "duck":
        decibels = settings.duck_decibels if ducked else 0.0
        ramp = settings.duck_seconds if ducked else settings.unduck_seconds
        gain = SetGain(utterance=speech.utterance, decibels=decibels, seconds=ramp)
        return state, (TellVoice(message=gain),)
    if ducked == (speech.held_since is not None):
        return state, ()
    hold = TellVoice(message=HoldSound(utterance=speech.utterance, held=ducked))
    return with_speech(state, replace(speech, held_since=now) if ducked else _released(speech, now)), (hold,)


def _released(speech: Speech, now: float) -> Speech:
    """Time in which it was held counts against nobody."""
    held = 0.0 if speech.held_since is None else now - speech.held_since
    return replace(speech, held_since=None, since=(speech.since or 0.0) + held)


# --- from the voice link --------------------------------------------------------------------------


def _voice_restarted(state: State, now: float) -> Step:
    first = state.speeches[0] if state.speeches else None
    if first is None or not first.begun:
        return state, ()
    return turn_of_next(*endings.failed(state, first, "voice_restarted", now), now)


def _sounded(state: State, speech: Speech, event: SoundEvent, now: float) -> Step:
    match event:
        case SoundStarted():
            return _started(state, speech, event)
        case SoundSent():
            return fed(state, _sent(speech, event.frames), now)
        case SoundUnderrun():
            state = replace(state, underruns=state.underruns + 1)
            return fed(state, _sent(speech, event.frames), now)
        case SoundDrained():
            return turn_of_next(*endings.drained(state, _sent(speech, event.frames), now), now)
        case SoundCut():
            speech = _sent(speech, event.frames)
            if speech.cut_at is None:
                return turn_of_next(*endings.failed(state, speech, "superseded", now), now)
            return turn_of_next(*endings.cut(state, speech, event.at, now), now)
        case SoundFailed():
            speech = _sent(speech, event.frames)
            return turn_of_next(*endings.failed(state, speech, event.reason, now), now)
        case _:
            assert_never(event)


def _started(state: State, speech: Speech, event: SoundStarted) -> Step:
    if speech.started:
        return _old_letter(state)
    speech = replace(speech, started=True)
    told = SpeechStarted(utterance=speech.utterance, turn=speech.turn, at=event.at)
    entry = Record(receipt=endings.receipt(state, speech, "started", event.at))
    return with_speech(state, speech), (TellFloor(message=told), entry)


def _sent(speech: Speech, frames: int) -> Speech:
    return speech if frames <= speech.sent else replace(speech, sent=frames)


# --- time -----------------------------------------------------------------------------------------


def _time(state: State, token: Token, now: float) -> Step:
    first = state.speeches[0] if state.speeches else None
    if first is None or token not in {state.growth, state.watch}:
        return _old_letter(state)
    if token == state.growth:
        return fed(state, first, now, grown=False)
    if first.cut_at is not None:
        return turn_of_next(*endings.cut(state, first, None, now), now)
    return _overdue(state, first, now)


def _overdue(state: State, first: Speech, now: float) -> Step:
    """Its time is up, unless it was held or more sound has come since the timer was set."""
    since = _released(first, now).since or 0.0
    left = since + seconds(first.size) + state.settings.deadline_seconds - now
    if left > 0.001:
        state, watch = watched(state, first, left)
        return state, (watch,)
    silence: tuple[Decision, ...] = ()
    if first.begun:
        silence = (TellVoice(message=CutSound(utterance=first.utterance)),)
    state, failed = endings.failed(state, first, "overdue", now)
    return turn_of_next(state, (*silence, *failed), now)
