"""Words become lines in the order in which people began to speak, and what is for him waits for nobody."""

from __future__ import annotations

from dataclasses import replace

from actors.floor import voices
from actors.floor.addressing import HeardAs
from actors.floor.barge_in import find_cutter, more_words
from actors.floor.cutting import cut_off
from actors.floor.ducking import came_to_nothing
from actors.floor.lines import line_said
from actors.floor.state import State
from actors.floor.understanding import Heard, hear
from actors.floor.voices import WaitingLine
from messages.floor import WordsFailed, WordsHeard


def words_heard(state: State, event: WordsHeard) -> State:
    """First words may cut him off; final ones become a line, at once if it is for him."""
    state = replace(state, cutters=more_words(state.cutters, event))
    if not event.final:
        return _so_far(state, event)
    heard = hear(event.text, state.names, state.words)
    state = cut_off(state, event, heard)
    state = replace(state, voices=voices.without(state.voices, event.segment))
    if heard.heard_as is HeardAs.ADDRESSED or find_cutter(state.cutters, event.segment):
        return _understood(state, event, heard)
    due = state.now + state.settings.order_wait
    return replace(state, waiting=(*state.waiting, WaitingLine(line=event, due=due)))


def _so_far(state: State, event: WordsHeard) -> State:
    voice = voices.find(state.voices, event.segment)
    if voice is not None:
        state = replace(state, voices=voices.put(state.voices, replace(voice, words=event)))
    if state.audible() is None:
        return state
    return cut_off(state, event, hear(event.text, state.names, state.words))


def words_failed(state: State, event: WordsFailed) -> State:
    """Nobody waits for this segment any more; if it cut him off, he answers the words that did."""
    state = replace(state, voices=voices.without(state.voices, event.segment))
    cutter = find_cutter(state.cutters, event.segment)
    return state if cutter is None else _line_done(state, replace(cutter.words, final=True))


def release_lines(state: State) -> State:
    """Decide about the lines that have waited enough, those first who began first."""
    if not state.waiting:
        return state
    ready, waiting = voices.released(state.voices, state.waiting, state.now)
    state = replace(state, waiting=waiting)
    for line in ready:
        state = _line_done(state, line)
    return state


def _line_done(state: State, event: WordsHeard) -> State:
    return _understood(state, event, hear(event.text, state.names, state.words))


def _understood(state: State, event: WordsHeard, heard: Heard) -> State:
    return came_to_nothing(line_said(state, event, heard))
