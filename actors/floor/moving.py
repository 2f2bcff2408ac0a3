"""Moved to another room he begins anew: what was said, asked and on his lips is not for who is here now."""

from __future__ import annotations

from dataclasses import replace

from actors.floor import ordering
from actors.floor.cutting import cancel, cut_speech
from actors.floor.decisions import TellStay
from actors.floor.ending import turn_over
from actors.floor.state import State
from messages.floor import Outcome
from messages.stay import FloorQuiet


def fallen_silent(state: State) -> State:
    """Cut whatever is on its way and give up the turn in flight; the stay learns that it may go on."""
    due = tuple(replace(line, due=state.now) for line in state.waiting)
    state = ordering.release_lines(replace(state, voices=(), cutters=(), waiting=due))
    for speech in state.speeches:
        if not speech.cut:
            state = cut_speech(state, speech)
    turn = state.flight
    if turn is not None:
        state = state if turn.id in state.cancelled else cancel(state, turn.id)
        state = turn_over(state, turn, Outcome.CUT)
    state = replace(state, wish=None, greeting=None, sayings=())
    return state.do(TellStay(message=FloorQuiet()))
