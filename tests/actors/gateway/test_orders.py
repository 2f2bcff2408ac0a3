"""An order of the operator's finds its stay, and one answer comes back whatever becomes of that."""

from __future__ import annotations

import pytest

from actors.gateway.core import stopped
from actors.gateway.decisions import AnswerLeave, AnswerOrder, Decision
from actors.gateway.orders import MOST_ORDERS
from actors.gateway.passing import PassOn
from actors.gateway.state import State
from messages.gateway import (
    AskedBy,
    CostPassed,
    GatewayMessage,
    LeaveAnswered,
    LeaveVoice,
    RefusedLeave,
    StayEnded,
    StayOpened,
)
from messages.ids import OrderId, StayId
from messages.lifecycle import OpenRefused, Refusal
from messages.orders import (
    Hush,
    Interrupt,
    OrderCode,
    SayAloud,
    StayOrder,
    StayOrderAnswered,
    StayOrdered,
    WithdrawConsent,
)
from messages.people import Person
from messages.stay import BeginStay, ConsentGiven, ConsentWithdrawn, CostReached
from tests.actors.gateway.scene import (
    ANNA,
    BAR,
    BERT,
    DEN,
    HOME,
    LEAVER,
    ONLINE,
    OPENED,
    S1,
    S2,
    SECOND,
    STAY,
    after,
    decided,
    in_both,
    inside,
    join,
    leave,
    told,
)
from tests.probe import Probe

DESK = Probe[StayOrderAnswered]()
SAY = SayAloud(order=OrderId("say"), text="Dinner.", reply_to=DESK)
HUSH = Hush(order=OrderId("hush"), seconds=60.0, reply_to=DESK)
STOP = Interrupt(order=OrderId("stop"), reply_to=DESK)
ORDERS: tuple[StayOrder, ...] = (SAY, HUSH, STOP)


def ordered(order: StayOrder = STOP, stay: StayId | None = None) -> StayOrdered:
    return StayOrdered(stay=stay, order=order)


def withdraw(person: Person = ANNA) -> WithdrawConsent:
    return WithdrawConsent(order=OrderId("w"), person=person.id, reply_to=DESK)


def says(order: StayOrder = STOP, code: OrderCode = OrderCode.DONE) -> StayOrderAnswered:
    """What a stay answers."""
    return StayOrderAnswered(order=order.order, code=code, stay=S1)


def answers(decisions: tuple[Decision, ...]) -> list[tuple[str, str, str | None]]:
    given = [one for one in decisions if isinstance(one, AnswerOrder)]
    assert all(one.asker is DESK for one in given)
    return [(one.answer.order, one.answer.code.value, one.answer.stay) for one in given]


# --- which stay -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [None, S1])
@pytest.mark.parametrize("order", [*ORDERS, withdraw()])
def test_the_only_stay_is_meant_or_the_one_that_is_named(order: StayOrder, name: StayId | None) -> None:
    assert decided(inside()[0], ordered(order, name)) == (PassOn(mailbox=STAY, order=order),)


def test_of_several_stays_one_has_to_be_named() -> None:
    state = in_both()
    assert answers(decided(state, ordered())) == [("stop", "ambiguous", None)]
    assert decided(state, ordered(STOP, S2)) == (PassOn(mailbox=SECOND, order=STOP),)


@pytest.mark.parametrize("name", [None, S1])
def test_where_there_is_none_it_is_answered_at_once(name: StayId | None) -> None:
    assert answers(after(*ONLINE, ordered(STOP, name))[1]) == [("stop", "no_stay", None)]
    assert answers(decided(inside()[0], ordered(STOP, StayId("gone")))) == [("stop", "no_stay", None)]


# --- one answer -------------------------------------------------------------------------------------


def test_the_answer_of_the_stay_is_passed_on_once() -> None:
    state, _ = inside(ordered(STOP), ordered(SAY))
    assert answers(decided(state, says(SAY, OrderCode.BUSY))) == [("say", "busy", S1)]
    state, _ = after(says(SAY), state=state)
    assert decided(state, says(SAY)) == ()
    assert [one.order for one in state.orders] == [STOP]


@pytest.mark.parametrize(
    "ending",
    [
        StayEnded(stay=S1, failed=None),
        StayEnded(stay=S1, failed="shutdown"),
        OpenRefused(request=BeginStay(stay=S1, room=DEN), refusal=Refusal.FULL),
    ],
)
def test_a_stay_that_is_over_owes_nobody_an_answer(ending: GatewayMessage) -> None:
    state, _ = inside(*(ordered(order) for order in ORDERS))
    state, decisions = after(ending, state=state)
    assert answers(decisions) == [(name, "no_stay", S1) for name in ("say", "hush", "stop")]
    assert decided(state, says()) == ()


def test_the_other_stay_goes_on_owing_its_own() -> None:
    state, _ = after(ordered(STOP, S1), ordered(SAY, S2), StayEnded(stay=S1, failed=None), state=in_both())
    assert [one.order for one in state.orders] == [SAY]


def test_a_house_that_closes_answers_what_nobody_has_answered() -> None:
    state, _ = inside(ordered(SAY), ordered(STOP))
    assert answers(stopped(state, 0.0, "shutdown")) == [("say", "no_stay", S1), ("stop", "no_stay", S1)]


def test_so_many_and_no_more_wait_for_an_answer() -> None:
    state, _ = inside(*[ordered()] * MOST_ORDERS)
    assert answers(decided(state, ordered(SAY))) == [("say", "busy", S1)]
    assert len(answers(after(StayEnded(stay=S1, failed=None), state=state)[1])) == MOST_ORDERS


# --- a stay that does not live yet ------------------------------------------------------------------


def coming(*more: GatewayMessage) -> State:
    return after(*ONLINE, join(by=AskedBy.SLASH), *more)[0]


def test_it_is_told_as_soon_as_it_lives_and_after_who_is_there() -> None:
    state = coming(ordered(SAY), ordered(withdraw()))
    decisions = decided(state, OPENED)
    passed = [one for one in decisions if isinstance(one, PassOn)]
    assert [one.order.order for one in passed] == ["say", "w"]
    assert decisions.index(passed[0]) > decisions.index(told(ConsentGiven(person=ANNA.id))[0])


def test_one_that_is_to_end_before_it_lives_takes_no_orders() -> None:
    assert answers(decided(coming(leave()), ordered())) == [("stop", "leaving", S1)]


# --- consent ----------------------------------------------------------------------------------------


def test_whoever_is_somewhere_else_is_not_here() -> None:
    state, decisions = inside(ordered(withdraw(BERT)))
    assert answers(decisions) == [("w", "not_here", S1)]
    assert state.refused == ()


def test_a_stay_that_comes_later_does_not_hear_him_either_until_he_says_so() -> None:
    state, _ = inside(ordered(withdraw()), StayEnded(stay=S1, failed=None), join())
    assert state.refused == ((HOME, ANNA.id),)
    again = decided(state, StayOpened(stay=S1, room=DEN, mailbox=STAY))
    assert told(ConsentWithdrawn(person=ANNA.id))[0] in again


# --- one stay of several ----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "room", "stays"), [(S1, DEN, [S2]), (S2, BAR, [S1])])
def test_just_the_stay_that_is_named_is_left(name: StayId, room: str, stays: list[StayId]) -> None:
    order = LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=LEAVER, stay=name)
    state, decisions = after(order, state=in_both())
    (answer,) = [one.answer for one in decisions if isinstance(one, AnswerLeave)]
    assert answer.room == room
    assert [one.stay for one in state.stays if one.ending is None] == stays


def test_one_that_is_not_there_cannot_be_left() -> None:
    order = LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=LEAVER, stay=StayId("gone"))
    refused = LeaveAnswered(room=None, refused=RefusedLeave.NOT_IN_VOICE)
    assert decided(in_both(), order) == (AnswerLeave(asker=LEAVER, answer=refused),)


# --- what it costs ----------------------------------------------------------------------------------


def test_what_a_stay_costs_is_told_to_it() -> None:
    passed = CostPassed(stay=S1, amount=1.5, currency="USD")
    assert decided(inside()[0], passed) == told(CostReached(amount=1.5, currency="USD"))
    assert after(*ONLINE, passed)[1] == ()
