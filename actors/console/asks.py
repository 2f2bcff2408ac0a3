"""A request goes to the captain, and whoever made it is told what comes of it, for as long as he waits."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from actors.console.decisions import AskCaptain, Decision, PassOn, Step, TellCaptain, Wake
from actors.console.state import State
from messages.captain import TakeBack
from messages.console import AnswerDue, OperatorAnswered, OperatorAsked, OperatorHungUp, OperatorTold
from messages.ids import HandoffId

AskEvent: TypeAlias = OperatorAsked | OperatorHungUp | OperatorTold | OperatorAnswered | AnswerDue
TIMEOUT = "timeout"
CLOSED = "console_closed"


def step(state: State, event: AskEvent) -> Step:
    """What the console does about a request; of one that is over already, nothing."""
    if isinstance(event, OperatorAsked):
        wake = Wake(seconds=state.ask_seconds, message=AnswerDue(handoff=event.handoff))
        return replace(state, asks=(*state.asks, event)), (AskCaptain(asked=event), wake)
    asked = next((one for one in state.asks if one.handoff == event.handoff), None)
    if asked is None:
        return state, ()
    match event:
        case OperatorTold():
            return state, (PassOn(asked=asked, news=event),)
        case OperatorAnswered():
            return _without(state, asked), (PassOn(asked=asked, news=event),)
        case OperatorHungUp():
            return _without(state, asked), (_taken_back(asked.handoff),)
        case AnswerDue():
            return _without(state, asked), _given_up(asked, TIMEOUT)
        case _:
            assert_never(event)


def closing(state: State) -> Step:
    """Nobody is left waiting at a window that shuts."""
    decisions = tuple(each for asked in state.asks for each in _given_up(asked, CLOSED))
    return replace(state, asks=()), decisions


def _without(state: State, asked: OperatorAsked) -> State:
    return replace(state, asks=tuple(one for one in state.asks if one is not asked))


def _given_up(asked: OperatorAsked, why: str) -> tuple[Decision, ...]:
    news = OperatorAnswered(handoff=asked.handoff, text="", failed=why)
    return PassOn(asked=asked, news=news), _taken_back(asked.handoff)


def _taken_back(handoff: HandoffId) -> TellCaptain:
    return TellCaptain(message=TakeBack(handoff=handoff))
