"""How his speech is getting on: on its way, heard, over."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.floor import echo, voices
from actors.floor.barge_in import Speech
from actors.floor.cutting import cancel, change_speech, cut_speech, find_speech, silence
from actors.floor.decisions import Record
from actors.floor.ending import settle_turn, turn_over
from actors.floor.lines import engage
from actors.floor.listening import listen_to_all, relax
from actors.floor.state import State
from actors.floor.text import tokens
from messages import evidence
from messages.floor import (
    Outcome,
    SpeechCut,
    SpeechDrained,
    SpeechFailed,
    SpeechQueued,
    SpeechStarted,
    SpeechTold,
)


def take(
    state: State,
    event: SpeechQueued | SpeechStarted | SpeechTold | SpeechDrained | SpeechCut | SpeechFailed,
) -> State:
    """One piece of news from playback."""
    match event:
        case SpeechQueued():
            return speech_queued(state, event)
        case SpeechTold():
            return speech_told(state, event)
        case SpeechStarted():
            return speech_started(state, event)
        case SpeechDrained() | SpeechCut() | SpeechFailed():
            return speech_over(state, event)
        case _ as never:
            assert_never(never)


def speech_queued(state: State, event: SpeechQueued | SpeechStarted) -> State:
    """An utterance is on its way; one of a cancelled turn, or of an earlier life, goes no further."""
    if find_speech(state, event.utterance) is not None:
        return state
    if event.turn in state.cancelled or not event.turn.startswith(f"{state.life}-"):
        return silence(state, event.utterance)
    give_up_at = state.now + state.settings.start_limit
    speech = Speech(utterance=event.utterance, turn=event.turn, give_up_at=give_up_at)
    state = replace(state, speeches=(*state.speeches, speech))
    turn = state.flight
    if turn is None or turn.id != event.turn:
        return state
    return replace(state, flight=replace(turn, utterance=event.utterance, spoken=None, give_up_at=None))


def speech_told(state: State, event: SpeechTold) -> State:
    """More text is on its way to be heard."""
    speech = find_speech(state, event.utterance)
    if speech is None:
        return state
    if speech.started is None and not speech.cut:
        state = change_speech(state, replace(speech, give_up_at=state.now + state.settings.start_limit))
    window = state.settings.echo_window
    return replace(state, echo=echo.told(state.echo, event.utterance, tokens(event.text), state.now, window))


def speech_started(state: State, event: SpeechStarted) -> State:
    """From now on he can be interrupted, by what begins from now on."""
    state = speech_queued(state, event)
    speech = find_speech(state, event.utterance)
    if speech is None or speech.started is not None:
        return state
    give_up_at = speech.give_up_at if speech.cut else state.now + state.settings.speech_limit
    state = change_speech(state, replace(speech, started=event.at, give_up_at=give_up_at))
    works = tuple(replace(work, spoken=True) for work in state.works)
    state = listen_to_all(replace(state, works=works, voices=voices.at_start(state.voices)))
    turn = state.flight
    if turn is None or turn.utterance != event.utterance:
        return state
    humans, engaged = state.humans(), state.engagement.holder is not None
    if not turn.lines and not engaged and len(humans) == 1:
        state = engage(state, humans[0], "only_one_human")
    return replace(state, flight=replace(turn, started=event.at))


def speech_over(state: State, event: SpeechDrained | SpeechCut | SpeechFailed) -> State:
    """An utterance has ended, one way or another."""
    speech = find_speech(state, event.utterance)
    if speech is None:
        return state
    spoken = _ended_as(event)
    if not isinstance(event, SpeechFailed):
        state = _was_said(state, speech, event, whole=spoken is Outcome.SPOKE)
    if event.started:
        heard = replace(state.volition, spoke=state.now)
        relevant = state.engagement.refreshed(state.now)
        works = tuple(replace(work, spoken=True) for work in state.works)
        state = replace(state, quiet_at=state.now, volition=heard, engagement=relevant, works=works)
    return _without(state, speech, spoken)


def _ended_as(event: SpeechDrained | SpeechCut | SpeechFailed) -> Outcome:
    match event:
        case SpeechDrained():
            return Outcome.SPOKE if event.started else Outcome.SILENT
        case SpeechCut():
            return Outcome.CUT
        case SpeechFailed():
            return Outcome.FAILED
        case _ as never:
            assert_never(never)


def _without(state: State, speech: Speech, spoken: Outcome) -> State:
    """Forget an utterance that is over, and tell its turn how it ended."""
    state = replace(state, speeches=tuple(s for s in state.speeches if s.utterance != speech.utterance))
    state = relax(state)
    turn = state.flight
    if turn is None or turn.id != speech.turn:
        return state
    give_up_at = state.now + state.settings.answer_limit
    turn = replace(turn, utterance=speech.utterance, spoken=spoken, give_up_at=give_up_at)
    return settle_turn(replace(state, flight=turn))


def _was_said(state: State, speech: Speech, event: SpeechDrained | SpeechCut, *, whole: bool) -> State:
    said, window = tokens(event.text), state.settings.echo_window
    state = replace(state, echo=echo.heard(state.echo, event.utterance, said, state.now, window))
    turn = state.flight
    if not event.started or turn is None or turn.id != speech.turn or turn.started is None:
        return state
    asked_after = turn.speech_ended_at()
    receipt = evidence.Response(
        stay_id=state.stay,
        turn_id=turn.id,
        utterance_id=event.utterance,
        trigger=turn.trigger.value,
        whole=whole,
        decision_to_first_audio_ms=round((turn.started - turn.asked) * 1000),
        speech_end_to_first_audio_ms=None
        if asked_after is None
        else round((turn.started - asked_after) * 1000),
    )
    return state.do(Record(receipt=receipt))


def _stuck(state: State, speech: Speech) -> State:
    if speech.cut:
        return _without(state, speech, Outcome.CUT)
    state = _without(cut_speech(state, speech), speech, Outcome.FAILED)
    turn = state.flight
    return state if turn is None or turn.id != speech.turn else turn_over(state, turn, Outcome.FAILED)


def give_up(state: State) -> State:
    """Nothing may keep him stuck: what gave no sign of life for too long is dropped."""
    for speech in state.speeches:
        if speech.give_up_at <= state.now:
            state = _stuck(state, speech)
    turn = state.flight
    if turn is None or turn.give_up_at is None or turn.give_up_at > state.now:
        return state
    return turn_over(cancel(state, turn.id), turn, Outcome.FAILED)
