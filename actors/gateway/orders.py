"""An order about a stay finds it, and is answered once, whatever becomes of the stay."""

from __future__ import annotations

from dataclasses import replace

from actors.gateway.asking import refuse
from actors.gateway.decisions import AnswerOrder, Decision, Step
from actors.gateway.passing import PassOn
from actors.gateway.state import State, StayAt, Unanswered
from actors.gateway.telling import tell
from messages.gateway import CostPassed
from messages.ids import StayId
from messages.orders import OrderCode, StayOrder, StayOrderAnswered, StayOrdered, WithdrawConsent
from messages.stay import CostReached

MOST_ORDERS = 64
"""So many may be without an answer; the next ones are refused."""


def given(state: State, event: StayOrdered) -> Step:
    """To that stay, or to the only one; to one that does not live yet as soon as it does."""
    found = _meant(state, event.stay)
    if isinstance(found, OrderCode):
        return state, (_answer(event.order, found, None),)
    refused = _refused(state, found, event.order)
    if refused is not None:
        return state, (_answer(event.order, refused, found.stay),)
    if isinstance(event.order, WithdrawConsent):
        state = refuse(state, found.guild, event.order.person)
    passed = Unanswered(stay=found.stay, order=event.order)
    return replace(state, orders=(*state.orders, passed)), _passed_on(found, passed)


def _meant(state: State, name: StayId | None) -> StayAt | OrderCode:
    if name is not None:
        return state.named(name) or OrderCode.NO_STAY
    if len(state.stays) > 1:
        return OrderCode.AMBIGUOUS
    return state.stays[0] if state.stays else OrderCode.NO_STAY


def _refused(state: State, stay: StayAt, order: StayOrder) -> OrderCode | None:
    """What needs no stay to be answered."""
    if stay.mailbox is None and stay.ending is not None:
        return OrderCode.LEAVING
    if isinstance(order, WithdrawConsent) and not state.is_in(order.person, stay.room):
        return OrderCode.NOT_HERE
    return OrderCode.BUSY if len(state.orders) >= MOST_ORDERS else None


def _passed_on(stay: StayAt, passed: Unanswered) -> tuple[Decision, ...]:
    return () if stay.mailbox is None else (PassOn(mailbox=stay.mailbox, order=passed.order),)


def opened(state: State, stay: StayAt) -> tuple[Decision, ...]:
    """A stay that lives now is told what has been ordered of it."""
    mine = (one for one in state.orders if one.stay == stay.stay)
    return tuple(order for one in mine for order in _passed_on(stay, one))


def answered(state: State, event: StayOrderAnswered) -> Step:
    """A stay has obeyed, or not; what it says of an order that is answered already is old."""
    passed = next((one for one in state.orders if one.order.order == event.order), None)
    if passed is None:
        return state, ()
    others = tuple(one for one in state.orders if one is not passed)
    return replace(state, orders=others), (_answer(passed.order, event.code, passed.stay),)


def over(state: State, stay: StayId) -> Step:
    """This stay answers nothing any more."""
    lost = tuple(one for one in state.orders if one.stay == stay)
    others = tuple(one for one in state.orders if one.stay != stay)
    return replace(state, orders=others), tuple(map(_lost, lost))


def stopped(state: State) -> tuple[Decision, ...]:
    """Return the answers that are owed when this life ends: no stay outlives it."""
    return tuple(map(_lost, state.orders))


def cost_passed(state: State, event: CostPassed) -> Step:
    """What a stay costs is told to it."""
    reached = CostReached(amount=event.amount, currency=event.currency)
    return state, tell(state.named(event.stay), reached)


def _lost(passed: Unanswered) -> AnswerOrder:
    return _answer(passed.order, OrderCode.NO_STAY, passed.stay)


def _answer(order: StayOrder, code: OrderCode, stay: StayId | None) -> AnswerOrder:
    answer = StayOrderAnswered(order=order.order, code=code, stay=stay)
    return AnswerOrder(asker=order.reply_to, answer=answer)
