"""Orders: whom they go to, that each is answered once and in time, and what is known of them afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.console.core import closing, facts, step
from actors.console.decisions import AnswerOrder, CarryOut, Decision, Log, Wake
from actors.console.ordering import ANSWER_SECONDS, JOIN_SECONDS, MOST_ORDERS
from actors.console.reporting import report
from actors.console.state import State
from messages import console as ask
from messages import evidence as say
from messages.console import Order, OrderAnswer, OrderGiven, OrderResult
from messages.gateway import JoinRefused, LeaveAnswered, RefusedJoin
from messages.ids import LineId, OrderId, PersonId, RoomId, StayId, Token
from messages.lifecycle import RestartAnswered
from messages.orders import OrderCode, StayOrderAnswered

NEW = State(version="1", opened_at=100.0, token=Token(0), ask_seconds=60.0)
ONE, TWO, STAY, ANN = OrderId("o1"), OrderId("o2"), StayId("s1"), PersonId("ann")
JOINED = say.Joined(stay_id=STAY, room_id=RoomId("r1"), humans=2, bots=1, encryption="dave")


def order(wanted: Order, name: OrderId = ONE) -> OrderGiven:
    return OrderGiven(id=name, order=wanted, answer=lambda _: None)


def after(
    *events: ask.ConsoleMessage, state: State = NEW, now: float = 100.0
) -> tuple[State, tuple[Decision, ...]]:
    decisions: tuple[Decision, ...] = ()
    for event in events:
        state, decisions = step(state, event, now)
    return state, decisions


def recorded(*receipts: say.Receipt) -> list[say.Recorded]:
    return [say.Recorded(receipt=each, at=1.0, json_line="{}") for each in receipts]


def answers(decisions: Sequence[Decision]) -> list[OrderAnswer]:
    return [each.answer for each in decisions if isinstance(each, AnswerOrder)]


def done(code: OrderCode = OrderCode.DONE, name: OrderId = ONE) -> StayOrderAnswered:
    return StayOrderAnswered(order=name, code=code, stay=STAY)


def test_whoever_has_the_console_begin_anew_is_answered_before_it_shuts() -> None:
    given_ = order(ask.RestartOrdered(path="root/console"))
    _, decisions = after(given_, state=replace(NEW, path="root/console"))
    assert [type(each) for each in decisions] == [AnswerOrder, Log, CarryOut]
    [answer] = answers(decisions)
    assert (answer.result, "clankie page" in answer.text) == (OrderResult.DONE, True)


@pytest.mark.parametrize(
    ("wanted", "seconds"),
    [(ask.JoinOrdered(), JOIN_SECONDS), (ask.SayOrdered(text="my secret"), ANSWER_SECONDS)],
)
def test_an_order_is_carried_out_and_waited_for_only_so_long(wanted: Order, seconds: float) -> None:
    given_ = order(wanted)
    state, decisions = after(given_)
    assert decisions == (
        CarryOut(given=given_),
        Wake(seconds=seconds, message=ask.OrderDue(order=ONE)),
    )
    assert (facts(state)["orders"], report(state, 100.0).counts.orders) == (1, 1)
    state, decisions = after(ask.OrderDue(order=ONE), state=state)
    [answer] = answers(decisions)
    assert (answer.result, answer.code) == (OrderResult.PENDING, "timeout")
    assert answer.text.startswith(f"nobody has answered within {seconds:g} seconds; it may still be done")
    assert after(done(), ask.OrderDue(order=ONE), state=state) == (state, ())


def test_an_answer_ends_an_order_and_leaves_one_line_without_anybodys_words() -> None:
    given_ = order(ask.SayOrdered(text="my secret"))
    state, decisions = after(given_, done())
    assert state.given == ()
    answered, log = decisions
    assert isinstance(answered, AnswerOrder)
    assert answered.given is given_
    assert log == Log(text="the operator's order to say: done (done)", failed=False)
    assert after(done(), state=state) == (state, ())


def test_what_was_to_be_restarted_is_in_the_log() -> None:
    ended = ask.RestartEnded(order=ONE, answer=RestartAnswered(path="root/a", restarted=False))
    _, decisions = after(order(ask.RestartOrdered(path="root/a")), ended)
    text = "the operator's order to restart root/a: refused (not_restarted)"
    assert decisions[1] == Log(text=text, failed=False)


def test_a_house_that_is_to_close_says_so_before_it_does() -> None:
    given_ = order(ask.ShutdownOrdered())
    state, decisions = after(given_)
    assert [type(each) for each in decisions] == [AnswerOrder, Log, CarryOut]
    assert (answers(decisions)[0].result, state.given) == (OrderResult.DONE, ())


def test_too_many_orders_at_once_are_refused_but_not_the_one_to_close() -> None:
    many = [order(ask.FlushOrdered(), OrderId(f"o{n}")) for n in range(MOST_ORDERS)]
    full, _ = after(*many)
    state, decisions = after(order(ask.FlushOrdered(), OrderId("more")), state=full)
    [answer] = answers(decisions)
    assert (answer.result, answer.code, len(state.given)) == (OrderResult.REFUSED, "busy", MOST_ORDERS)
    _, decisions = after(order(ask.ShutdownOrdered()), state=full)
    assert answers(decisions)[0].result is OrderResult.DONE
    freed, _ = after(done(name=OrderId("o3")), state=full)
    assert answers(after(order(ask.FlushOrdered()), state=freed)[1]) == []


def test_nobody_is_left_waiting_at_a_window_that_shuts() -> None:
    state, _ = after(order(ask.JoinOrdered()), order(ask.FlushOrdered(), TWO))
    state, decisions = closing(state)
    assert [answer.code for answer in answers(decisions)] == ["console_closed"] * 2
    assert state.given == ()


def test_whoever_was_taken_out_of_the_record_is_not_told_of_here() -> None:
    lines = [
        say.FloorDecision(
            stay_id=STAY,
            person_id=person,
            line_id=LineId(person),
            heard_as="none",
            decision="ignore",
            rule="dormant",
        )
        for person in (ANN, PersonId("bob"))
    ]
    purged = say.Purged(person=ANN, lines=0, receipts=1)
    ended = ask.PurgeEnded(order=ONE, answer=purged)
    state, _ = after(*recorded(*lines), order(ask.PurgeOrdered(person=ANN)), ended)
    assert [line.person_id for line in state.lines] == ["bob"]
    assert [reason.text for reason in state.reasons] == ["a line of bob was heard as none: ignore: dormant"]


NAMES = st.sampled_from([OrderId(f"o{n}") for n in range(6)])
ORDERS: list[Order] = [
    ask.JoinOrdered(),
    ask.LeaveOrdered(),
    ask.SayOrdered(text="hi"),
    ask.HushOrdered(seconds=5.0),
    ask.RestartOrdered(path="root/a"),
    ask.FlushOrdered(),
    ask.PurgeOrdered(person=ANN),
    ask.ShutdownOrdered(),
]
EVENTS = st.one_of(
    st.builds(ask.OrderDue, order=NAMES),
    st.builds(done, st.sampled_from(OrderCode), NAMES),
    st.builds(ask.JoinEnded, order=NAMES, answer=st.just(JoinRefused(reason=RefusedJoin.FAILED, detail="x"))),
    st.builds(ask.LeaveEnded, order=NAMES, answer=st.just(LeaveAnswered(room=None))),
    st.builds(ask.FlushEnded, order=NAMES, answer=st.just(say.Flushed(lost=0))),
    st.builds(ask.PurgeEnded, order=NAMES, answer=st.just(say.Purged(person=ANN, lines=0, receipts=0))),
    st.sampled_from(ORDERS),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(EVENTS, max_size=30))
def test_in_whatever_order_things_happen_each_order_is_answered_exactly_once(
    events: list[ask.OrderDue | ask.OrderEnded | Order],
) -> None:
    state, given_, told = NEW, list[OrderGiven](), list[OrderGiven]()
    for event in events:
        if isinstance(event, ask.OrderDue | ask.JoinEnded | ask.LeaveEnded | ask.FlushEnded | ask.PurgeEnded):
            message: ask.ConsoleMessage = event
        elif isinstance(event, StayOrderAnswered | ask.RestartEnded):
            message = event
        else:
            message = order(event, OrderId(f"o{len(given_)}"))
            given_.append(message)
        state, decisions = step(state, message, 100.0)
        told += [each.given for each in decisions if isinstance(each, AnswerOrder)]
    _, decisions = closing(state)
    told += [each.given for each in decisions if isinstance(each, AnswerOrder)]
    assert sorted(map(id, told)) == sorted(map(id, given_))
