"""Who is heard talking, from the first breath to the words that follow it."""

from __future__ import annotations

from dataclasses import replace

from actors.floor import voices
from actors.floor.cutting import cut_off
from actors.floor.ducking import talked_over
from actors.floor.listening import listen
from actors.floor.state import State
from actors.floor.understanding import hear
from actors.floor.voices import Voice
from messages.floor import VoiceBegan, VoiceEnded, VoiceHeld


def voice_began(state: State, event: VoiceBegan) -> State:
    """A segment opens; somebody who is not here (any more) does not."""
    if not state.may_be_heard(event.person.id):
        return state
    voice = Voice(
        person=event.person,
        segment=event.segment,
        began=event.at,
        ear=event.ear,
        lost_at=state.now + state.settings.voice_lost_after,
    )
    return listen(replace(state, voices=voices.put(state.voices, voice)), event.ear)


def voice_held(state: State, event: VoiceHeld) -> State:
    """It goes on."""
    voice = voices.find(state.voices, event.segment)
    if voice is None or not voice.open:
        return state
    voice = replace(voice, voiced=event.voiced, lost_at=state.now + state.settings.voice_lost_after)
    return _counts_now(talked_over(replace(state, voices=voices.put(state.voices, voice)), voice), voice)


def _counts_now(state: State, voice: Voice) -> State:
    """Words that came before there was voice enough for them do not come again: this is their moment."""
    words = voice.words
    if words is None or words.voiced >= state.settings.min_voiced:
        return state
    words = replace(words, voiced=voice.voiced, ended=state.now)
    state = replace(state, voices=voices.put(state.voices, replace(voice, words=words)))
    return cut_off(state, words, hear(words.text, state.names, state.words))


def voice_ended(state: State, event: VoiceEnded) -> State:
    """It is closed, and its words are waited for."""
    voice = voices.find(state.voices, event.segment)
    if voice is None:
        return state
    lost_at = state.now + state.settings.words_lost_after
    closed = replace(voice, voiced=event.voiced, open=False, lost_at=lost_at)
    return replace(state, voices=voices.put(state.voices, closed), voice_at=max(state.voice_at, event.at))


def give_up_lost_voices(state: State) -> State:
    """An ear that died says nothing; its segment must not keep the floor."""
    left = tuple(voice for voice in state.voices if voice.lost_at > state.now)
    return state if len(left) == len(state.voices) else replace(state, voices=left)
