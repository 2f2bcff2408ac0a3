"""Every question ends exactly once; in one lane they come one after another, in two lanes side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from actors.captain import (
    acting,
    answers,
    asking,
    ending,
    remembering,
    resulting,
    spending,
    starting,
    thinking,
)
from actors.captain.decisions import Decision, Wake
from actors.captain.events import CaptainCloses, CaptainOpens, Event, NotesKept, PersonForgotten
from actors.captain.state import CallStage, Stage, State, Turn
from messages.captain import (
    AccountOpened,
    AskAsOperator,
    AskCaptain,
    AskersKnown,
    AskInText,
    CallDone,
    CaptainTick,
    ForgetInMind,
    LossTold,
    MachineDone,
    MindFailed,
    MindSpent,
    MindStepped,
    MindWorks,
    NotesAsked,
    ResultUnsaid,
    StayIsOver,
    TakeBack,
    ToolboxChanged,
)
from messages.ids import Token
from messages.lifecycle import Ending


def step(state: State, event: Event, now: float, wall: float) -> tuple[State, tuple[Decision, ...]]:
    """What to believe and do after this event at monotonic second `now`, and `wall` of the epoch."""
    state = replace(state, now=now, wall=wall)
    if isinstance(event, CaptainTick):
        if event.token != state.token:
            return state, ()
        state = replace(state, wake_at=None)
    state = _take(state, event)
    for turn in state.turns:
        state = _give_up(state, turn)
    for turn in state.turns:
        state = _go_on(state, turn)
    state = _set_timer(starting.start_next(state))
    return replace(state, out=()), state.out


def _take(state: State, event: Event) -> State:
    match event:
        case AskCaptain() | AskInText() | AskAsOperator():
            return asking.asked(state, event)
        case TakeBack():
            return asking.take_back(state, event.handoff)
        case AskersKnown():
            return starting.known(state, event)
        case MindWorks() | MindStepped() | MindFailed():
            return _minded(state, event)
        case MindSpent():
            return spending.noted(state, event)
        case CallDone() | MachineDone() | NotesKept():
            return resulting.take(state, event)
        case ToolboxChanged():
            return _changed(state, event)
        case StayIsOver():
            return state.without_stay(event.stay)
        case ResultUnsaid():
            return answers.unsaid(state, event)
        case CaptainOpens() | AccountOpened() | LossTold():
            return remembering.take(state, event)
        case ForgetInMind() | PersonForgotten() | NotesAsked():
            return remembering.take(state, event)
        case CaptainCloses():
            return _closed(state, event.ending)
        case CaptainTick():
            return state
        case _:
            assert_never(event)


def _minded(state: State, event: MindWorks | MindStepped | MindFailed) -> State:
    """News of the step that was asked for last; of any other it comes too late."""
    turn = state.turn(event.handoff)
    if turn is None or turn.stage is not Stage.THINKING or turn.number != event.step:
        return state
    match event:
        case MindWorks():
            return state.with_turn(replace(turn, news_at=state.now))
        case MindFailed():
            return thinking.fails(state, turn, event.reason, event.again_after)
        case MindStepped(calls=()):
            return thinking.concluded(state, turn, event.text)
        case MindStepped():
            return acting.begin(state, replace(turn, text=event.text or turn.text), event.calls)
        case _:
            assert_never(event)


def _changed(state: State, event: ToolboxChanged) -> State:
    ill = {name: trouble for name, trouble in state.ill.items() if name != event.server}
    if event.trouble:
        ill[event.server] = event.trouble
    return replace(state, machines={**state.machines, event.server: event.tools}, ill=ill)


def _closed(state: State, why: Ending) -> State:
    """Whoever waits is told; when the whole house stops the next life tells them, which can reach them."""
    stops = why in (Ending.SHUTDOWN, Ending.ORDERED)
    for turn in state.turns:
        state = ending.failed(state, turn, ending.CLOSED, written=not stops)
    return state


def _give_up(state: State, turn: Turn) -> State:
    """Whatever has not come in time is not waited for."""
    if not turn.at_work:
        return state
    if state.is_due(turn.started_at + state.settings.turn_seconds):
        return ending.failed(state, turn, "deadline")
    if state.is_due(turn.news_at + state.settings.stall_seconds):
        return ending.failed(state, turn, "stalled")
    if turn.stage is Stage.ACTING:
        return resulting.overdue(state, turn)
    if not state.is_due(turn.due):
        return state
    if turn.stage is Stage.IDENTIFYING:
        return starting.unknown(state, turn)
    if turn.stage is Stage.RESTING:
        return thinking.ask_again(state, turn)
    return thinking.fails(state, turn, "timeout", None)


def _go_on(state: State, turn: Turn) -> State:
    """When the tools of a step have done their work it is the mind's turn again."""
    if turn.stage is not Stage.ACTING:
        return state
    state = acting.go_on(state, turn.id)
    after = state.turn(turn.id)
    if after is None or any(call.stage is not CallStage.ANSWERED for call in after.calls):
        return state
    return thinking.go_on(state, after)


def _set_timer(state: State) -> State:
    """Ask to be woken for the next moment at which something is due, unless that is arranged already."""
    due = min((moment for turn in state.turns for moment in _moments(state, turn)), default=None)
    if due is None or (state.wake_at is not None and state.wake_at <= due):
        return state
    token = Token(state.token + 1)
    wake = Wake(seconds=max(0.0, due - state.now), message=CaptainTick(token=token))
    return replace(state, token=token, wake_at=due).do(wake)


def _moments(state: State, turn: Turn) -> Iterator[float]:
    if turn.at_work:
        yield turn.started_at + state.settings.turn_seconds
        yield turn.news_at + state.settings.stall_seconds
        yield turn.due
        yield from (call.due for call in turn.calls)
