"""Silence by name: the utterance, its synthesis and its turn are dropped at once, and nothing else is."""

from __future__ import annotations

from dataclasses import replace

from actors.floor.barge_in import CutRule, Cutter, Speech, rule_to_cut
from actors.floor.decisions import Record, TellPlayback, TellRealtime, TellTts
from actors.floor.echo import is_echo
from actors.floor.state import State
from actors.floor.understanding import Heard
from messages import evidence
from messages.floor import WordsHeard
from messages.ids import TurnId, UtteranceId
from messages.playback import CutSpeech
from messages.realtime import CancelTurn
from messages.tts import DropSpeech

REMEMBERED = 16
"""How many cancelled turns are known, so that nothing late of them is heard."""


def find_speech(state: State, utterance: UtteranceId) -> Speech | None:
    """This utterance, if it is on its way."""
    return next((speech for speech in state.speeches if speech.utterance == utterance), None)


def change_speech(state: State, speech: Speech) -> State:
    """The same speeches with one of them changed."""
    changed = tuple(speech if old.utterance == speech.utterance else old for old in state.speeches)
    return replace(state, speeches=changed)


def cut_off(state: State, event: WordsHeard, heard: Heard) -> State:
    """Words over his speech may silence everything that he is saying or about to say, first words as well."""
    speech = state.audible()
    rule = None if speech is None else _rule(state, speech, event, heard)
    return state if speech is None or rule is None else _cut(state, speech, event, rule)


def _rule(state: State, speech: Speech, event: WordsHeard, heard: Heard) -> CutRule | None:
    """The rule by which these words cut him off, if they do: only those of a segment begun after Started."""
    if speech.started is None or event.began <= speech.started:
        return None
    if not state.may_be_heard(event.person.id) or event.voiced < state.settings.min_voiced:
        return None
    if not heard.control_only and is_echo(heard.words, state.echo, state.now, during=True):
        return None
    holder = state.engagement.holder
    return rule_to_cut(
        heard,
        holds=holder == event.person.id,
        nobody_holds=holder is None,
        partial=not event.final,
        content_words=state.settings.cut_content_words,
    )


def _cut(state: State, speech: Speech, event: WordsHeard, rule: CutRule) -> State:
    receipt = evidence.Interrupted(
        stay_id=state.stay,
        person_id=event.person.id,
        segment_id=event.segment,
        utterance_id=speech.utterance,
        turn_id=speech.turn,
        rule=rule.value,
        partial=not event.final,
        word_end_to_cut_ms=round(max(state.now - event.ended, 0.0) * 1000),
    )
    cutters = (*state.cutters, Cutter(rule=rule, words=event))[-REMEMBERED:]
    state = replace(state, cutters=cutters).do(Record(receipt=receipt))
    for each in state.speeches:
        if not each.cut:
            state = cut_speech(state, each)
    return state


def cut_speech(state: State, speech: Speech, reason: str | None = None) -> State:
    """Silence one utterance and drop its turn, everywhere at once; the `reason` is for the record."""
    give_up_at = state.now + state.settings.cut_limit
    state = change_speech(state, replace(speech, cut=True, give_up_at=give_up_at))
    state = silence(state, speech.utterance, reason)
    return cancel(state, speech.turn)


def cut_turn(state: State, turn: TurnId) -> State:
    """Silence whatever is on its way of this turn."""
    for speech in state.speeches:
        if speech.turn == turn and not speech.cut:
            state = cut_speech(state, speech)
    return state


def cancel(state: State, turn: TurnId) -> State:
    """Nothing of this turn may be heard of again."""
    cancelled = (*state.cancelled, turn)[-REMEMBERED:]
    return replace(state, cancelled=cancelled).do(TellRealtime(message=CancelTurn(turn=turn)))


def silence(state: State, utterance: UtteranceId, reason: str | None = None) -> State:
    """No sound of this utterance, and no more making of it."""
    return state.do(
        TellPlayback(message=CutSpeech(utterance=utterance, reason=reason)),
        TellTts(message=DropSpeech(utterance=utterance)),
    )
