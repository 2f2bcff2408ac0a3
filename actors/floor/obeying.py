"""The operator may stop him, have him be silent for a while, and put words into his mouth."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import assert_never

from actors.floor.company import without_wish
from actors.floor.cutting import cancel, cut_speech
from actors.floor.decisions import Answer
from actors.floor.ending import turn_over
from actors.floor.state import State
from actors.floor.text import tokens
from actors.floor.turns import Saying
from messages.floor import HushGoesOn, Outcome
from messages.orders import Hush, Interrupt, OrderCode, SayAloud, StayOrderAnswered

MOST_SAYINGS = 4
"""So many may wait for their turn."""
REASON = "operator"
"""Why he was cut off, on record."""


def take(state: State, event: SayAloud | Hush | Interrupt | HushGoesOn) -> State:
    """An order, which is answered at once; or news of one that an earlier life has obeyed."""
    match event:
        case SayAloud():
            return _say(state, event)
        case Hush():
            return _hush(state, event)
        case Interrupt():
            return _interrupt(state, event)
        case HushGoesOn():
            return _silent(state, event.seconds)
        case _ as never:
            assert_never(never)


def _answered(state: State, order: SayAloud | Hush | Interrupt, code: OrderCode) -> State:
    answer = StayOrderAnswered(order=order.order, code=code, stay=state.stay)
    return state.do(Answer(mailbox=order.reply_to, answer=answer))


# --- words of the operator's ------------------------------------------------------------------------


def _say(state: State, order: SayAloud) -> State:
    """It waits for its turn; a hush is about what he would say of himself, and does not hold it back."""
    if state.leaving:
        return _answered(state, order, OrderCode.LEAVING)
    if not tokens(order.text):
        return _answered(state, order, OrderCode.NOTHING_TO_DO)
    if len(state.sayings) >= MOST_SAYINGS:
        return _answered(state, order, OrderCode.BUSY)
    saying = Saying(text=order.text, since=state.now)
    return _answered(replace(state, sayings=(*state.sayings, saying)), order, OrderCode.DONE)


# --- silence ----------------------------------------------------------------------------------------


def _interrupt(state: State, order: Interrupt) -> State:
    if not _is_at_it(state):
        return _answered(state, order, OrderCode.NOTHING_TO_DO)
    return _answered(_stopped(state), order, OrderCode.DONE)


def _is_at_it(state: State) -> bool:
    """Whether he says anything, or is about to because somebody has asked for it."""
    said = any(not speech.cut for speech in state.speeches)
    asked = state.flight is not None and state.flight.id not in state.cancelled
    waits = state.wish is not None or state.greeting is not None or bool(state.sayings)
    return said or asked or waits


def _stopped(state: State) -> State:
    """Everything that is said or about to be is dropped; facts that he is owed a word about wait a while."""
    for speech in state.speeches:
        if not speech.cut:
            state = cut_speech(state, speech, REASON)
    turn = state.flight
    if turn is not None and turn.id not in state.cancelled:
        state = cancel(state, turn.id)
    if turn is not None and all(speech.turn != turn.id for speech in state.speeches):
        state = turn_over(state, turn, Outcome.CUT)
    held_until = state.now + state.settings.quiet_wait
    return without_wish(replace(state, greeting=None, sayings=(), held_until=held_until))


def _hush(state: State, order: Hush) -> State:
    """It replaces the one before, and one of no seconds ends it."""
    if order.seconds > 0:
        return _answered(_silent(state, order.seconds), order, OrderCode.DONE)
    if state.hushed_until is None:
        return _answered(state, order, OrderCode.NOTHING_TO_DO)
    return _answered(_lifted(state), order, OrderCode.DONE)


def _silent(state: State, seconds: float) -> State:
    return replace(_stopped(state), hushed_until=state.now + seconds)


def lift(state: State) -> State:
    """A hush is over when its time is."""
    over = state.hushed_until is not None and state.hushed_until <= state.now
    return _lifted(state) if over else state


def _lifted(state: State) -> State:
    """What has waited is told in one turn; of work that goes on it is too late to say so."""
    works = tuple(replace(work, spoken=True) for work in state.works)
    state = replace(state, hushed_until=None, held_until=state.now, works=works, results_since=state.now)
    if state.membership.since is None:
        return state
    together = state.results and state.humans()
    told, waits = state.membership.told(state.now), replace(state.membership, since=state.now)
    return replace(state, membership=told if together else waits)


def hushed_for(state: State, now: float) -> int:
    """For how many seconds more he is to be silent, begun ones counted."""
    left = 0.0 if state.hushed_until is None else state.hushed_until - now
    return max(0, ceil(left))
