"""What the captain was asked is owed an answer, until it is told, merged, written, or wanted no longer."""

from __future__ import annotations

from dataclasses import replace

from actors.realtime.decisions import Decision, HandOff, Step, TellCaptain, TellFloor, TellStay
from actors.realtime.items import Result
from actors.realtime.state import Open, State
from messages.captain import AskCaptain, ResultUnsaid, TakeBack
from messages.floor import ResultWaiting, WorkBegan, WorkEnded
from messages.ids import HandoffId, PersonId
from messages.mailbox import Mailbox
from messages.realtime import (
    HandoffFailed,
    HandoffMerged,
    HandoffReturned,
    HandoffTakenBack,
    RealtimeMessage,
)
from messages.stay import SayInChat

LONGEST_POST = 1_900
REMEMBERED = 64
FORGOTTEN = "what somebody asked who is forgotten"
"""Stands for the request of one who wants his words gone; what comes of it is still told."""


def begun(state: State, asking: HandOff) -> Step:
    """The captain is asked, and the floor knows that he is at work."""
    askers = frozenset(one.id for one in asking.askers)
    opened = Open(handoff=asking.handoff, request=asking.request, askers=askers)
    state = replace(state, handoffs=(*state.handoffs, opened))
    return state, (asking, TellFloor(message=WorkBegan(handoff=asking.handoff)))


def message(asking: HandOff, state: State, reply_to: Mailbox[RealtimeMessage]) -> AskCaptain:
    """A hand-off as the captain is told of it."""
    return AskCaptain(
        handoff=asking.handoff,
        stay=state.stay,
        room=state.room,
        askers=asking.askers,
        request=asking.request,
        original=asking.original,
        recent=asking.recent,
        observations=asking.observations,
        reply_to=reply_to,
    )


def returned(state: State, event: HandoffReturned | HandoffFailed) -> Step:
    """The captain is done: the result wants a turn of its own."""
    if event.handoff in state.settled:
        return state, ()
    mine = _named(state, event.handoff)
    if mine is None:  # asked by an earlier life of this room
        mine = Open(handoff=event.handoff, request=event.request)
        state = replace(state, handoffs=(*state.handoffs, mine))
    if mine.result is not None:
        return state, ()
    text, failure = (event.text, "") if isinstance(event, HandoffReturned) else ("", event.reason)
    result = Result(handoff=mine.handoff, request=mine.request, text=text, failed=failure)
    state = _changed(state, replace(mine, result=result))
    return state, (
        TellFloor(message=WorkEnded(handoff=mine.handoff)),
        TellFloor(message=ResultWaiting(handoff=mine.handoff)),
    )


def merged(state: State, event: HandoffMerged) -> Step:
    """It has become part of another, whose result is about both."""
    mine, other = _named(state, event.handoff), _named(state, event.into)
    state, decisions = _settled(state, event.handoff)
    if mine is not None and decisions and other is not None and other.result is None:
        request = f"{other.request} / {mine.request}"[: state.settings.original_characters]
        part = (*other.merged, mine.handoff, *mine.merged)
        state = _changed(state, replace(other, request=request, merged=part))
    return state, decisions


def taken_back(state: State, event: HandoffTakenBack) -> Step:
    """The captain has let it be, whoever told him to."""
    return _settled(state, event.handoff)


def take_back(state: State, people: frozenset[PersonId]) -> Step:
    """Whatever the captain is at for these people ends; no decision at all: nothing of theirs is open.

    Of several speakers each must have asked for it himself: nobody drops in another's name what is not his.
    """
    theirs = [one for one in state.handoffs if one.result is None and people and people <= one.askers]
    decisions: tuple[Decision, ...] = ()
    for one in theirs:
        orders = (TellCaptain(message=TakeBack(handoff=name)) for name in (*one.merged, one.handoff))
        state, ended = _settled(state, one.handoff)
        decisions = (*decisions, *orders, *ended)
    return state, decisions


def without_words_of(state: State, person: PersonId) -> State:
    """The same without what this person asked, alone or with others, also where it is being told."""
    state = replace(state, handoffs=tuple(_unworded(one, person) for one in state.handoffs))
    if (flight := state.flight) is None:
        return state
    results = tuple(_unworded(one, person) for one in flight.results)
    return replace(state, flight=replace(flight, results=results))


def given_back(state: State, results: tuple[Open, ...]) -> Step:
    """Results that could not be said wait for another turn; after enough tries they are written instead."""
    decisions: tuple[Decision, ...] = ()
    for one in results:
        tried = replace(one, tries=one.tries + 1)
        if tried.tries < state.settings.result_tries:
            state = _changed(state, tried)
            decisions = (*decisions, TellFloor(message=ResultWaiting(handoff=one.handoff)))
            continue
        state = _without(state, one.handoff)
        text = one.result.text if one.result is not None else ""
        if text:
            decisions = (*decisions, TellStay(message=SayInChat(text=text[:LONGEST_POST])))
    return state, decisions


def unsaid(state: State) -> tuple[ResultUnsaid, ...]:
    """Return what this life will not come to say, for the captain to write instead."""
    results = (one.result for one in state.handoffs)
    return tuple(
        ResultUnsaid(
            handoff=one.handoff, stay=state.stay, room=state.room, request=one.request, text=one.text
        )
        for one in results
        if one is not None and one.text
    )


def announced(state: State) -> tuple[Decision, ...]:
    """What a new floor must know of hand-offs."""
    return tuple(
        TellFloor(
            message=WorkBegan(handoff=one.handoff)
            if one.result is None
            else ResultWaiting(handoff=one.handoff)
        )
        for one in state.handoffs
    )


def _unworded(one: Open, person: PersonId) -> Open:
    if person not in one.askers:
        return one
    result = None if one.result is None else replace(one.result, request=FORGOTTEN)
    return replace(one, request=FORGOTTEN, result=result)


def _settled(state: State, handoff: HandoffId) -> Step:
    """It ends without a result; one that has its result already keeps it."""
    mine = _named(state, handoff)
    if mine is not None and mine.result is not None:
        return state, ()
    if handoff not in state.settled:
        state = replace(state, settled=(*state.settled, handoff)[-REMEMBERED:])
    return _without(state, handoff), () if mine is None else (TellFloor(message=WorkEnded(handoff=handoff)),)


def _named(state: State, handoff: HandoffId) -> Open | None:
    return next((one for one in state.handoffs if one.handoff == handoff), None)


def _without(state: State, handoff: HandoffId) -> State:
    return replace(state, handoffs=tuple(one for one in state.handoffs if one.handoff != handoff))


def _changed(state: State, changed: Open) -> State:
    handoffs = tuple(changed if one.handoff == changed.handoff else one for one in state.handoffs)
    return replace(state, handoffs=handoffs)
