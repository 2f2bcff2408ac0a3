"""Voices become overlap, and words become lines, in the order in which people began to speak."""

from __future__ import annotations

from dataclasses import replace

from actors.floor import barge_in, voices
from actors.floor.addressing import HeardAs
from actors.floor.barge_in import CutRule, Speech
from actors.floor.cutting import change_speech, cut
from actors.floor.decisions import Record, TellCapture, TellPlayback
from actors.floor.echo import is_echo
from actors.floor.lines import line_said
from actors.floor.phrases import Heard, hear
from actors.floor.settings import OnOverlap
from actors.floor.state import State
from actors.floor.voices import Voice, WaitingLine
from messages import evidence
from messages.capture import CaptureMessage, ListenClosely
from messages.floor import VoiceBegan, VoiceEnded, VoiceHeld, WordsFailed, WordsHeard
from messages.mailbox import Mailbox
from messages.playback import Duck, Unduck


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
    state = replace(state, voices=voices.put(state.voices, voice))
    return state if state.audible() is None else listen(state, event.ear)


def listen(state: State, *ears: Mailbox[CaptureMessage]) -> State:
    """He can be heard: the segments that these ears have open are listened to closely."""
    close = tuple(dict.fromkeys((*state.close_ears, *ears)))
    return replace(state, close_ears=close).do(
        *(TellCapture(mailbox=ear, message=ListenClosely(on=True)) for ear in dict.fromkeys(ears))
    )


def voice_held(state: State, event: VoiceHeld) -> State:
    """It goes on; over his own speech it may make him quieter."""
    voice = voices.find(state.voices, event.segment)
    if voice is None or not voice.open:
        return state
    voice = replace(voice, voiced=event.voiced, lost_at=state.now + state.settings.voice_lost_after)
    state = replace(state, voices=voices.put(state.voices, voice))
    speech = state.audible()
    reacts = state.settings.on_overlap is not OnOverlap.IGNORE
    if speech is None or not reacts or not barge_in.talks_over(speech, voice, state.settings.overlap_after):
        return state
    duck = barge_in.Duck(person=voice.person.id, segment=voice.segment, since=state.now)
    state = change_speech(state, replace(speech, duck=duck))
    return state.do(
        TellPlayback(message=Duck(utterance=speech.utterance)), _overlap(state, speech, duck, "ducked")
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


def voice_ended(state: State, event: VoiceEnded) -> State:
    """It is closed, and its words are waited for."""
    voice = voices.find(state.voices, event.segment)
    if voice is None:
        return state
    lost_at = state.now + state.settings.words_lost_after
    closed = replace(voice, voiced=event.voiced, open=False, lost_at=lost_at)
    return replace(state, voices=voices.put(state.voices, closed), voice_at=max(state.voice_at, event.at))


def words_failed(state: State, event: WordsFailed) -> State:
    """Nobody waits for this segment any more; if it cut him off, he answers the words that did."""
    state = replace(state, voices=voices.without(state.voices, event.segment))
    cutter = barge_in.find_cutter(state.cutters, event.segment)
    return state if cutter is None else line_done(state, replace(cutter.words, final=True))


def words_heard(state: State, event: WordsHeard) -> State:
    """First words may cut him off; final ones become a line, at once if it is for him."""
    heard = hear(event.text, state.names, state.words)
    speech, cutters = state.audible(), barge_in.more_words(state.cutters, event)
    state = replace(state, cutters=cutters)
    if speech is not None and (rule := cut_by(state, speech, event, heard)):
        state = cut(state, speech, event, rule)
    if not event.final:
        return state
    state = replace(state, voices=voices.without(state.voices, event.segment))
    if heard.heard_as is HeardAs.ADDRESSED or barge_in.find_cutter(state.cutters, event.segment):
        return line_done(state, event)
    due = state.now + state.settings.order_wait
    return replace(state, waiting=(*state.waiting, WaitingLine(line=event, due=due)))


def line_done(state: State, event: WordsHeard) -> State:
    """Decide about a final line; a voice that turned out to be nothing lets him rise again."""
    state = line_said(state, event, hear(event.text, state.names, state.words))
    speech = state.audible()
    if speech is None or speech.duck is None or voices.anyone(state.voices):
        return state
    return rise(state, speech, speech.duck)


def cut_by(state: State, speech: Speech, event: WordsHeard, heard: Heard) -> CutRule | None:
    """The rule by which these words cut him off, if they do: only those of a segment begun after Started."""
    if speech.started is None or event.began <= speech.started:
        return None
    if not state.may_be_heard(event.person.id) or event.voiced < state.settings.min_voiced:
        return None
    if not heard.control_only and is_echo(heard.words, state.echo, state.now, during=True):
        return None
    holder = state.engagement.holder
    return barge_in.rule_to_cut(
        heard,
        holds=holder == event.person.id,
        nobody_holds=holder is None,
        partial=not event.final,
        content_words=state.settings.cut_content_words,
    )


def give_up_lost_voices(state: State) -> State:
    """An ear that died says nothing; its segment must not keep the floor."""
    left = tuple(voice for voice in state.voices if voice.lost_at > state.now)
    return replace(state, voices=left)


def release_lines(state: State) -> State:
    """Decide about the lines that have waited enough, those first who began first."""
    ready, waiting = voices.released(state.voices, state.waiting, state.now)
    state = replace(state, waiting=waiting)
    for line in ready:
        state = line_done(state, line)
    return state


def rise_in_time(state: State) -> State:
    """As loud as before, some time after the voice that came to nothing."""
    quiet_since = None if voices.anyone(state.voices) else state.voice_at
    for speech in state.speeches:
        hushed = barge_in.hushed(speech, quiet_since)
        state = change_speech(state, hushed)
        moment = rises_at(state, hushed)
        if hushed.duck is not None and moment is not None and moment <= state.now:
            state = rise(state, hushed, hushed.duck)
    return state


def rises_at(state: State, speech: Speech) -> float | None:
    """When this speech rises by itself, as far as that is known."""
    if speech.duck is None or not speech.audible():
        return None
    limit = state.settings.pause_limit if state.settings.on_overlap is OnOverlap.PAUSE else None
    return barge_in.rises_at(speech.duck, state.settings.resume_after, limit)


def rise(state: State, speech: Speech, duck: barge_in.Duck) -> State:
    """As loud as before."""
    state = change_speech(state, barge_in.risen(speech, state.voices))
    return state.do(
        TellPlayback(message=Unduck(utterance=speech.utterance)), _overlap(state, speech, duck, "resumed")
    )
