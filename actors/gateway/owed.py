"""Who asked him something that he was stopped over is told so, once, and asks again if he likes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.gateway import replying
from actors.gateway.decisions import Decision, Post, Step, TellCaptain
from actors.gateway.replying import LOST_NOTICE
from actors.gateway.state import State
from messages.captain import LossTold
from messages.gateway import MessageGone, TurnLost

MOST_OWED: Final = 64


def lost(state: State, event: TurnLost, now: float) -> Step:
    """Whoever still waits here is told at once; who waited for an earlier life, once there is an account."""
    one = None if event.message is None else state.text.unanswered(event.message)
    told = TellCaptain(message=LossTold(handoff=event.handoff))
    if one is not None:
        state, ending = replying.ended(state, one, "captain_lost", LOST_NOTICE, now)
        return state, (*ending, told)
    # What was read in this life and waits no longer has been answered or given up already.
    if event.message in state.text.seen or event in state.errands.told:
        return state, (told,)
    if event in state.errands.owed:
        return state, ()
    owed = (*state.errands.owed, event)[-MOST_OWED:]
    state = replace(state, errands=replace(state.errands, owed=owed))
    return paid(state, now) if state.ready else (state, ())


def paid(state: State, now: float) -> Step:
    """There is an account: what is owed is said; of what was asked aloud, once a room in a while."""
    decisions: list[Decision] = []
    for one in state.errands.owed:
        decisions.append(TellCaptain(message=LossTold(handoff=one.handoff)))
        if one.message is None:
            state, due = replying.noticed(state, one.room, now)
            if not due:
                continue
        decisions.append(Post(room=one.room, text=LOST_NOTICE, reply_to=one.message))
    told = (*state.errands.told, *state.errands.owed)[-MOST_OWED:]
    return replace(state, errands=replace(state.errands, owed=(), told=told)), tuple(decisions)


def gone(state: State, event: MessageGone) -> Step:
    """Who has taken back what he asked is not told that nothing came of it."""
    lost = tuple(one for one in state.errands.owed if one.message == event.message)
    rest = tuple(one for one in state.errands.owed if one not in lost)
    told = tuple(TellCaptain(message=LossTold(handoff=one.handoff)) for one in lost)
    return replace(state, errands=replace(state.errands, owed=rest)), told
