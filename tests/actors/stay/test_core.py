"""The rules of a stay, one test each."""

from __future__ import annotations

import pytest

from actors.stay import leaving
from actors.stay.decisions import (
    Finish,
    TellCaptain,
    TellEars,
    TellFloor,
    TellGateway,
    TellRealtime,
    TellVoice,
    Wake,
)
from actors.stay.settings import StaySettings
from actors.stay.state import Phase
from messages.captain import StayIsOver
from messages.evidence import Consent, Degraded, Failed, Joined, Left, TextInput
from messages.floor import AwaitQuiet, JustJoined, LineTyped, RosterTold
from messages.gateway import PostText, StayEnded, StayJoined
from messages.ids import LineId
from messages.lifecycle import Close, Ending
from messages.realtime import RoomObserved
from messages.stay import (
    ConsentGiven,
    ConversationOpened,
    EndStay,
    FloorOpened,
    FloorQuiet,
    LeftReason,
    LinkClosed,
    LinkDegraded,
    LinkGone,
    LinkOpened,
    PersonDeparted,
    PersonTyped,
    RemovedFromRoom,
    RosterKnown,
    SayInChat,
    StayMessage,
    StayOverdue,
)
from messages.voice import CloseLink, MicrophoneCount, OpenLink, OpenMicrophone
from tests.actors.stay.scene import (
    ANNA,
    BEN,
    CAPTURE,
    HOUSE,
    ROBOT,
    ROOM,
    SINK,
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


@pytest.mark.parametrize("last", range(5))
def test_it_has_joined_only_once_everything_that_it_needs_is_there(last: int) -> None:
    needed: list[StayMessage] = [RosterKnown(people=(ANNA, ROBOT)), UP, *HOUSE]
    final = needed.pop(last)
    waiting = after(joining(), *needed)
    assert waiting.phase is Phase.JOINING
    decisions = decided(waiting, final)
    assert receipts(decisions) == [Joined(stay_id=STAY, room_id=ROOM, humans=1, bots=1, encryption="local")]
    assert TellGateway(message=StayJoined(stay=STAY)) in decisions
    assert decisions[-1] == TellFloor(message=JustJoined())


def test_a_voice_room_that_opens_is_told_the_room_and_every_open_microphone() -> None:
    assert decided(joining(), LinkOpened()) == (TellVoice(message=OpenLink(room=ROOM)),)
    assert decided(listening(), LinkOpened())[-2:] == (
        TellVoice(message=OpenLink(room=ROOM)),
        TellVoice(message=OpenMicrophone(person=ANNA.id, capture=CAPTURE, sink=SINK)),
    )
    deaf_yet = after(active(), ConsentGiven(person=ANNA.id))
    assert decided(deaf_yet, LinkOpened())[-1] == TellVoice(message=OpenLink(room=ROOM))


def test_a_voice_room_that_opens_again_has_no_link_yet_and_the_room_may_know_it() -> None:
    lost = Degraded(stay_id=STAY, phase="lost", reason="voice_restarted")
    assert receipts(decided(listening(), LinkOpened())) == [lost]
    again = after(listening(), LinkOpened())
    assert (again.phase, again.link_trouble) == (Phase.DEGRADED, "voice_restarted")
    assert receipts(decided(again, LinkOpened())) == []
    assert receipts(decided(again, UP)) == [Degraded(stay_id=STAY, phase="restored", reason="link_up")]


def test_an_empty_room_ends_nothing() -> None:
    assert after(listening(), PersonDeparted(person=ANNA.id)).phase is Phase.ACTIVE


def test_a_lost_link_is_degraded_and_the_stay_goes_on() -> None:
    lost = LinkDegraded(reason="reset")
    assert receipts(decided(listening(), lost)) == [Degraded(stay_id=STAY, phase="lost", reason="reset")]
    degraded = after(listening(), lost)
    assert degraded.consented == {ANNA.id}
    assert receipts(decided(degraded, lost)) == []
    assert receipts(decided(degraded, UP)) == [Degraded(stay_id=STAY, phase="restored", reason="link_up")]


def test_a_link_gone_for_good_ends_the_stay_as_media_lost() -> None:
    gone = LinkGone(reason="media_lost")
    assert ended(after(listening(), gone)) == [Left(stay_id=STAY, reason="media_lost", duration_ms=2000)]
    assert decided(after(listening(), gone), gone) == ()


def test_a_stay_that_never_joined_leaves_no_left_behind() -> None:
    failed = after(joining(), LinkGone(reason="not_ready"))
    decisions = decided(failed, LinkClosed(counts=()))
    assert receipts(decisions) == []
    assert TellGateway(message=StayEnded(stay=STAY, failed="not_ready")) in decisions


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
    assert decisions[0] == TellFloor(message=AwaitQuiet())
    assert isinstance(decisions[1], Wake)
    leaving_state = after(listening(), leave)
    assert decided(leaving_state, leave) == ()
    closing = decided(leaving_state, FloorQuiet())
    assert closing[:2] == (TellEars(message=Close(name=ANNA.id)), TellVoice(message=CloseLink()))
    assert ended(after(leaving_state, FloorQuiet())) == [
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
        TellGateway(message=StayEnded(stay=STAY, failed=None)),
        TellCaptain(message=StayIsOver(stay=STAY)),
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
    assert isinstance(decisions[1], TellFloor)
    assert isinstance(decisions[1].message, LineTyped)


def test_a_line_of_a_bot_or_before_joining_or_after_leaving_is_nothing() -> None:
    assert decided(active(), PersonTyped(person=ROBOT, text="hello")) == ()
    assert decided(joining(), PersonTyped(person=ANNA, text="hello")) == ()
    assert decided(after(active(), RemovedFromRoom()), PersonTyped(person=ANNA, text="hello")) == ()


def test_a_reborn_floor_or_conversation_is_told_who_is_here() -> None:
    state = listening()
    told = RosterTold(people=state.presences(), change=None, who=None)
    assert decided(state, FloorOpened()) == (TellFloor(message=told),)
    observed = RoomObserved(people=state.presences(), change=None, who=None, room=ROOM)
    assert decided(state, ConversationOpened()) == (TellRealtime(message=observed),)


def test_a_floor_reborn_while_he_leaves_is_told_to_fall_quiet() -> None:
    state = after(active(), EndStay(reason=LeftReason.SELF_DECIDED, after_speech=True))
    assert decided(state, FloorOpened())[-1] == TellFloor(message=AwaitQuiet())


def test_he_writes_in_the_chat_only_where_text_is_allowed() -> None:
    assert decided(active(), SayInChat(text="hi")) == (TellGateway(message=PostText(room=ROOM, text="hi")),)
    assert decided(joining(text_allowed=False), SayInChat(text="hi")) == ()
    assert decided(after(active(), RemovedFromRoom()), SayInChat(text="hi")) == ()


def test_a_stay_that_is_over_opens_nothing_and_wakes_for_nothing() -> None:
    over = after(active(), RemovedFromRoom())
    assert decided(over, LinkOpened()) == ()
    assert decided(over, ConsentGiven(person=ANNA.id)) == ()
    assert decided(over, FloorQuiet()) == ()
    assert decided(over, RemovedFromRoom()) == ()
    gone = after(over, LinkClosed(counts=()))
    assert decided(gone, StayOverdue(token=gone.token)) == ()


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        (Ending.CRASHED, "crashed"),
        (Ending.GIVEN_UP, "crashed"),
        (Ending.SHUTDOWN, "shutdown"),
        (Ending.ORDERED, "operator"),
        (Ending.SIBLING_FAILED, "gateway_lost"),
    ],
)
def test_a_stay_that_is_stopped_still_leaves_its_one_left(ending: Ending, reason: str) -> None:
    last = leaving.stopped(listening(), ending, 11.0)
    broken = reason in ("crashed", "gateway_lost")
    lost = [Consent(stay_id=STAY, person_id=ANNA.id, phase="lost")] if reason == "crashed" else []
    assert receipts(last) == [*lost, Left(stay_id=STAY, reason=reason, duration_ms=1000)]
    told = [one for one in last if isinstance(one, TellGateway) and isinstance(one.message, PostText)]
    assert told == ([TellGateway(message=PostText(room=ROOM, text=leaving.BROKEN_NOTICE))] if broken else [])
    assert leaving.stopped(joining(), ending, 11.0)[0] == TellGateway(
        message=StayEnded(stay=STAY, failed=reason)
    )


@pytest.mark.parametrize("ending", [Ending.CRASHED, Ending.SIBLING_FAILED])
def test_who_was_going_anyway_does_not_ask_to_come_back(ending: Ending) -> None:
    leaving_already = after(listening(), EndStay(reason=LeftReason.OPERATOR, after_speech=True))
    last = leaving.stopped(leaving_already, ending, 11.0)
    assert receipts(last) == [Left(stay_id=STAY, reason="operator", duration_ms=1000)]
    assert not any(isinstance(one, TellGateway) and isinstance(one.message, PostText) for one in last)


def test_a_stay_that_has_ended_has_no_more_last_words() -> None:
    over = after(active(), RemovedFromRoom(), LinkClosed(counts=()))
    assert leaving.stopped(over, Ending.FINISHED, 11.0) == ()


def test_bad_settings_say_what_to_write_instead() -> None:
    with pytest.raises(ValueError, match="explicit"):
        StaySettings(consent_policy="everybody")
    with pytest.raises(ValueError, match="most_heard"):
        StaySettings(most_heard=0)
    with pytest.raises(ValueError, match="join_seconds"):
        StaySettings(join_seconds=0)
