"""A failing socket is a failing utterance only while one is being spoken; otherwise it is just noise."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.tts import spending
from actors.tts.decisions import Decision, Forget, Prepare, Record, Speak, Step, TellPlayback, Wake
from actors.tts.state import Speech, State
from actors.tts.units import beyond, speakable
from messages.evidence import Failed
from messages.ids import Connection, Token, UtteranceId
from messages.playback import AlignText, AskForMore, BreakSpeech, EndSpeech, QueueSound, QueueSpeech
from messages.tts import (
    DropSpeech,
    MoreWanted,
    SayEnd,
    SayText,
    SoundMade,
    SynthesisFailed,
    SynthesizerLost,
    TtsMessage,
    TtsTick,
    UnitSpoken,
    VoiceSpent,
)

REMEMBERED = 64
"""How many utterances that are over are remembered by name; letters about older ones have long come."""


def step(state: State, event: TtsMessage) -> Step:
    """One event. The core asks for timers and needs no clock."""
    match event:
        case SayText():
            return _say(state, event)
        case SayEnd() | MoreWanted():
            speech = state.named(event.utterance)
            if speech is None:
                return _old_letter(state)
            more = replace(speech, wanted=True) if isinstance(event, MoreWanted) else _ended(state, speech)
            return _advance(state, more)
        case DropSpeech():
            return _dropped(state, event.utterance)
        case SoundMade() | UnitSpoken() | SynthesisFailed():
            return _reported(state, event)
        case SynthesizerLost():
            return _lost(state, event)
        case VoiceSpent():
            return spending.noted(state, event)
        case TtsTick():
            return _overdue(state, event.token)
        case _:
            assert_never(event)


def _old_letter(state: State) -> Step:
    return replace(state, old_letters=state.old_letters + 1), ()


# --- text -----------------------------------------------------------------------------------------


def _say(state: State, event: SayText) -> Step:
    if event.utterance in state.gone:
        return _old_letter(state)
    speech = state.named(event.utterance)
    queued: tuple[Decision, ...] = ()
    if speech is None:
        speech = Speech(utterance=event.utterance, turn=event.turn)
        state = replace(state, speeches=(*state.speeches, speech))
        queued = (TellPlayback(message=QueueSpeech(utterance=event.utterance, turn=event.turn)),)
    units, rest = speakable(speech.text + event.text, False, state.settings.unit_characters)
    if queued and not units:
        queued = (*queued, Prepare(connection=state.connection))
    state, decisions = _advance(state, replace(speech, units=(*speech.units, *units), text=rest))
    return state, (*queued, *decisions)


def _ended(state: State, speech: Speech) -> Speech:
    units, rest = speakable(speech.text, True, state.settings.unit_characters)
    return replace(speech, units=(*speech.units, *units), text=rest, text_ended=True)


def _dropped(state: State, utterance: UtteranceId) -> Step:
    speech = state.named(utterance)
    state = _over(state, utterance)
    return state, () if speech is None else spending.over(state, speech)


def _advance(state: State, speech: Speech) -> Step:
    """Whatever this utterance can do next."""
    if speech.broken is not None:
        return _break(state, speech) if speech.text_ended else (_with(state, speech), ())
    if speech.speaking is not None:
        return _with(state, speech), ()
    if speech.units and speech.wanted:
        unit, *rest = speech.units
        return _speak(state, replace(speech, speaking=unit, units=tuple(rest), wanted=False))
    if speech.text_ended and not speech.units:
        state = _over(state, speech.utterance)
        ended = TellPlayback(message=EndSpeech(utterance=speech.utterance))
        return state, (ended, *spending.over(state, speech))
    return _with(state, speech), ()


def _speak(state: State, speech: Speech) -> Step:
    state, token = _new_token(state)
    speech = replace(
        speech, connection=state.connection, token=token, left=speech.speaking or "", silent=True
    )
    speak = Speak(
        connection=speech.connection,
        utterance=speech.utterance,
        unit=speech.unit,
        text=speech.left,
        last=speech.text_ended and not speech.units,
    )
    return _with(state, speech), (speak, _patience(state))


# --- from the port --------------------------------------------------------------------------------


def _reported(state: State, event: SoundMade | UnitSpoken | SynthesisFailed) -> Step:
    speech = state.named(event.utterance)
    if speech is None or speech.speaking is None or event.connection != speech.connection:
        return _old_letter(state)
    match event:
        case SynthesisFailed():
            return _failed(state, speech, event.reason)
        case SoundMade():
            sound = TellPlayback(message=QueueSound(utterance=event.utterance, pcm=event.pcm))
            state, token = _new_token(state)
            left = beyond(speech.left, event.text)
            speech = replace(speech, sounded=True, silent=False, left=left, token=token)
            state = _with(state, speech)
            return state, (sound, *_aligned(speech, event.text), _patience(state))
        case UnitSpoken() if speech.silent:
            return _failed(state, speech, "no_sound")
        case UnitSpoken():
            spoken = replace(speech, speaking=None, left="", unit=speech.unit + 1)
            state, decisions = _advance(state, spoken)
            waits = not decisions
            more = (TellPlayback(message=AskForMore(utterance=event.utterance)),) if waits else ()
            return state, (*_aligned(speech, speech.left), *decisions, *more)
        case _:
            assert_never(event)


def _aligned(speech: Speech, text: str) -> tuple[Decision, ...]:
    """The sound that was queued last ends with this text, if it is any."""
    align = AlignText(utterance=speech.utterance, text=text)
    return (TellPlayback(message=align),) if text else ()


def _lost(state: State, event: SynthesizerLost) -> Step:
    """Only who was being spoken on that connection notices; the next unit opens another."""
    decisions: list[Decision] = []
    state = _renewed(state, event.connection)
    for speech in state.speeches:
        if speech.speaking is not None and speech.connection == event.connection:
            state, news = _failed(state, speech, event.reason)
            decisions += news
    return state, tuple(decisions)


def _overdue(state: State, token: Token) -> Step:
    speech = next((speech for speech in state.speeches if speech.token == token), None)
    if speech is None:
        return _old_letter(state)
    if speech.broken is not None:
        return _break(state, speech)
    if speech.speaking is None:
        return _old_letter(state)
    state, decisions = _failed(state, speech, "timeout")
    return state, (Forget(connection=speech.connection, utterance=speech.utterance), *decisions)


def _failed(state: State, speech: Speech, reason: str) -> Step:
    state = _renewed(state, speech.connection)
    if not speech.sounded and not speech.retried:
        return _speak(state, replace(speech, retried=True))
    unheard = (speech.left, *speech.units)
    speech = replace(speech, broken=reason, speaking=None, left="", units=unheard)
    if speech.text_ended:
        return _break(state, speech)
    state, token = _new_token(state)
    waiting = Wake(seconds=state.settings.text_seconds, message=TtsTick(token=token))
    return _with(state, replace(speech, token=token)), (waiting,)


def _break(state: State, speech: Speech) -> Step:
    reason = speech.broken or ""
    unheard = " ".join((*speech.units, speech.text.strip())).strip()
    broken = BreakSpeech(utterance=speech.utterance, turn=speech.turn, reason=reason, unheard=unheard)
    failed = Failed(
        stay_id=state.stay,
        stage="speech_synthesis",
        reason=reason,
        utterance_id=speech.utterance,
        turn_id=speech.turn,
    )
    return _over(state, speech.utterance), (
        TellPlayback(message=broken),
        Record(receipt=failed),
        *spending.over(state, speech),
    )


def stopped(state: State, reason: str) -> tuple[Decision, ...]:
    """What is still owed when this life ends in mid-sentence: no utterance is forgotten without a word."""
    decisions: list[Decision] = []
    for speech in state.speeches:
        unheard = (speech.left, *speech.units)
        decisions += _break(state, replace(speech, broken=speech.broken or reason, units=unheard))[1]
    return tuple(decisions)


# --- bookkeeping ----------------------------------------------------------------------------------


def _renewed(state: State, connection: Connection) -> State:
    """From now on everything goes over a fresh connection, if this one is the newest."""
    if connection != state.connection:
        return state
    return replace(state, connection=Connection(connection + 1))


def _new_token(state: State) -> tuple[State, Token]:
    token = Token(state.token + 1)
    return replace(state, token=token), token


def _patience(state: State) -> Wake:
    """The wait for the next sound, under the newest token."""
    return Wake(seconds=state.settings.unit_seconds, message=TtsTick(token=state.token))


def _with(state: State, changed: Speech) -> State:
    speeches = tuple(changed if one.utterance == changed.utterance else one for one in state.speeches)
    return replace(state, speeches=speeches)


def _over(state: State, utterance: UtteranceId) -> State:
    others = tuple(speech for speech in state.speeches if speech.utterance != utterance)
    return replace(state, speeches=others, gone=(*state.gone, utterance)[-REMEMBERED:])
