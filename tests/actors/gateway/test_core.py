"""The rules of coming and going, and of who is told what happens in a room."""

import pytest

from actors.gateway.core import step, stopped
from actors.gateway.decisions import (
    AnswerJoin,
    AnswerLeave,
    Begin,
    Decision,
    Enter,
    Leave,
    Post,
    Record,
    TellStay,
    Wake,
    Warn,
)
from actors.gateway.settings import GatewaySettings
from actors.gateway.state import State
from messages.evidence import Failed
from messages.gateway import (
    AskedBy,
    ConsentAsked,
    GatewayGone,
    GatewayMessage,
    GatewayReady,
    JoinAnswer,
    Joined,
    JoinOverdue,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    MemberArrived,
    MemberDeparted,
    MessageSeen,
    OwnVoiceMoved,
    PostText,
    RefusedJoin,
    Room,
    RoomRoster,
    StayEnded,
    StayJoined,
    StayOpened,
)
from messages.ids import GuildId, MessageId, PersonId, RoomId, StayId
from messages.lifecycle import OpenRefused, Refusal
from messages.people import Person
from messages.stay import (
    BeginStay,
    ConsentGiven,
    ConsentWithdrawn,
    EndStay,
    LeftReason,
    PersonArrived,
    PersonDeparted,
    PersonTyped,
    RemovedFromRoom,
    RosterKnown,
    StayMessage,
)
from tests.probe import Probe

DEN, ATTIC = RoomId("den"), RoomId("attic")
HOME = GuildId("home")
S1, S2 = StayId("s1"), StayId("s2")
ANNA = Person(id=PersonId("anna"), label="Anna")
BERT = Person(id=PersonId("bert"), label="Bert")
ROBOT = Person(id=PersonId("robot"), label="Robot", bot=True)


def ready(*rooms: RoomId) -> GatewayReady:
    seen = tuple(Room(id=room, guild=HOME, name=room) for room in rooms)
    return GatewayReady(account=ROBOT, rooms=seen)


def typed(person: Person, text: str) -> MessageSeen:
    return MessageSeen(message=MessageId("m1"), room=DEN, guild=HOME, person=person, text=text)


ASKER, OTHER = Probe[JoinAnswer](), Probe[JoinAnswer]()
LEAVER = Probe[LeaveAnswered]()
STAY = Probe[StayMessage]()
JOIN = JoinVoice(room=DEN, asked_by=AskedBy.SLASH, reply_to=ASKER)
OPENED = StayOpened(stay=S1, room=DEN, mailbox=STAY)
LEAVE = LeaveVoice(asked_by=AskedBy.OPERATOR, reply_to=LEAVER)
OPERATOR = EndStay(reason=LeftReason.OPERATOR, after_speech=False)
START = State(settings=GatewaySettings())
ONLINE = (ready(DEN, ATTIC), RoomRoster(room=DEN, people=(ANNA,)))


def after(*events: GatewayMessage, state: State = START) -> tuple[State, tuple[Decision, ...]]:
    decisions: tuple[Decision, ...] = ()
    for event in events:
        state, decisions = step(state, event, S1)
    return state, decisions


def inside(*events: GatewayMessage) -> tuple[State, tuple[Decision, ...]]:
    return after(*ONLINE, JOIN, OPENED, StayJoined(stay=S1), OwnVoiceMoved(guild=HOME, room=DEN), *events)


def told(message: StayMessage) -> tuple[Decision, ...]:
    return (TellStay(mailbox=STAY, message=message),)


def refused(detail: str, asker: Probe[JoinAnswer] = ASKER) -> AnswerJoin:
    return AnswerJoin(asker=asker, answer=JoinRefused(reason=RefusedJoin.FAILED, detail=detail))


def test_an_order_to_join_begins_a_stay_that_is_told_who_is_there_and_seen_in_the_room() -> None:
    state, decisions = after(*ONLINE, JOIN)
    assert decisions == (
        Begin(stay=BeginStay(stay=S1, room=DEN)),
        Wake(seconds=40.0, message=JoinOverdue(stay=S1)),
    )
    state, decisions = step(state, OPENED, S2)
    assert decisions == (*told(RosterKnown(people=(ANNA,))), Enter(room=DEN))
    _, decisions = step(state, StayJoined(stay=S1), S2)
    assert decisions == (AnswerJoin(asker=ASKER, answer=Joined(room=DEN, stay=S1)),)


def test_everybody_who_asked_while_he_was_coming_is_answered() -> None:
    second = JoinVoice(room=DEN, asked_by=AskedBy.CAPTAIN, reply_to=OTHER)
    _, decisions = after(*ONLINE, JOIN, second, OPENED, StayJoined(stay=S1))
    answer = Joined(room=DEN, stay=S1)
    assert decisions == (AnswerJoin(asker=ASKER, answer=answer), AnswerJoin(asker=OTHER, answer=answer))


def test_joining_the_room_he_is_in_changes_nothing() -> None:
    before, _ = inside()
    state, decisions = step(before, JOIN, S2)
    assert state == before
    assert decisions == (AnswerJoin(asker=ASKER, answer=Joined(room=DEN, stay=S1)),)


def test_a_second_room_is_refused() -> None:
    _, decisions = inside(JoinVoice(room=ATTIC, asked_by=AskedBy.SLASH, reply_to=OTHER))
    assert decisions == (AnswerJoin(asker=OTHER, answer=JoinRefused(reason=RefusedJoin.OTHER_GUILD)),)


@pytest.mark.parametrize(
    ("events", "detail"),
    [
        ((), "not_ready"),
        ((ready(ATTIC),), "no_such_room"),
        ((*ONLINE, JOIN, LEAVE), "leaving"),
    ],
)
def test_an_order_that_cannot_be_followed_is_refused_with_a_code(
    events: tuple[GatewayMessage, ...], detail: str
) -> None:
    assert after(*events, JOIN)[1] == (refused(detail),)


def test_a_stay_that_ends_before_it_joined_refuses_whoever_asked() -> None:
    state, decisions = after(*ONLINE, JOIN, OPENED, StayEnded(stay=S1, failed="not_ready"))
    assert decisions == (Leave(room=DEN), refused("not_ready"))
    assert state.stays == ()


def test_a_stay_that_the_supervisor_refuses_is_a_join_refused() -> None:
    refusal = OpenRefused(request=BeginStay(stay=S1, room=DEN), refusal=Refusal.FULL)
    assert after(*ONLINE, JOIN, refusal)[1] == (Leave(room=DEN), refused("full"))


def test_a_stay_that_says_nothing_is_given_up_and_put_on_record() -> None:
    state, decisions = after(*ONLINE, JOIN, OPENED, JoinOverdue(stay=S1))
    assert decisions == (
        Record(receipt=Failed(stay_id=S1, stage="voice_link", reason="join_overdue")),
        *told(EndStay(reason=LeftReason.JOIN_FAILED, after_speech=False)),
        Leave(room=DEN),
        refused("join_overdue"),
    )
    assert step(state, JoinOverdue(stay=S1), S2) == (state, ())
    assert inside(JoinOverdue(stay=S1))[1] == ()


def test_leaving_ends_the_stay_and_says_which_room_it_was() -> None:
    state, decisions = inside(LEAVE)
    assert decisions == (
        AnswerLeave(asker=LEAVER, answer=LeaveAnswered(room=DEN)),
        *told(OPERATOR),
    )
    _, decisions = step(state, StayEnded(stay=S1, failed=None), S2)
    assert decisions == (Leave(room=DEN),)


def test_the_captain_lets_him_finish_what_he_is_saying() -> None:
    _, decisions = inside(LeaveVoice(asked_by=AskedBy.CAPTAIN, reply_to=LEAVER))
    assert decisions[1:] == told(EndStay(reason=LeftReason.CAPTAIN, after_speech=True))


def test_there_may_be_nothing_to_leave() -> None:
    assert after(LEAVE)[1] == (AnswerLeave(asker=LEAVER, answer=LeaveAnswered(room=None)),)


def test_a_stay_that_is_to_end_before_it_lives_is_told_as_soon_as_it_does() -> None:
    assert after(*ONLINE, JOIN, LEAVE, OPENED)[1] == told(OPERATOR)


def test_a_stay_that_nobody_knows_is_told_to_end() -> None:
    replaced = EndStay(reason=LeftReason.REPLACED, after_speech=False)
    state, decisions = after(*ONLINE, OPENED)
    assert decisions == told(replaced)
    assert step(state, StayJoined(stay=S1), S2) == (state, ())
    assert step(state, StayEnded(stay=S1, failed=None), S2) == (state, ())


def test_who_comes_and_goes_and_writes_is_told_to_the_stay_once() -> None:
    state, decisions = inside(MemberArrived(room=DEN, person=BERT))
    assert decisions == told(PersonArrived(person=BERT))
    assert step(state, MemberArrived(room=DEN, person=BERT), S2) == (state, ())
    _, decisions = step(state, typed(BERT, "hi"), S2)
    assert decisions == told(PersonTyped(person=BERT, text="hi"))
    state, decisions = step(state, MemberDeparted(room=DEN, person=BERT.id), S2)
    assert decisions == told(PersonDeparted(person=BERT.id))
    assert step(state, MemberDeparted(room=DEN, person=BERT.id), S2) == (state, ())


def test_a_roster_that_comes_later_replaces_the_first() -> None:
    assert inside(RoomRoster(room=DEN, people=(BERT,)))[1] == told(RosterKnown(people=(BERT,)))


def test_what_bots_write_is_ignored() -> None:
    assert inside(typed(ROBOT, "beep"))[1] == ()


def test_consent_counts_from_those_who_are_here_and_refusals_from_everybody() -> None:
    granted = ConsentAsked(room=DEN, person=ANNA.id, granted=True)
    assert inside(granted)[1] == told(ConsentGiven(person=ANNA.id))
    assert inside(ConsentAsked(room=DEN, person=BERT.id, granted=True))[1] == ()
    withdrawn = ConsentAsked(room=DEN, person=BERT.id, granted=False)
    assert inside(withdrawn)[1] == told(ConsentWithdrawn(person=BERT.id))


def test_consent_to_a_stay_that_does_not_live_yet_is_told_when_it_does() -> None:
    yes = ConsentAsked(room=DEN, person=ANNA.id, granted=True)
    no = ConsentAsked(room=DEN, person=ANNA.id, granted=False)
    stranger = ConsentAsked(room=DEN, person=BERT.id, granted=True)
    _, decisions = after(*ONLINE, JOIN, yes, no, yes, stranger, OPENED)
    assert decisions == (
        *told(RosterKnown(people=(ANNA,))),
        *told(ConsentGiven(person=ANNA.id)),
        Enter(room=DEN),
    )


def test_those_who_still_wait_when_the_account_is_lost_for_good_are_refused() -> None:
    joining, _ = after(*ONLINE, JOIN)
    assert stopped(joining) == (refused("gateway_lost"),)
    assert stopped(inside()[0]) == ()


def test_what_happens_in_another_room_changes_nothing_here() -> None:
    assert inside(MemberArrived(room=ATTIC, person=BERT))[1] == ()
    assert inside(MemberTyped(room=ATTIC, person=BERT, text="hi"))[1] == ()
    assert inside(ConsentAsked(room=ATTIC, person=ANNA.id, granted=True))[1] == ()


def test_facts_about_a_stay_that_does_not_live_yet_are_only_remembered() -> None:
    state, decisions = after(*ONLINE, JOIN, MemberArrived(room=DEN, person=BERT))
    assert decisions == ()
    assert step(state, OPENED, S2)[1][0] == told(RosterKnown(people=(ANNA, BERT)))[0]


def test_who_is_put_out_is_removed_once_and_only_after_having_been_inside() -> None:
    state, decisions = inside(OwnVoiceMoved(guild=HOME, room=None))
    assert decisions == told(RemovedFromRoom())
    assert step(state, OwnVoiceMoved(guild=HOME, room=None), S2) == (state, ())
    assert after(*ONLINE, JOIN, OPENED, OwnVoiceMoved(guild=HOME, room=None))[1] == ()


def test_who_is_leaving_anyway_is_not_removed() -> None:
    assert inside(LEAVE, OwnVoiceMoved(guild=HOME, room=None))[1] == ()


def test_who_is_moved_to_another_room_leaves() -> None:
    moved = EndStay(reason=LeftReason.MOVED, after_speech=False)
    assert inside(OwnVoiceMoved(guild=HOME, room=ATTIC))[1] == told(moved)


def test_an_account_that_is_gone_ends_every_stay_and_tells_the_operator_what_to_do() -> None:
    gone = GatewayGone(reason="bad_token", remedy="Enter another token.")
    lost = EndStay(reason=LeftReason.GATEWAY_LOST, after_speech=False)
    state, decisions = inside(gone)
    assert decisions == (Warn(reason="bad_token", remedy="Enter another token."), *told(lost))
    assert not state.ready


def test_an_account_that_comes_back_still_knows_who_was_there() -> None:
    state, _ = inside(GatewayReady(rooms=(DEN,)))
    assert state.rooms == {DEN: (ANNA,)}


def test_what_he_writes_is_cut_at_two_thousand_characters() -> None:
    assert after(PostText(room=DEN, text="x" * 3_000))[1] == (Post(room=DEN, text="x" * 2_000),)


def test_several_stays_are_possible_and_an_order_to_leave_ends_them_all() -> None:
    state = State(settings=GatewaySettings(max_stays=2))
    state, _ = after(*ONLINE, JOIN, OPENED, StayJoined(stay=S1), state=state)
    attic = JoinVoice(room=ATTIC, asked_by=AskedBy.SLASH, reply_to=OTHER)
    state, decisions = step(state, attic, S2)
    assert decisions[0] == Begin(stay=BeginStay(stay=S2, room=ATTIC))
    state, decisions = step(state, LEAVE, StayId("s3"))
    assert decisions == (AnswerLeave(asker=LEAVER, answer=LeaveAnswered(room=DEN)), *told(OPERATOR))
    assert [stay.ending for stay in state.stays] == [OPERATOR, OPERATOR]


@pytest.mark.parametrize("wrong", [{"max_stays": 0}, {"join_seconds": 0.5}])
def test_settings_that_cannot_work_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be between"):
        GatewaySettings(**wrong)  # type: ignore[arg-type]
