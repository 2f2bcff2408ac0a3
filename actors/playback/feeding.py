"""He begins when enough has gathered, and from then on is given just enough to never fall silent."""

from __future__ import annotations

from dataclasses import replace

from actors.playback import endings
from actors.playback.decisions import Decision, Record, Step, TellTts, TellVoice, Wake
from actors.playback.sound import seconds
from actors.playback.state import Speech, State
from messages.audio import FRAME_SECONDS
from messages.ids import Token
from messages.playback import PlaybackTick
from messages.tts import MoreWanted
from messages.voice import EndSound, PlaySound

FRAMES_AT_ONCE = 10


def turn_of_next(state: State, decisions: tuple[Decision, ...], now: float) -> Step:
    """After these decisions: if an utterance has come first that was not before, its turn begins."""
    if not state.speeches or state.speeches[0].since is not None:
        return state, decisions
    speech = replace(state.speeches[0], since=now)
    state, watch = watched(state, speech, state.settings.deadline_seconds + seconds(speech.size))
    state, feeding = fed(state, speech, now)
    return state, (*decisions, watch, *feeding)


def fed(state: State, speech: Speech, now: float, grown: bool = True) -> Step:
    """Give the voice link what it has room for; `grown` is false when the sound has not grown for a while."""
    if speech.since is None or speech.cut_at is not None:
        return with_speech(state, speech), ()
    if speech.ended and not speech.size:
        return turn_of_next(*endings.drained(state, speech, now), now)
    begun: tuple[Decision, ...] = ()
    if not speech.begun:
        enough = speech.ended or speech.waiting.seconds >= state.settings.prebuffer_seconds
        if not enough and grown:
            return _gathering(state, speech)
        speech = replace(speech, begun=True)
        begun = (Record(receipt=endings.receipt(state, speech, "buffered", now)),)
    speech, sound = _sound(state, speech)
    speech, more = asked_for_more(state, speech)
    return with_speech(state, speech), (*begun, *sound, *more)


def asked_for_more(state: State, speech: Speech) -> tuple[Speech, tuple[Decision, ...]]:
    """Ask the synthesizer for another unit, if it waits for that and there is room."""
    if not speech.hungry or speech.waiting.seconds >= state.settings.high_water_seconds:
        return speech, ()
    more = TellTts(message=MoreWanted(utterance=speech.utterance))
    return replace(speech, hungry=False), (more,)


def watched(state: State, changed: Speech, seconds_left: float) -> tuple[State, Wake]:
    """Look after this utterance, the first, again in so many seconds, and not before."""
    token = Token(state.token + 1)
    state = replace(state, speeches=_with(state, changed), token=token, watch=token)
    return state, Wake(seconds=seconds_left, message=PlaybackTick(token=token))


def with_speech(state: State, changed: Speech) -> State:
    """The same state with this utterance as it is now."""
    return replace(state, speeches=_with(state, changed))


def _with(state: State, changed: Speech) -> tuple[Speech, ...]:
    return tuple(changed if one.utterance == changed.utterance else one for one in state.speeches)


def _gathering(state: State, speech: Speech) -> Step:
    if not speech.waiting.size:
        return with_speech(state, speech), ()
    token = Token(state.token + 1)
    patience = Wake(seconds=state.settings.growth_seconds, message=PlaybackTick(token=token))
    return replace(state, speeches=_with(state, speech), token=token, growth=token), (patience,)


def _sound(state: State, speech: Speech) -> tuple[Speech, tuple[Decision, ...]]:
    decisions: list[Decision] = []
    ahead = round(state.settings.ahead_seconds / FRAME_SECONDS)
    waiting, given = speech.waiting, speech.given
    while room := min(FRAMES_AT_ONCE, ahead - (given - speech.sent)):
        pcm, waiting = waiting.take(room, speech.ended)
        if not pcm:
            break
        given += round(seconds(len(pcm)) / FRAME_SECONDS)
        decisions.append(TellVoice(message=PlaySound(utterance=speech.utterance, pcm=pcm)))
    end_told = speech.end_told
    if speech.ended and not waiting.size and not end_told:
        end_told = True
        decisions.append(TellVoice(message=EndSound(utterance=speech.utterance)))
    if decisions:
        speech = replace(speech, waiting=waiting, given=given, end_told=end_told)
    return speech, tuple(decisions)
