"""Every order goes to whom it is for, and whoever gave it is answered exactly once, and in time."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.console.decisions import AnswerOrder, CarryOut, Decision, Log, Step, Wake
from actors.console.outcomes import NAMES, begins_anew, outcome, refusal, shutting, unanswered
from actors.console.recounting import forgotten
from actors.console.state import State
from messages.console import (
    JoinOrdered,
    OrderAnswer,
    OrderDue,
    OrderEnded,
    OrderGiven,
    PurgeEnded,
    RestartOrdered,
    ShutdownOrdered,
)
from messages.ids import OrderId

ANSWER_SECONDS: Final = 10.0
JOIN_SECONDS: Final = 45.0
"""A link may take its time."""
MOST_ORDERS: Final = 32


def given(state: State, event: OrderGiven) -> Step:
    """Have it done, unless too much is being done already."""
    state = replace(state, orders=state.orders + 1)
    if isinstance(event.order, ShutdownOrdered):
        # Answered first: the window closes with the house.
        return state, (*_answered(event, shutting()), CarryOut(given=event))
    if isinstance(event.order, RestartOrdered) and event.order.path == state.path:
        return state, (*_answered(event, begins_anew(state.path)), CarryOut(given=event))
    if len(state.given) >= MOST_ORDERS:
        text = "too many orders wait for an answer; try again in a few seconds"
        return state, _answered(event, refusal("busy", text))
    wake = Wake(seconds=_patience(event), message=OrderDue(order=event.id))
    return replace(state, given=(*state.given, event)), (CarryOut(given=event), wake)


def ended(state: State, event: OrderEnded) -> Step:
    """Somebody has answered; what nobody waits for any more is an old letter."""
    if (order := _found(state, event.order)) is None:
        return state, ()
    answer = outcome(order.order, event)
    state = _without(state, order)
    if isinstance(event, PurgeEnded):
        state = forgotten(state, event.answer.person)
    return state, _answered(order, answer)


def overdue(state: State, event: OrderDue) -> Step:
    """Nobody has answered in time."""
    if (order := _found(state, event.order)) is None:
        return state, ()
    why = f"nobody has answered within {_patience(order):g} seconds"
    return _without(state, order), _answered(order, unanswered("timeout", why))


def closing(state: State) -> Step:
    """Nobody is left waiting at a window that shuts."""
    answer = unanswered("console_closed", "the console was closed before anybody answered")
    return replace(state, given=()), tuple(each for order in state.given for each in _answered(order, answer))


def _patience(event: OrderGiven) -> float:
    return JOIN_SECONDS if isinstance(event.order, JoinOrdered) else ANSWER_SECONDS


def _found(state: State, name: OrderId) -> OrderGiven | None:
    return next((order for order in state.given if order.id == name), None)


def _without(state: State, order: OrderGiven) -> State:
    return replace(state, given=tuple(each for each in state.given if each is not order))


def _answered(order: OrderGiven, answer: OrderAnswer) -> tuple[Decision, ...]:
    whom = f" {order.order.path}" if isinstance(order.order, RestartOrdered) else ""
    text = f"the operator's order to {NAMES[type(order.order)]}{whom}: {answer.result} ({answer.code})"
    return AnswerOrder(given=order, answer=answer), Log(text=text, failed=False)
