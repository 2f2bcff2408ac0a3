"""Orders of the operator's reach whoever can obey them, and each is answered once."""

from __future__ import annotations

import pytest

from actors.stay.decisions import Answer, Decision, PassOn, TellFloor, TellRealtime, TellVoice
from actors.stay.state import State
from messages.evidence import Consent
from messages.floor import HushGoesOn, JustJoined
from messages.ids import OrderId, PersonId
from messages.orders import Hush, Interrupt, OrderCode, SayAloud, StayOrderAnswered, WithdrawConsent
from messages.people import Person
from messages.realtime import CostObserved, ForgetPerson
from messages.stay import (
    ConsentGiven,
    CostReached,
    EndStay,
    FloorOpened,
    FloorQuiet,
    LeftReason,
    RosterKnown,
    StayMessage,
)
from messages.voice import CloseMicrophone
from tests.actors.stay.scene import (
    ANNA,
    BEN,
    HOUSE,
    STAY,
    UP,
    active,
    after,
    decided,
    ended,
    joining,
    listening,
    receipts,
)
from tests.probe import Probe

DESK = Probe[StayOrderAnswered]()
SAY = SayAloud(order=OrderId("say"), text="Dinner.", reply_to=DESK)
HUSH = Hush(order=OrderId("hush"), seconds=60.0, reply_to=DESK)
STOP = Interrupt(order=OrderId("stop"), reply_to=DESK)
GOODBYE = EndStay(reason=LeftReason.SELF_DECIDED, after_speech=True)
GO = EndStay(reason=LeftReason.OPERATOR, after_speech=False)


def withdraw(person: Person) -> WithdrawConsent:
    return WithdrawConsent(order=OrderId("w"), person=person.id, reply_to=DESK)


def says(order: SayAloud | Hush | Interrupt, code: OrderCode = OrderCode.DONE) -> StayOrderAnswered:
    """What the floor answers."""
    return StayOrderAnswered(order=order.order, code=code, stay=STAY)


def answers(decisions: tuple[Decision, ...]) -> list[tuple[str, str]]:
    told = [one for one in decisions if isinstance(one, Answer)]
    assert all(one.mailbox is DESK and one.answer.stay == STAY for one in told)
    return [(one.answer.order, one.answer.code.value) for one in told]


def passed(decisions: tuple[Decision, ...]) -> list[str]:
    return [one.order.order for one in decisions if isinstance(one, PassOn)]


# --- consent ----------------------------------------------------------------------------------------


def test_somebody_is_heard_no_longer_as_if_he_had_said_so_himself() -> None:
    decisions = decided(listening(), withdraw(ANNA))
    assert TellVoice(message=CloseMicrophone(person=ANNA.id)) in decisions
    assert TellRealtime(message=ForgetPerson(person=ANNA.id)) in decisions
    assert receipts(decisions) == [Consent(stay_id=STAY, person_id=ANNA.id, phase="withdrawn")]
    assert answers(decisions) == [("w", "done")]


@pytest.mark.parametrize(
    ("state", "person", "code"),
    [
        (active(ANNA, BEN), BEN, "nothing_to_do"),
        (listening(), Person(id=PersonId("dan"), label="Dan"), "not_here"),
        (after(listening(), withdraw(ANNA)), ANNA, "nothing_to_do"),
        (after(listening(), GO), ANNA, "leaving"),
        (after(listening(), GOODBYE), ANNA, "done"),
    ],
)
def test_whoever_is_not_heard_anyway_is_told_so(state: State, person: Person, code: str) -> None:
    decisions = decided(state, withdraw(person))
    assert answers(decisions) == [("w", code)]
    assert len(receipts(decisions)) == (code == "done")


def test_under_the_presence_policy_it_holds_as_well() -> None:
    state = after(active(policy="presence"), withdraw(ANNA))
    assert ANNA.id in state.refused
    assert ANNA.id not in state.consented
    assert ANNA.id in after(state, ConsentGiven(person=ANNA.id)).consented


# --- what the floor obeys ---------------------------------------------------------------------------


@pytest.mark.parametrize("order", [SAY, HUSH, STOP])
def test_the_floor_obeys_and_its_answer_is_passed_on_once(order: SayAloud | Hush | Interrupt) -> None:
    state = active()
    assert decided(state, order) == (PassOn(order=order),)
    state = after(state, order)
    assert answers(decided(state, says(order, OrderCode.BUSY))) == [(order.order, "busy")]
    assert decided(after(state, says(order)), says(order)) == ()


def test_what_is_ordered_before_he_is_in_comes_before_his_greeting() -> None:
    state = after(joining(), *HOUSE, RosterKnown(people=(ANNA,)), SAY, HUSH)
    told = decided(state, UP)
    assert passed(told) == ["say", "hush"]
    assert told.index(PassOn(order=HUSH)) < told.index(TellFloor(message=JustJoined()))


def test_a_new_floor_is_given_what_the_last_one_did_not_answer() -> None:
    state = after(active(), SAY, STOP, says(STOP))
    assert passed(decided(state, FloorOpened())) == ["say"]


def test_a_new_floor_goes_on_with_a_hush_as_long_as_that_lasts() -> None:
    state = after(active(), HUSH, says(HUSH), now=100.0)
    assert TellFloor(message=HushGoesOn(seconds=40.0)) in decided(state, FloorOpened(), now=120.0)
    assert not [one for one in decided(state, FloorOpened(), now=161.0) if "HushGoesOn" in repr(one)]


@pytest.mark.parametrize(("code", "goes_on"), [(OrderCode.DONE, 0), (OrderCode.NOTHING_TO_DO, 1)])
def test_a_hush_that_was_lifted_does_not_come_back(code: OrderCode, goes_on: int) -> None:
    lift = Hush(order=OrderId("lift"), seconds=0.0, reply_to=DESK)
    state = after(active(), HUSH, says(HUSH), lift, says(lift, code))
    assert repr(decided(state, FloorOpened(), now=11.0)).count("HushGoesOn") == goes_on


# --- on the way out ---------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [SAY, HUSH, STOP])
@pytest.mark.parametrize("ending", [(GOODBYE,), (GOODBYE, FloorQuiet()), (GO,)])
def test_about_to_leave_he_takes_no_orders(
    order: SayAloud | Hush | Interrupt, ending: tuple[StayMessage, ...]
) -> None:
    assert answers(decided(after(active(), *ending), order)) == [(order.order, "leaving")]


def test_what_nobody_has_answered_when_he_goes_is_answered_then() -> None:
    state = after(active(), SAY, HUSH, says(SAY))
    assert answers(decided(state, GO)) == [("hush", "leaving")]
    gone = after(state, GO)
    assert decided(gone, says(HUSH)) == ()
    assert ended(gone) != []


def test_what_waits_while_he_is_joining_is_answered_if_he_never_does() -> None:
    assert answers(decided(after(joining(), SAY), GO)) == [("say", "leaving")]


# --- what it costs ----------------------------------------------------------------------------------


def reached(amount: float) -> CostReached:
    return CostReached(amount=amount, currency="USD")


def test_each_amount_is_told_the_conversation_once() -> None:
    observed = (TellRealtime(message=CostObserved(amount=1.0, currency="USD")),)
    state = active()
    assert decided(state, reached(1.0)) == observed
    state = after(state, reached(1.0))
    assert decided(state, reached(1.0)) == decided(state, reached(0.5)) == ()
    assert len(decided(state, reached(2.0))) == 1
    assert decided(after(state, GO), reached(2.0)) == ()
