"""The rules of a stay as the account sees it, and of who is told what happens in a room."""

from __future__ import annotations

import pytest

from actors.gateway.core import step, stopped
from actors.gateway.decisions import AnswerJoin, Begin, Enter, Leave, Post, Record, TellStay, Wake
from messages.evidence import BridgeStopped, Failed
from messages.gateway import (
    ConsentAsked,
    GatewayMessage,
    GatewayReady,
    Joined,
    JoinOverdue,
    MemberArrived,
    MemberDeparted,
    PostText,
    RefusedJoin,
    RoomRoster,
    StayChanged,
    StayEnded,
    StayJoined,
    StayOpened,
)
from messages.lifecycle import OpenRefused, Refusal
from messages.stay import (
    BeginStay,
    ConsentGiven,
    ConsentWithdrawn,
    EndStay,
    LeftReason,
    PersonArrived,
    PersonDeparted,
    PersonTyped,
    RosterKnown,
)
from tests.actors.gateway.scene import (
    ANNA,
    ASKER,
    ATTIC,
    BAR,
    BERT,
    DEN,
    NOW,
    ONLINE,
    OPENED,
    OTHER,
    READY,
    ROBOT,
    ROOMS,
    S1,
    S2,
    STAY,
    after,
    decided,
    facts,
    inside,
    join,
    leave,
    operator,
    refused,
    start,
    tells,
    told,
    wrote,
)

OPERATOR = EndStay(reason=LeftReason.OPERATOR, after_speech=False)
STOPPED = Record(receipt=BridgeStopped(reason="shutdown"))
HERE = Joined(room=DEN, stay=S1, name="den")


def test_an_order_to_join_begins_a_stay_that_is_told_who_is_there_and_seen_in_the_room() -> None:
    state, decisions = after(*ONLINE, join())
    assert decisions == (
        Begin(stay=BeginStay(stay=S1, room=DEN)),
        Wake(seconds=40.0, message=JoinOverdue(stay=S1)),
    )
    state, decisions = step(state, OPENED, NOW, S2)
    assert decisions == (*told(RosterKnown(people=(ANNA,))), Enter(room=DEN))
    assert decided(state, StayJoined(stay=S1)) == (AnswerJoin(asker=ASKER, answer=HERE),)


def test_everybody_who_asked_while_he_was_coming_is_answered() -> None:
    _, decisions = after(*ONLINE, join(), join(to=OTHER), OPENED, StayJoined(stay=S1))
    assert decisions == (AnswerJoin(asker=ASKER, answer=HERE), AnswerJoin(asker=OTHER, answer=HERE))


def test_joining_the_room_he_is_in_changes_nothing() -> None:
    before, _ = inside()
    assert step(before, join(), NOW, S2) == (before, (AnswerJoin(asker=ASKER, answer=HERE),))


@pytest.mark.parametrize(
    ("events", "detail"),
    [
        ((), "account_not_ready"),
        ((READY,), "no_such_room"),
        ((*ONLINE, join(), leave()), "leaving"),
        ((*ONLINE, join(), OPENED, StayChanged(facts=facts(S1, DEN, "closing"))), "leaving"),
    ],
)
def test_an_order_that_cannot_be_followed_is_refused_with_a_code(
    events: tuple[GatewayMessage, ...], detail: str
) -> None:
    room = ATTIC if detail == "no_such_room" else DEN
    without_attic = GatewayReady(account=ROBOT, rooms=(ROOMS[0],)) if events == (READY,) else None
    before = (without_attic,) if without_attic else events
    assert after(*before, operator(room))[1] == (refused(detail),)


def test_a_stay_that_ends_before_it_joined_refuses_whoever_asked() -> None:
    state, decisions = after(*ONLINE, join(), OPENED, StayEnded(stay=S1, failed="not_ready"))
    assert decisions == (Leave(room=DEN), refused("not_ready"))
    assert state.stays == ()


def test_a_stay_that_the_supervisor_refuses_is_a_join_refused() -> None:
    refusal = OpenRefused(request=BeginStay(stay=S1, room=DEN), refusal=Refusal.FULL)
    assert after(*ONLINE, join(), refusal)[1] == (Leave(room=DEN), refused("full"))


def test_a_stay_that_says_nothing_is_given_up_and_put_on_record() -> None:
    state, decisions = after(*ONLINE, join(), OPENED, JoinOverdue(stay=S1))
    assert decisions == (
        Record(receipt=Failed(stay_id=S1, stage="voice_link", reason="join_overdue")),
        *told(EndStay(reason=LeftReason.JOIN_FAILED, after_speech=False)),
        Leave(room=DEN),
        refused("join_overdue"),
    )
    assert step(state, JoinOverdue(stay=S1), NOW, S2) == (state, ())
    assert inside(JoinOverdue(stay=S1))[1] == ()


def test_a_stay_that_is_to_end_before_it_lives_is_told_as_soon_as_it_does() -> None:
    assert after(*ONLINE, join(), leave(), OPENED)[1] == told(OPERATOR)


def test_a_stay_that_nobody_knows_is_told_to_end_and_says_nothing_that_counts() -> None:
    replaced = EndStay(reason=LeftReason.REPLACED, after_speech=False)
    state, decisions = after(*ONLINE, OPENED)
    assert decisions == (TellStay(mailbox=STAY, message=replaced),)
    for late in (StayJoined(stay=S1), StayEnded(stay=S1, failed=None), StayChanged(facts=facts())):
        assert step(state, late, NOW, S2) == (state, ())


# --- what happens in a room


def test_who_comes_and_goes_is_told_to_the_stay_once() -> None:
    state, decisions = inside(MemberArrived(room=DEN, person=BERT))
    assert decisions == told(PersonArrived(person=BERT))
    assert step(state, MemberArrived(room=DEN, person=BERT), NOW, S2) == (state, ())
    state, decisions = step(state, MemberDeparted(room=DEN, person=BERT.id), NOW, S2)
    assert decisions == told(PersonDeparted(person=BERT.id))
    assert step(state, MemberDeparted(room=DEN, person=BERT.id), NOW, S2) == (state, ())


def test_a_roster_that_comes_later_replaces_the_first() -> None:
    assert inside(RoomRoster(room=DEN, people=(BERT,)))[1] == told(RosterKnown(people=(BERT,)))


def test_facts_about_a_stay_that_does_not_live_yet_are_only_remembered() -> None:
    state, decisions = after(*ONLINE, join(), MemberArrived(room=DEN, person=BERT))
    assert decisions == ()
    assert decided(state, OPENED)[:1] == told(RosterKnown(people=(ANNA, BERT)))


def test_consent_to_a_stay_that_does_not_live_yet_is_told_when_it_does() -> None:
    yes = ConsentAsked(room=DEN, person=ANNA.id, granted=True)
    no = ConsentAsked(room=DEN, person=ANNA.id, granted=False)
    _, decisions = after(*ONLINE, join(), yes, no, yes, OPENED)
    assert decisions[:-1] == told(RosterKnown(people=(ANNA,)), ConsentGiven(person=ANNA.id))
    _, decisions = after(*ONLINE, no, join(), yes, no, OPENED)
    assert decisions[:-1] == told(RosterKnown(people=(ANNA,)), ConsentWithdrawn(person=ANNA.id))


def test_what_happens_in_another_room_changes_nothing_here() -> None:
    assert inside(MemberArrived(room=ATTIC, person=BERT))[1] == ()
    assert inside(wrote(BERT, "hi", ATTIC))[1] == ()
    assert inside(ConsentAsked(room=ATTIC, person=ANNA.id, granted=True))[1] == ()
    assert inside(MemberArrived(room=BAR, person=ANNA))[1] == ()


# --- words


def test_what_is_written_in_his_room_is_said_there_once() -> None:
    state, decisions = inside(wrote(BERT, "hi"))
    assert tells(decisions) == told(PersonTyped(person=BERT, text="hi"))
    assert step(state, wrote(BERT, "hi"), NOW, S2) == (state, ())
    again = decided(state, wrote(BERT, "hi", name="m2"))
    assert tells(again) == told(PersonTyped(person=BERT, text="hi"))


def test_what_bots_write_and_what_is_in_pictures_does_not_go_to_the_floor() -> None:
    assert inside(wrote(ROBOT, "beep"))[1] == ()
    assert inside(wrote(BERT, "look", images=1))[1] == ()


def test_of_many_messages_the_latest_are_remembered() -> None:
    state, _ = inside(*(wrote(BERT, "hi", name=str(number)) for number in range(600)))
    assert len(state.text.seen) == 500
    assert decided(state, wrote(BERT, "hi", name="599")) == ()


def test_what_he_writes_is_cut_at_two_thousand_characters() -> None:
    assert after(PostText(room=DEN, text="x" * 3_000))[1] == (Post(room=DEN, text="x" * 1_999 + "…"),)


def test_those_who_still_wait_when_the_account_is_lost_for_good_are_refused() -> None:
    joining, _ = after(*ONLINE, join())
    assert stopped(joining, NOW, "shutdown") == (refused("gateway_lost"), STOPPED)
    assert stopped(inside()[0], NOW, "shutdown") == (STOPPED,)
    assert stopped(start(), NOW, "shutdown") == ()


# --- one room at a time


def test_a_second_room_is_refused_wherever_it_is() -> None:
    _, decisions = inside(join(BERT, ROOMS[2].guild, to=OTHER))
    assert decisions == (refused("", RefusedJoin.OTHER_GUILD, OTHER),)
    _, decisions = inside(operator(ATTIC))
    assert decisions == (refused("other_room", RefusedJoin.OTHER_GUILD),)
    _, decisions = inside(operator(ATTIC), state=start(max_stays=2))
    assert decisions == (refused("other_room", RefusedJoin.OTHER_GUILD),)


def test_a_stay_that_opens_after_he_was_moved_is_told_where_he_is() -> None:
    state, _ = after(*ONLINE, join())
    late = StayOpened(stay=S1, room=ATTIC, mailbox=STAY)
    assert [type(one.message).__name__ for one in decided(state, late) if isinstance(one, TellStay)] == [
        "MovedToRoom"
    ]
