"""An order of the operator's is obeyed here or by the floor, and answered once, whoever dies meanwhile."""

from __future__ import annotations

from dataclasses import replace

from actors.stay import people
from actors.stay.decisions import Answer, Decision, PassOn, Step, TellFloor
from actors.stay.state import Phase, State
from messages.floor import HushGoesOn
from messages.orders import Hush, OrderCode, StayOrder, StayOrderAnswered, WithdrawConsent


def given(state: State, order: StayOrder) -> Step:
    """To hear somebody no longer is never too late; everything else is the floor's, once he has joined."""
    if isinstance(order, WithdrawConsent):
        return _withdrawn(state, order)
    if state.is_over() or state.phase is Phase.LEAVING:
        return state, (_answer(state, order, OrderCode.LEAVING),)
    waiting = replace(state, orders=(*state.orders, order))
    return waiting, () if state.joined_at is None else (PassOn(order=order),)


def _withdrawn(state: State, order: WithdrawConsent) -> Step:
    if state.is_over():
        return state, (_answer(state, order, OrderCode.LEAVING),)
    if state.person(order.person) is None:
        return state, (_answer(state, order, OrderCode.NOT_HERE),)
    if order.person not in state.consented:
        return state, (_answer(state, order, OrderCode.NOTHING_TO_DO),)
    state, told = people.withdrawn_by(state, order.person, forget=False)
    return state, (*told, _answer(state, order, OrderCode.DONE))


def answered(state: State, news: StayOrderAnswered, now: float) -> Step:
    """The floor has obeyed, or not; what it says of an order that is answered already is old."""
    order = next((one for one in state.orders if one.order == news.order), None)
    if order is None:
        return state, ()
    if isinstance(order, Hush) and news.code is OrderCode.DONE:
        state = replace(state, hushed_until=now + order.seconds)
    others = tuple(one for one in state.orders if one is not order)
    return replace(state, orders=others), (_answer(state, order, news.code),)


def joined(state: State) -> tuple[Decision, ...]:
    """What has waited for him to come in."""
    return tuple(PassOn(order=order) for order in state.orders)


def floor_opened(state: State, now: float) -> tuple[Decision, ...]:
    """A floor that replaces another knows nothing of a hush, nor of what the other has not answered."""
    if state.joined_at is None:
        return ()
    left = state.hushed_until - now
    hush = (TellFloor(message=HushGoesOn(seconds=left)),) if left > 0 else ()
    return (*hush, *joined(state))


def closing(state: State) -> Step:
    """Nobody obeys any more."""
    answers = tuple(_answer(state, order, OrderCode.LEAVING) for order in state.orders)
    return replace(state, orders=()), answers


def _answer(state: State, order: StayOrder, code: OrderCode) -> Answer:
    answer = StayOrderAnswered(order=order.order, code=code, stay=state.stay_id)
    return Answer(mailbox=order.reply_to, answer=answer)
