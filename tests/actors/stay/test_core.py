"""The rules of a stay, one test each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from actors.stay import core, leaving
from actors.stay.decisions import (
    Decision,
    Finish,
    Record,
    SetTimer,
    ToCaptain,
    ToEars,
    ToFloor,
    ToGateway,
    ToRealtime,
    ToVoice,
)
from actors.stay.settings import StaySettings
from actors.stay.state import Phase, StayState
from messages.audio import Frame
from messages.captain import StayIsOver
from messages.evidence import Consent, Degraded, Failed, Joined, Left, Membership, TextInput
from messages.floor import AwaitQuiet, JustJoined, LineTyped, RosterChange, RosterTold
from messages.gateway import PostText, StayEnded, StayJoined
from messages.ids import CaptureId, LineId, PersonId, RoomId, StayId
from messages.lifecycle import Close, Ending, Open
from messages.people import Person
from messages.realtime import ForgetPerson, RoomObserved
from messages.stay import (
    ConsentGiven,
    ConsentWithdrawn,
    ConversationOpened,
    EarClosed,
    EarOpened,
    EarsOpened,
    EndStay,
    FloorOpened,
    LeftReason,
    LinkClosed,
    LinkDegraded,
    LinkGone,
    LinkReady,
    MouthQuiet,
    OpenEar,
    PersonArrived,
    PersonDeparted,
    PersonTyped,
    RemovedFromRoom,
    RosterKnown,
    SayInChat,
    StayMessage,
    StayOverdue,
    VoiceOpened,
)
from messages.voice import CloseLink, CloseMicrophone, MicrophoneCount, OpenLink, OpenMicrophone

STAY, ROOM = StayId("s1"), RoomId("den")
ANNA = Person(id=PersonId("anna"), label="Anna")
BEN = Person(id=PersonId("ben"), label="Ben")
ROBOT = Person(id=PersonId("robot"), label="Robot", bot=True)
UP = LinkReady(encryption="local")
HOUSE = (FloorOpened(), ConversationOpened(), EarsOpened())
CAPTURE = CaptureId("s1-1")


class Sink:
    """A sink that nobody puts anything into."""

    def put(self, frame: Frame, /) -> None:
        raise AssertionError(frame)


SINK = Sink()
EAR = EarOpened(person=ANNA.id, capture=CAPTURE, sink=SINK)


def joining(policy: str = "explicit", **settings: bool) -> StayState:
    state = StayState(stay_id=STAY, room=ROOM, settings=StaySettings(consent_policy=policy, **settings))
    return core.begin(state)[0]


def after(state: StayState, *events: StayMessage, now: float = 10.0) -> StayState:
    for event in events:
        state, _ = core.step(state, event, now, LineId("l1"))
    return state


def decided(state: StayState, event: StayMessage, now: float = 10.0) -> tuple[Decision, ...]:
    return core.step(state, event, now, LineId("l1"))[1]


def active(*people: Person, policy: str = "explicit") -> StayState:
    return after(joining(policy), *HOUSE, RosterKnown(people=people or (ANNA,)), UP)


def listening() -> StayState:
    return after(active(), ConsentGiven(person=ANNA.id), EAR)


def receipts(decisions: Sequence[Decision]) -> list[object]:
    return [one.receipt for one in decisions if isinstance(one, Record)]


def ended(state: StayState, now: float = 12.0) -> list[object]:
    return receipts(decided(state, LinkClosed(counts=()), now))


@pytest.mark.parametrize("last", range(5))
def test_it_has_joined_only_once_everything_that_it_needs_is_there(last: int) -> None:
    needed: list[StayMessage] = [RosterKnown(people=(ANNA, ROBOT)), UP, *HOUSE]
    final = needed.pop(last)
    waiting = after(joining(), *needed)
    assert waiting.phase is Phase.JOINING
    decisions = decided(waiting, final)
    assert receipts(decisions) == [Joined(stay_id=STAY, room_id=ROOM, humans=1, bots=1, encryption="local")]
    assert ToGateway(StayJoined(stay=STAY)) in decisions
    assert decisions[-1] == ToFloor(JustJoined())


def test_a_voice_room_that_opens_is_told_the_room_and_every_open_microphone() -> None:
    assert decided(joining(), VoiceOpened()) == (ToVoice(OpenLink(room=ROOM)),)
    assert decided(listening(), VoiceOpened()) == (
        ToVoice(OpenLink(room=ROOM)),
        ToVoice(OpenMicrophone(person=ANNA.id, capture=CAPTURE, sink=SINK)),
    )
    deaf_yet = after(active(), ConsentGiven(person=ANNA.id))
    assert decided(deaf_yet, VoiceOpened()) == (ToVoice(OpenLink(room=ROOM)),)


def test_consent_opens_an_ear_and_the_ear_opens_the_microphone() -> None:
    decisions = decided(active(), ConsentGiven(person=ANNA.id))
    assert receipts(decisions) == [Consent(stay_id=STAY, person_id=ANNA.id, phase="granted")]
    assert ToEars(Open(request=OpenEar(person=ANNA, capture=CAPTURE))) in decisions
    state = after(active(), ConsentGiven(person=ANNA.id))
    assert decided(state, EAR) == (ToVoice(OpenMicrophone(person=ANNA.id, capture=CAPTURE, sink=SINK)),)


@pytest.mark.parametrize("person", [BEN, ROBOT])
def test_nobody_absent_and_no_bot_can_consent(person: Person) -> None:
    assert decided(active(ANNA, ROBOT), ConsentGiven(person=person.id)) == ()


def test_consent_twice_opens_one_ear() -> None:
    assert decided(listening(), ConsentGiven(person=ANNA.id)) == ()


def test_an_ear_that_opens_after_the_consent_is_gone_gets_no_microphone() -> None:
    assert decided(active(), EAR) == ()
    other = replace(EAR, capture=CaptureId("s1-9"))
    assert decided(after(active(), ConsentGiven(person=ANNA.id)), other) == ()


def test_under_presence_everybody_who_is_or_comes_is_heard_and_told_so() -> None:
    assert active(ANNA, ROBOT, policy="presence").consented == {ANNA.id}
    decisions = decided(active(policy="presence"), PersonArrived(person=BEN))
    assert Consent(stay_id=STAY, person_id=BEN.id, phase="granted") in receipts(decisions)
    posts = [one.message for one in decisions if isinstance(one, ToGateway)]
    assert [type(post) for post in posts] == [PostText]


def test_a_refusal_outlasts_presence_until_the_same_person_opts_in() -> None:
    refused = after(active(policy="presence"), ConsentWithdrawn(person=ANNA.id))
    back = after(refused, PersonDeparted(person=ANNA.id), PersonArrived(person=ANNA))
    assert back.consented == frozenset()
    assert after(back, ConsentGiven(person=ANNA.id)).consented == {ANNA.id}


def test_opting_out_deafens_him_and_makes_the_conversation_forget() -> None:
    decisions = decided(listening(), ConsentWithdrawn(person=ANNA.id))
    assert decisions[:2] == (ToVoice(CloseMicrophone(person=ANNA.id)), ToEars(Close(name=ANNA.id)))
    assert ToRealtime(ForgetPerson(person=ANNA.id)) in decisions
    assert receipts(decisions) == [Consent(stay_id=STAY, person_id=ANNA.id, phase="withdrawn")]


def test_opting_out_without_having_opted_in_is_remembered_and_says_nothing() -> None:
    assert decided(active(), ConsentWithdrawn(person=ANNA.id)) == ()
    assert after(active(), ConsentWithdrawn(person=ANNA.id)).refused == {ANNA.id}


def test_who_comes_is_told_to_the_floor_once() -> None:
    decisions = decided(active(), PersonArrived(person=BEN))
    assert receipts(decisions) == [Membership(stay_id=STAY, person_id=BEN.id, change="arrived", humans=2)]
    told = decisions[-1]
    assert isinstance(told, ToFloor)
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


def test_an_empty_room_ends_nothing() -> None:
    assert after(listening(), PersonDeparted(person=ANNA.id)).phase is Phase.ACTIVE


def test_a_crashed_ear_costs_the_consent_and_the_room_is_told() -> None:
    crashed = EarClosed(person=ANNA.id, capture=CAPTURE, ending=Ending.CRASHED)
    decisions = decided(listening(), crashed)
    assert receipts(decisions) == [
        Failed(stay_id=STAY, stage="capture", reason="crashed", person_id=ANNA.id),
        Consent(stay_id=STAY, person_id=ANNA.id, phase="lost"),
    ]
    assert isinstance(decisions[-1], ToGateway)
    again = after(listening(), crashed, ConsentGiven(person=ANNA.id))
    assert again.ears[0].capture == "s1-2"


def test_an_ear_closed_on_request_costs_nothing_more() -> None:
    closed = EarClosed(person=ANNA.id, capture=CAPTURE, ending=Ending.REMOVED)
    assert receipts(decided(listening(), closed)) == []
    assert decided(active(), closed) == ()


def test_a_lost_link_is_degraded_and_the_stay_goes_on() -> None:
    lost = LinkDegraded(reason="reset")
    assert receipts(decided(listening(), lost)) == [Degraded(stay_id=STAY, phase="lost", reason="reset")]
    degraded = after(listening(), lost)
    assert degraded.consented == {ANNA.id}
    assert receipts(decided(degraded, lost)) == []
    assert receipts(decided(degraded, UP)) == [Degraded(stay_id=STAY, phase="restored", reason="link_up")]


def test_a_link_gone_for_good_ends_the_stay_as_media_lost() -> None:
    gone = LinkGone(reason="media_lost")
    assert Failed(stay_id=STAY, stage="voice_link", reason="media_lost") in receipts(
        decided(listening(), gone)
    )
    assert ended(after(listening(), gone)) == [Left(stay_id=STAY, reason="media_lost", duration_ms=2000)]
    assert decided(after(listening(), gone), gone) == ()


def test_a_stay_that_never_joined_leaves_no_left_behind() -> None:
    failed = after(joining(), LinkGone(reason="not_ready"))
    decisions = decided(failed, LinkClosed(counts=()))
    assert receipts(decisions) == []
    assert ToGateway(StayEnded(stay=STAY, failed="join_failed")) in decisions


def test_a_join_that_takes_too_long_has_failed() -> None:
    late = StayOverdue(token=joining().token)
    assert receipts(decided(joining(), late)) == [
        Failed(stay_id=STAY, stage="voice_link", reason="join_overdue")
    ]
    assert after(joining(), late).phase is Phase.CLOSING


def test_a_timer_of_an_earlier_wait_does_nothing() -> None:
    assert decided(active(), StayOverdue(token=joining().token)) == ()
    assert decided(active(), StayOverdue(token=active().token)) == ()


def test_his_own_leaving_lets_the_speech_drain_then_closes_the_ears_first() -> None:
    leave = EndStay(reason=LeftReason.SELF_DECIDED, after_speech=True)
    decisions = decided(listening(), leave)
    assert decisions[0] == ToFloor(AwaitQuiet())
    assert isinstance(decisions[1], SetTimer)
    leaving_state = after(listening(), leave)
    assert decided(leaving_state, leave) == ()
    closing = decided(leaving_state, MouthQuiet())
    assert closing[:2] == (ToEars(Close(name=ANNA.id)), ToVoice(CloseLink()))
    assert ended(after(leaving_state, MouthQuiet())) == [
        Left(stay_id=STAY, reason="self_decided", duration_ms=2000)
    ]


def test_his_own_leaving_waits_five_seconds_and_no_longer() -> None:
    state = after(listening(), EndStay(reason=LeftReason.SELF_DECIDED, after_speech=True))
    assert after(state, StayOverdue(token=state.token)).phase is Phase.CLOSING


def test_a_link_that_never_closes_does_not_hold_up_the_end() -> None:
    state = after(listening(), RemovedFromRoom())
    decisions = decided(state, StayOverdue(token=state.token))
    assert receipts(decisions) == [Left(stay_id=STAY, reason="kicked", duration_ms=0)]
    assert decisions[-3:] == (
        ToGateway(StayEnded(stay=STAY, failed=None)),
        ToCaptain(StayIsOver(stay=STAY)),
        Finish(),
    )


def test_an_order_while_he_says_goodbye_hastens_him_but_the_first_reason_stands() -> None:
    state = after(
        listening(),
        EndStay(reason=LeftReason.SELF_DECIDED, after_speech=True),
        EndStay(reason=LeftReason.OPERATOR, after_speech=False),
    )
    assert ended(state) == [Left(stay_id=STAY, reason="self_decided", duration_ms=2000)]


def test_what_every_microphone_came_to_is_on_record_before_the_left() -> None:
    counts = (MicrophoneCount(person=BEN.id, decoded=0, unread=50),)
    early = after(listening(), LinkClosed(counts=counts), RemovedFromRoom())
    assert ended(early) == [
        Consent(stay_id=STAY, person_id=BEN.id, phase="counted", decoded=0, unread=50),
        Left(stay_id=STAY, reason="kicked", duration_ms=2000),
    ]


def test_a_person_is_counted_once_over_every_life_of_the_link() -> None:
    first = (MicrophoneCount(person=BEN.id, decoded=0, unread=50),)
    second = (MicrophoneCount(person=ANNA.id, decoded=7, unread=0), *first)
    state = after(listening(), LinkClosed(counts=first), RemovedFromRoom())
    assert receipts(decided(state, LinkClosed(counts=second)))[:2] == [
        Consent(stay_id=STAY, person_id=BEN.id, phase="counted", decoded=0, unread=100),
        Consent(stay_id=STAY, person_id=ANNA.id, phase="counted", decoded=7, unread=0),
    ]


def test_a_line_in_the_chat_is_a_line_of_the_room() -> None:
    decisions = decided(active(), PersonTyped(person=BEN, text="hello"))
    assert receipts(decisions) == [
        TextInput(stay_id=STAY, person_id=BEN.id, line_id=LineId("l1"), characters=5)
    ]
    assert isinstance(decisions[1], ToFloor)
    assert isinstance(decisions[1].message, LineTyped)


def test_a_line_of_a_bot_or_before_joining_or_after_leaving_is_nothing() -> None:
    assert decided(active(), PersonTyped(person=ROBOT, text="hello")) == ()
    assert decided(joining(), PersonTyped(person=ANNA, text="hello")) == ()
    assert decided(after(active(), RemovedFromRoom()), PersonTyped(person=ANNA, text="hello")) == ()


def test_a_reborn_floor_or_conversation_is_told_who_is_here() -> None:
    state = listening()
    told = RosterTold(people=state.presences(), change=None, who=None)
    assert decided(state, FloorOpened()) == (ToFloor(told),)
    observed = RoomObserved(people=state.presences(), change=None, who=None)
    assert decided(state, ConversationOpened()) == (ToRealtime(observed),)


def test_a_floor_reborn_while_he_leaves_is_told_to_fall_quiet() -> None:
    state = after(active(), EndStay(reason=LeftReason.SELF_DECIDED, after_speech=True))
    assert decided(state, FloorOpened())[-1] == ToFloor(AwaitQuiet())


def test_he_writes_in_the_chat_only_where_text_is_allowed() -> None:
    assert decided(active(), SayInChat(text="hi")) == (ToGateway(PostText(room=ROOM, text="hi")),)
    assert decided(joining(text_allowed=False), SayInChat(text="hi")) == ()
    assert decided(after(active(), RemovedFromRoom()), SayInChat(text="hi")) == ()


def test_a_stay_that_is_over_opens_nothing_and_wakes_for_nothing() -> None:
    over = after(active(), RemovedFromRoom())
    assert decided(over, VoiceOpened()) == ()
    assert decided(over, ConsentGiven(person=ANNA.id)) == ()
    assert decided(over, MouthQuiet()) == ()
    assert decided(over, RemovedFromRoom()) == ()
    gone = after(over, LinkClosed(counts=()))
    assert decided(gone, StayOverdue(token=gone.token)) == ()


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        (Ending.CRASHED, "crashed"),
        (Ending.GIVEN_UP, "crashed"),
        (Ending.SHUTDOWN, "shutdown"),
        (Ending.SIBLING_FAILED, "gateway_lost"),
    ],
)
def test_a_stay_that_is_stopped_still_leaves_its_one_left(ending: Ending, reason: str) -> None:
    last = leaving.stopped(listening(), ending, 11.0)
    assert receipts(last) == [Left(stay_id=STAY, reason=reason, duration_ms=1000)]


def test_a_stay_that_has_ended_has_no_more_last_words() -> None:
    over = after(active(), RemovedFromRoom(), LinkClosed(counts=()))
    assert leaving.stopped(over, Ending.FINISHED, 11.0) == ()


def test_bad_settings_say_what_to_write_instead() -> None:
    with pytest.raises(ValueError, match="explicit"):
        StaySettings(consent_policy="everybody")
    with pytest.raises(ValueError, match="join_seconds"):
        StaySettings(join_seconds=0)
