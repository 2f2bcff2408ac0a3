"""Answer whoever asks, have done what the operator wants done, and show the house to whoever watches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, assert_never

from actors.console import asks, ordering, viewing
from actors.console.decisions import AnswerWhy, Listen, Log, ShowReceipt, ShowWords, Step, Wake, Watch
from actors.console.recounting import recorded
from actors.console.reporting import why
from actors.console.state import State
from messages.console import (
    AnswerDue,
    ConsoleMessage,
    FlushEnded,
    JoinEnded,
    LeaveEnded,
    ListenDue,
    OperatorAnswered,
    OperatorAsked,
    OperatorHungUp,
    OperatorTold,
    OrderDue,
    OrderEnded,
    OrderGiven,
    PurgeEnded,
    RestartEnded,
    ServerFailed,
    ServerReady,
    StatusAsked,
    TreeDue,
    ViewDue,
    ViewersChanged,
    WhyAsked,
)
from messages.evidence import EvidenceOpened, HeardWords, PrivateWords, Recorded, SpokenWords
from messages.lifecycle import Scalar, TreeNode
from messages.orders import StayOrderAnswered

LISTEN_AGAIN_SECONDS: Final = 5.0


def step(state: State, event: ConsoleMessage, now: float) -> Step:
    """What the console does about one message."""
    match event:
        case StatusAsked() | TreeNode() | TreeDue() | ViewersChanged() | ViewDue():
            return _looked_at(state, event, now)
        case WhyAsked():
            return state, (AnswerWhy(asked=event, why=why(state, event)),)
        case OrderGiven() | OrderDue() | StayOrderAnswered():
            return _ordered(state, event)
        case JoinEnded() | LeaveEnded() | RestartEnded() | FlushEnded() | PurgeEnded():
            return _ordered(state, event)
        case EvidenceOpened() | Recorded() | HeardWords() | SpokenWords():
            return _told(state, event)
        case OperatorAsked() | OperatorHungUp() | OperatorTold() | OperatorAnswered() | AnswerDue():
            return asks.step(state, event)
        case ServerReady() | ServerFailed() | ListenDue():
            return _listens(state, event)
        case _:
            assert_never(event)


def facts(state: State) -> Mapping[str, Scalar]:
    """Where it listens, or why it does not, and how much it waits for."""
    waiting = len(state.asks) + len(state.given)
    return {"server": state.server, "orders": waiting, "no_orders": state.trouble, "viewers": state.viewers}


def closing(state: State) -> Step:
    """Nobody is left waiting at a window that shuts."""
    state, asked = asks.closing(state)
    state, ordered = ordering.closing(state)
    return state, (*asked, *ordered)


def _looked_at(
    state: State, event: StatusAsked | TreeNode | TreeDue | ViewersChanged | ViewDue, now: float
) -> Step:
    match event:
        case StatusAsked():
            return viewing.asked(state, event, now)
        case TreeNode():
            return viewing.described(state, event, now)
        case TreeDue():
            return viewing.overdue(state, event, now)
        case ViewersChanged():
            return viewing.changed(state, event)
        case ViewDue():
            return viewing.due(state, event)
        case _:
            assert_never(event)


def _ordered(state: State, event: OrderGiven | OrderDue | OrderEnded) -> Step:
    match event:
        case OrderGiven():
            return ordering.given(state, event)
        case OrderDue():
            return ordering.overdue(state, event)
        case JoinEnded() | LeaveEnded() | RestartEnded() | FlushEnded() | PurgeEnded() | StayOrderAnswered():
            return ordering.ended(state, event)
        case _:
            assert_never(event)


def _told(state: State, event: EvidenceOpened | Recorded | PrivateWords) -> Step:
    match event:
        case EvidenceOpened():
            return state, (Watch(words=state.shows_words),)
        case Recorded():
            shown = (ShowReceipt(json_line=event.json_line),) if state.viewers else ()
            return recorded(state, event), shown
        case HeardWords() | SpokenWords():
            return state, (ShowWords(words=event),) if state.shows_words else ()
        case _:
            assert_never(event)


def _listens(state: State, event: ServerReady | ServerFailed | ListenDue) -> Step:
    if isinstance(event, ListenDue):
        return state, (Listen(),)
    if isinstance(event, ServerFailed):
        again = Wake(seconds=LISTEN_AGAIN_SECONDS, message=ListenDue())
        if state.server == event.reason:
            return state, (again,)
        text = f"the console cannot listen ({event.reason}) and tries on: {event.remedy}"
        return replace(state, server=event.reason), (Log(text=text, failed=True), again)
    logs = [Log(text=f"the console listens on port {event.port}", failed=False)]
    if event.trouble:
        logs.append(Log(text=f"nobody can watch or give orders at the console: {event.trouble}", failed=True))
    return replace(state, server=f"port {event.port}", trouble=event.trouble), tuple(logs)
