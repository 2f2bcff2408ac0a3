"""Who may be heard: the rules of coming, going and consenting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.stay.decisions import (
    Record,
    TellEars,
    TellFloor,
    TellGateway,
    TellRealtime,
    TellVoice,
)
from actors.stay.state import State
from messages.evidence import Consent, Failed, Membership
from messages.floor import RosterChange, RosterTold
from messages.gateway import PostText
from messages.ids import CaptureId, PersonId
from messages.lifecycle import Close, Ending, Open, OpenRefused, Refusal
from messages.people import Person
from messages.realtime import ForgetPerson
from messages.stay import (
    ConsentGiven,
    ConsentWithdrawn,
    EarClosed,
    EarsOpened,
    OpenEar,
    PersonArrived,
    PersonDeparted,
    RosterKnown,
)
from messages.voice import CloseMicrophone, OpenMicrophone
from tests.actors.stay.scene import (
    ANNA,
    BEN,
    CAPTURE,
    EAR,
    HOUSE,
    ROBOT,
    SINK,
    STAY,
    UP,
    active,
    after,
    decided,
    joining,
    listening,
    receipts,
)

CARL = Person(id=PersonId("carl"), label="Carl")


def test_consent_opens_an_ear_and_the_ear_opens_the_microphone() -> None:
    decisions = decided(active(), ConsentGiven(person=ANNA.id))
    assert receipts(decisions) == [Consent(stay_id=STAY, person_id=ANNA.id, phase="granted")]
    assert TellEars(message=Open(request=OpenEar(person=ANNA, capture=CAPTURE))) in decisions
    state = after(active(), ConsentGiven(person=ANNA.id))
    assert decided(state, EAR) == (
        TellVoice(message=OpenMicrophone(person=ANNA.id, capture=CAPTURE, sink=SINK)),
    )


@pytest.mark.parametrize("person", [BEN, ROBOT])
def test_nobody_absent_and_no_bot_can_consent(person: Person) -> None:
    assert decided(active(ANNA, ROBOT), ConsentGiven(person=person.id)) == ()


def test_consent_before_there_are_ears_opens_one_as_soon_as_there_are() -> None:
    early = after(joining(), RosterKnown(people=(ANNA,)))
    open_ear = TellEars(message=Open(request=OpenEar(person=ANNA, capture=CAPTURE)))
    assert open_ear not in decided(early, ConsentGiven(person=ANNA.id))
    assert open_ear in decided(after(early, ConsentGiven(person=ANNA.id)), EarsOpened())
    assert decided(listening(), EarsOpened()) == ()


def test_an_ear_too_many_costs_the_consent_and_the_room_is_told() -> None:
    waiting = after(active(), ConsentGiven(person=ANNA.id))
    request = OpenEar(person=ANNA, capture=CAPTURE)
    decisions = decided(waiting, OpenRefused(request=request, refusal=Refusal.FULL))
    assert receipts(decisions) == [
        Failed(stay_id=STAY, stage="capture", reason="full", person_id=ANNA.id),
        Consent(stay_id=STAY, person_id=ANNA.id, phase="lost"),
    ]
    assert isinstance(decisions[-1], TellGateway)
    assert decided(waiting, OpenRefused(request=request, refusal=Refusal.ALREADY_OPEN)) == ()


def two_at_most(policy: str = "explicit") -> State:
    state = joining(policy)
    state = replace(state, settings=replace(state.settings, most_heard=2))
    return after(state, *HOUSE, RosterKnown(people=(ANNA, BEN, CARL)), UP)


def test_who_opts_in_when_as_many_are_heard_as_can_be_is_told_so_and_not_heard() -> None:
    full = after(two_at_most(), ConsentGiven(person=ANNA.id), ConsentGiven(person=BEN.id))
    decisions = decided(full, ConsentGiven(person=CARL.id))
    text = (
        "I can hear at most 2 people at a time, so I do not hear Carl. "
        "Opt in again when somebody has left or opted out."
    )
    assert decisions == (
        Record(receipt=Consent(stay_id=STAY, person_id=CARL.id, phase="refused")),
        TellGateway(message=PostText(room=full.room, text=text)),
    )
    assert after(full, ConsentGiven(person=CARL.id)) == full
    room_again = after(full, ConsentWithdrawn(person=ANNA.id), ConsentGiven(person=CARL.id))
    assert room_again.consented == {BEN.id, CARL.id}


def test_who_opts_in_when_there_is_no_ear_for_him_refuses_no_longer() -> None:
    full = after(two_at_most(), ConsentGiven(person=ANNA.id), ConsentGiven(person=BEN.id))
    refusing = after(full, ConsentWithdrawn(person=CARL.id))
    assert refusing.refused == {CARL.id}
    assert after(refusing, ConsentGiven(person=CARL.id)).refused == frozenset()


def test_under_presence_nobody_is_told_that_he_is_heard_who_is_not() -> None:
    full = two_at_most("presence")
    assert full.consented == {ANNA.id, BEN.id}
    dora = Person(id=PersonId("dora"), label="Dora")
    posts = [one.message for one in decided(full, PersonArrived(person=dora)) if isinstance(one, TellGateway)]
    assert len(posts) == 1
    assert isinstance(posts[0], PostText)
    assert "I do not hear Dora" in posts[0].text


@pytest.mark.parametrize(
    ("label", "written"),
    [
        ("[nitro](https://evil.example)", "nitrohttpsevil.example"),
        ("**D**ora <@101> @everyone", "Dora 101 everyone"),
        ("{most}", "{most}"),
        ("***", "somebody"),
    ],
)
def test_a_name_in_a_notice_is_neither_a_mark_nor_an_address(label: str, written: str) -> None:
    dora = Person(id=PersonId("dora"), label=label)
    told = decided(two_at_most("presence"), PersonArrived(person=dora))
    (post,) = (one.message for one in told if isinstance(one, TellGateway))
    assert isinstance(post, PostText)
    assert f"so I do not hear {written}. " in post.text


def test_a_roster_that_comes_again_is_what_happened_meanwhile() -> None:
    decisions = decided(listening(), RosterKnown(people=(BEN,)))
    assert receipts(decisions) == [
        Consent(stay_id=STAY, person_id=ANNA.id, phase="departed"),
        Membership(stay_id=STAY, person_id=ANNA.id, change="departed", humans=0),
        Membership(stay_id=STAY, person_id=BEN.id, change="arrived", humans=1),
    ]
    assert TellVoice(message=CloseMicrophone(person=ANNA.id)) in decisions
    assert decided(listening(), RosterKnown(people=(ANNA,))) == ()


def test_consent_twice_opens_one_ear() -> None:
    assert decided(listening(), ConsentGiven(person=ANNA.id)) == ()


def test_an_ear_that_opens_after_the_consent_is_gone_gets_no_microphone() -> None:
    assert decided(active(), EAR) == ()
    other = replace(EAR, capture=CaptureId("s1-9"))
    assert decided(after(active(), ConsentGiven(person=ANNA.id)), other) == ()


def test_under_presence_everybody_who_is_or_comes_is_heard_and_told_so() -> None:
    assert active(ANNA, ROBOT, policy="presence").consented == {ANNA.id}
    coming = after(joining("presence"), *HOUSE, RosterKnown(people=(ANNA,)))
    assert any(
        isinstance(one, TellGateway) and isinstance(one.message, PostText) for one in decided(coming, UP)
    )
    decisions = decided(active(policy="presence"), PersonArrived(person=BEN))
    assert Consent(stay_id=STAY, person_id=BEN.id, phase="granted") in receipts(decisions)
    posts = [one.message for one in decisions if isinstance(one, TellGateway)]
    assert [type(post) for post in posts] == [PostText]


def test_a_refusal_outlasts_presence_until_the_same_person_opts_in() -> None:
    refused = after(active(policy="presence"), ConsentWithdrawn(person=ANNA.id))
    back = after(refused, PersonDeparted(person=ANNA.id), PersonArrived(person=ANNA))
    assert back.consented == frozenset()
    assert after(back, ConsentGiven(person=ANNA.id)).consented == {ANNA.id}


def test_opting_out_deafens_him_and_makes_the_conversation_forget() -> None:
    decisions = decided(listening(), ConsentWithdrawn(person=ANNA.id))
    assert decisions[:2] == (
        TellVoice(message=CloseMicrophone(person=ANNA.id)),
        TellEars(message=Close(name=ANNA.id)),
    )
    assert TellRealtime(message=ForgetPerson(person=ANNA.id)) in decisions
    assert receipts(decisions) == [Consent(stay_id=STAY, person_id=ANNA.id, phase="withdrawn")]


def test_opting_out_without_having_opted_in_is_remembered_and_says_nothing() -> None:
    assert decided(active(), ConsentWithdrawn(person=ANNA.id)) == ()
    assert after(active(), ConsentWithdrawn(person=ANNA.id)).refused == {ANNA.id}


def test_who_comes_is_told_to_the_floor_once() -> None:
    decisions = decided(active(), PersonArrived(person=BEN))
    assert receipts(decisions) == [Membership(stay_id=STAY, person_id=BEN.id, change="arrived", humans=2)]
    told = decisions[-1]
    assert isinstance(told, TellFloor)
    assert isinstance(told.message, RosterTold)
    assert told.message.change is RosterChange.ARRIVED
    assert decided(active(ANNA, BEN), PersonArrived(person=BEN)) == ()
    assert decided(joining(), PersonArrived(person=BEN)) == ()


def test_who_leaves_takes_his_own_consent_along_and_nobody_elses() -> None:
    decisions = decided(listening(), PersonDeparted(person=ANNA.id))
    assert receipts(decisions) == [
        Consent(stay_id=STAY, person_id=ANNA.id, phase="departed"),
        Membership(stay_id=STAY, person_id=ANNA.id, change="departed", humans=0),
    ]
    both = after(active(ANNA, BEN), ConsentGiven(person=ANNA.id), PersonDeparted(person=BEN.id))
    assert both.consented == {ANNA.id}
    assert receipts(decided(both, PersonDeparted(person=BEN.id))) == []


def test_a_crashed_ear_costs_the_consent_and_the_room_is_told() -> None:
    crashed = EarClosed(person=ANNA.id, capture=CAPTURE, ending=Ending.CRASHED)
    decisions = decided(listening(), crashed)
    assert receipts(decisions) == [
        Failed(stay_id=STAY, stage="capture", reason="crashed", person_id=ANNA.id),
        Consent(stay_id=STAY, person_id=ANNA.id, phase="lost"),
    ]
    assert isinstance(decisions[-1], TellGateway)
    again = after(listening(), crashed, ConsentGiven(person=ANNA.id))
    assert again.ears[0].capture == "s1-2"


@pytest.mark.parametrize("ending", [Ending.GIVEN_UP, Ending.SIBLING_FAILED, Ending.ORDERED])
def test_where_all_ears_go_the_room_is_told_once_others_can_be_opened(ending: Ending) -> None:
    gone = EarClosed(person=ANNA.id, capture=CAPTURE, ending=ending)
    first = decided(listening(), gone)
    assert first[0] == TellVoice(message=CloseMicrophone(person=ANNA.id))
    assert receipts(first) == [Consent(stay_id=STAY, person_id=ANNA.id, phase="lost")]
    assert not any(isinstance(one, TellGateway) for one in first)
    bereft = after(listening(), gone)
    later = decided(bereft, EarsOpened())
    failed = Failed(stay_id=STAY, stage="capture", reason=ending.value, person_id=ANNA.id)
    assert receipts(later) == [failed]
    assert isinstance(later[-1], TellGateway)
    assert receipts(decided(after(bereft, EarsOpened()), EarsOpened())) == []
    for better in (ConsentGiven, ConsentWithdrawn, PersonDeparted):
        assert failed not in receipts(decided(after(bereft, better(person=ANNA.id)), EarsOpened()))


def test_an_ear_closed_on_request_costs_nothing_more() -> None:
    closed = EarClosed(person=ANNA.id, capture=CAPTURE, ending=Ending.REMOVED)
    assert receipts(decided(listening(), closed)) == []
    assert decided(active(), closed) == ()


def test_the_end_of_an_earlier_ear_costs_nothing_of_the_present_one() -> None:
    again = after(listening(), ConsentWithdrawn(person=ANNA.id), ConsentGiven(person=ANNA.id))
    late = EarClosed(person=ANNA.id, capture=CAPTURE, ending=Ending.CRASHED)
    assert decided(again, late) == ()
