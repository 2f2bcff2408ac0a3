"""One conversation: asked at most one thing at a time, and every question gets one answer."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.realtime import aloud, ending, handoffs, memory, turns
from actors.realtime.decisions import Record, Step, Wake
from actors.realtime.state import State
from messages.floor import Trigger
from messages.ids import Token
from messages.realtime import (
    CancelTurn,
    ConversationLost,
    CostObserved,
    ForgetPerson,
    HandoffFailed,
    HandoffMerged,
    HandoffReturned,
    HandoffTakenBack,
    LineOverheard,
    ModelSpent,
    MouthRestarted,
    RealtimeMessage,
    RealtimeTick,
    ResponseEnded,
    ResponseText,
    RoomObserved,
    SpeechWasHeard,
    ToolCalled,
    TurnAsked,
)

_SLACK = 1e-6


def step(state: State, event: RealtimeMessage, now: float) -> Step:
    """What to believe and do after this event at monotonic second `now`."""
    state, decisions = _think(state, event, now)
    due = _next_due(state)
    if due is None or (state.wake_at is not None and state.wake_at <= due):
        return state, decisions
    state = replace(state, token=Token(state.token + 1), wake_at=due)
    return state, (*decisions, Wake(seconds=max(0.0, due - now), message=RealtimeTick(token=state.token)))


def _asked(state: State, event: TurnAsked, now: float) -> Step:
    if event.life not in (0, state.life):
        return state, ()  # whoever asked has not heard yet that this one began, and will ask it anew
    dictated = event.trigger is Trigger.OPERATOR
    return aloud.say(state, event, now) if dictated else turns.asked(state, event, now)


def _think(state: State, event: RealtimeMessage, now: float) -> Step:
    match event:
        case TurnAsked():
            return _asked(state, event, now)
        case LineOverheard():
            return memory.hear(state, (event.line,))
        case RoomObserved():
            return memory.observe(state, event, now)
        case CostObserved():
            return memory.observe_cost(state, event, now)
        case SpeechWasHeard():
            return aloud.was_heard(state, event)
        case CancelTurn():
            return turns.cancelled(state, event.turn, now)
        case MouthRestarted():
            return _mouth_restarted(state, now)
        case ForgetPerson():
            state = handoffs.without_words_of(memory.without_person(state, event.person), event.person)
            return turns.forgotten(state, event.person, now)
        case HandoffReturned() | HandoffFailed() | HandoffMerged() | HandoffTakenBack():
            return _from_captain(state, event)
        case ResponseText() | ToolCalled() | ResponseEnded() | ConversationLost():
            return _from_model(state, event, now)
        case ModelSpent():
            return state, (Record(receipt=event.spent.on_record(state.stay, "conversation")),)
        case RealtimeTick():
            return (state, ()) if event.token != state.token else _woken(replace(state, wake_at=None), now)
        case _:
            assert_never(event)


def _from_captain(
    state: State, event: HandoffReturned | HandoffFailed | HandoffMerged | HandoffTakenBack
) -> Step:
    match event:
        case HandoffReturned() | HandoffFailed():
            return handoffs.returned(state, event)
        case HandoffMerged():
            return handoffs.merged(state, event)
        case HandoffTakenBack():
            return handoffs.taken_back(state, event)
        case _:
            assert_never(event)


def _from_model(
    state: State, event: ResponseText | ToolCalled | ResponseEnded | ConversationLost, now: float
) -> Step:
    if event.connection != state.connection:
        return state, ()
    match event:
        case ResponseText():
            return turns.more_text(state, event, now)
        case ToolCalled():
            return turns.called(state, event, now)
        case ResponseEnded():
            return turns.ended(state, event, now)
        case ConversationLost():
            return turns.lost(state, event.reason, now)
        case _:
            assert_never(event)


def _mouth_restarted(state: State, now: float) -> Step:
    """The new floor knows neither of the turn nor of hand-offs: end the one, and name all of them again."""
    flight = state.flight
    state, decisions = (state, ()) if flight is None else turns.cancelled(state, flight.turn, now)
    orphan = () if flight is None else turns.orphaned(flight)
    return state, tuple(dict.fromkeys((*decisions, *handoffs.announced(state), *orphan)))


# --- time -------------------------------------------------------------------------------------------


def _response_due(state: State) -> float | None:
    return None if state.flight is None else state.flight.progress_at + state.settings.response_seconds


def _idle_due(state: State) -> float | None:
    if state.connection is None or state.flight is not None or state.handoffs:
        return None
    return state.used_at + state.settings.hold_seconds


def _next_due(state: State) -> float | None:
    dues = (_response_due(state), _idle_due(state), turns.renewal_due(state))
    return min((due for due in dues if due is not None), default=None)


def _woken(state: State, now: float) -> Step:
    response_due, idle_due = _response_due(state), _idle_due(state)
    if response_due is not None and response_due <= now + _SLACK:
        state, decisions = turns.failed(state, "deadline", now)
        return ending.released(state, decisions)
    if idle_due is not None and idle_due <= now + _SLACK:
        return ending.released(state, ())
    return turns.renewed(state, now + _SLACK)
