"""Moved, hindered, asked after: what others do to a stay, and what people may know of it."""

from __future__ import annotations

import pytest

from actors.stay import core
from actors.stay.decisions import Record, TellEars, TellFloor, TellGateway, TellRealtime, TellVoice, Wake
from actors.stay.state import Phase, State
from messages.evidence import Consent, Degraded, Joined, Left, Membership
from messages.floor import RosterChange, RosterTold
from messages.gateway import PostText, StayFacts
from messages.ids import CaptureId, LineId, RoomId
from messages.lifecycle import Close
from messages.people import Presence
from messages.realtime import ForgetPerson, RoomObserved
from messages.stay import (
    ConsentGiven,
    ConsentWithdrawn,
    EarOpened,
    EndStay,
    FloorOpened,
    FloorQuiet,
    LeftReason,
    LinkClosed,
    LinkDegraded,
    LinkGone,
    LinkOpened,
    LinkPrivate,
    MovedToRoom,
    PersonTyped,
    RemovedFromRoom,
    RosterKnown,
    StayOverdue,
    VoiceHindered,
)
from messages.voice import CloseMicrophone, OpenLink, OpenMicrophone
from tests.actors.stay.scene import (
    ANNA,
    BEN,
    HOUSE,
    ROOM,
    SINK,
    STAY,
    UP,
    active,
    after,
    decided,
    ended,
    everything_decided,
    joining,
    listening,
    news,
    receipts,
)

ATTIC = RoomId("attic")
MOVED = MovedToRoom(room=ATTIC, people=(BEN,))
OPEN = TellVoice(message=OpenLink(room=ATTIC))
FACTS = StayFacts(
    stay=STAY, room=ROOM, phase="active", encryption="local", privacy_code="", humans=1, heard=()
)


def notices(state: State, event: MovedToRoom | VoiceHindered) -> list[str]:
    told = [one.message for one in decided(state, event) if isinstance(one, TellGateway)]
    return [one.text for one in told if isinstance(one, PostText)]


# --- moved ----------------------------------------------------------------------------------------


def test_moved_he_hears_nobody_and_says_so_in_the_new_room() -> None:
    decisions = decided(listening(), MOVED)
    assert decisions[:3] == (
        Record(receipt=Consent(stay_id=STAY, person_id=ANNA.id, phase="moved")),
        TellVoice(message=CloseMicrophone(person=ANNA.id)),
        TellEars(message=Close(name=ANNA.id)),
    )
    assert receipts(decisions)[1:] == [
        Degraded(stay_id=STAY, phase="lost", reason="moved", room_id=ATTIC),
        Membership(stay_id=STAY, person_id=BEN.id, change="moved", humans=1),
    ]
    (post,) = (one.message for one in decisions if isinstance(one, TellGateway))
    assert isinstance(post, PostText)
    assert (post.room, "hear nobody yet" in post.text) == (ATTIC, True)
    state = after(listening(), MOVED)
    assert (state.room, state.people, state.consented, state.ears) == (ATTIC, (BEN,), frozenset(), ())


def test_the_floor_and_the_conversation_learn_that_he_was_moved() -> None:
    here = (Presence(person=BEN, consented=False),)
    decisions = decided(listening(), MOVED)
    assert TellFloor(message=RosterTold(people=here, change=RosterChange.MOVED, who=None)) in decisions
    observed = RoomObserved(people=here, change=None, who=None, room=ATTIC)
    assert TellRealtime(message=observed) in decisions


def test_the_new_link_is_asked_for_once_he_is_silent() -> None:
    assert OPEN not in decided(listening(), MOVED)
    moving = after(listening(), MOVED)
    assert decided(moving, FloorQuiet()) == (OPEN,)
    assert OPEN in decided(moving, FloorOpened())
    settled = after(moving, FloorQuiet())
    assert decided(settled, FloorQuiet()) == ()
    assert receipts(decided(settled, UP)) == [Degraded(stay_id=STAY, phase="restored", reason="link_up")]


def test_moved_while_he_joins_it_is_the_link_of_the_new_room_that_counts() -> None:
    almost = after(joining(), RosterKnown(people=(ANNA,)), UP, MOVED)
    assert after(almost, *HOUSE).phase is Phase.JOINING
    assert after(almost, *HOUSE, UP).phase is Phase.ACTIVE


def test_put_out_while_he_is_being_moved_he_goes_though_the_link_does_not_answer() -> None:
    closing = after(listening(), MOVED, RemovedFromRoom())
    assert closing.phase is Phase.CLOSING
    decisions = decided(closing, StayOverdue(token=closing.token), 12.0)
    assert receipts(decisions) == [Left(stay_id=STAY, reason="kicked", duration_ms=2000)]


def test_a_hindrance_before_he_has_come_is_on_no_record_yet() -> None:
    muted = VoiceHindered(hindrance="server_muted")
    assert decided(joining(), muted) == ()
    assert decided(after(joining(), muted), VoiceHindered(hindrance="")) == ()


def test_a_floor_that_does_not_answer_does_not_keep_him_out() -> None:
    moving = after(listening(), MOVED)
    assert decided(moving, StayOverdue(token=moving.token)) == (OPEN,)


def test_what_the_link_of_the_old_room_still_says_changes_nothing() -> None:
    moving = after(listening(), MOVED)
    for late in (UP, LinkDegraded(reason="reset"), LinkGone(reason="4014"), LinkPrivate(privacy_code="1")):
        assert everything_decided(moving, late) == ()
    assert decided(moving, LinkOpened()) == ()
    assert decided(moving, LinkClosed(counts=())) == ()


def test_who_opts_in_in_the_new_room_is_heard_there() -> None:
    state = after(listening(), MOVED, FloorQuiet(), UP, ConsentGiven(person=BEN.id))
    second = CaptureId("s1-2")
    opened = EarOpened(person=BEN.id, capture=second, sink=SINK)
    assert decided(state, opened) == (
        TellVoice(message=OpenMicrophone(person=BEN.id, capture=second, sink=SINK)),
    )
    assert decided(state, ConsentGiven(person=ANNA.id)) == ()


def test_an_ear_that_opens_before_the_new_link_is_asked_for_is_told_to_that_link_only() -> None:
    opened = EarOpened(person=BEN.id, capture=CaptureId("s1-2"), sink=SINK)
    moving = after(listening(), MOVED, ConsentGiven(person=BEN.id))
    assert decided(moving, opened) == ()
    microphone = TellVoice(message=OpenMicrophone(person=BEN.id, capture=CaptureId("s1-2"), sink=SINK))
    assert decided(after(moving, opened), FloorQuiet()) == (OPEN, microphone)


def test_under_presence_everybody_in_the_new_room_is_heard_but_who_has_refused() -> None:
    state = after(active(ANNA, BEN, policy="presence"), ConsentWithdrawn(person=BEN.id))
    moved = MovedToRoom(room=ATTIC, people=(ANNA, BEN))
    assert after(state, moved).consented == {ANNA.id}
    assert ["Everybody in this room is heard" in text for text in notices(state, moved)] == [True]


def test_moved_before_he_has_joined_he_joins_in_the_other_room() -> None:
    early = after(joining(), *HOUSE, UP)
    assert decided(early, MOVED) == (OPEN,)
    (joined,) = receipts(decided(after(early, MOVED), UP))
    assert joined == Joined(stay_id=STAY, room_id=ATTIC, humans=1, bots=0, encryption="local")


def test_moved_while_he_says_goodbye_he_goes_at_once() -> None:
    goodbye = EndStay(reason=LeftReason.SELF_DECIDED, after_speech=True)
    state = after(listening(), goodbye, MOVED)
    assert state.phase is Phase.CLOSING
    assert ended(state) == [Left(stay_id=STAY, reason="self_decided", duration_ms=2000)]
    assert decided(state, MOVED) == ()


def test_sent_away_while_he_is_being_moved_he_asks_for_no_link() -> None:
    state = after(listening(), MOVED, EndStay(reason=LeftReason.CAPTAIN, after_speech=True))
    assert OPEN not in decided(state, FloorQuiet())
    assert after(state, FloorQuiet()).phase is Phase.CLOSING


# --- hindered -------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["server_muted", "server_deafened", "suppressed", "may_not_speak"])
def test_what_the_server_does_to_his_voice_is_said_once(code: str) -> None:
    hindered = VoiceHindered(hindrance=code)
    assert receipts(decided(active(), hindered)) == [Degraded(stay_id=STAY, phase="hindered", reason=code)]
    assert len(notices(active(), hindered)) == 1
    state = after(active(), hindered)
    assert decided(state, hindered) == ()
    assert decided(state, VoiceHindered(hindrance="")) == (
        Record(receipt=Degraded(stay_id=STAY, phase="freed", reason=code)),
    )


def test_a_hindrance_that_has_no_words_is_only_recorded() -> None:
    assert notices(active(), VoiceHindered(hindrance="odd")) == []


def test_a_hindrance_that_was_there_when_he_came_is_said_when_he_has_joined() -> None:
    early = after(joining(), VoiceHindered(hindrance="suppressed"), *HOUSE, RosterKnown(people=(ANNA,)))
    assert receipts(early_said := decided(early, UP))[1:] == [
        Degraded(stay_id=STAY, phase="hindered", reason="suppressed")
    ]
    assert any(isinstance(one, TellGateway) and isinstance(one.message, PostText) for one in early_said)
    over = after(active(), RemovedFromRoom())
    assert everything_decided(over, VoiceHindered(hindrance="server_muted")) == ()


# --- what people may know -------------------------------------------------------------------------


def test_the_account_is_told_what_changed_and_nothing_twice() -> None:
    begun, first = core.begin(State(stay_id=STAY, room=ROOM, settings=joining().settings))
    assert isinstance(first[0], TellGateway)
    assert isinstance(first[1], Wake)
    assert begun.told is not None
    assert begun.told.phase == "joining"
    state = active()
    assert state.told == FACTS
    (secured,) = news(state, LinkPrivate(privacy_code="12345 67890"))
    assert secured.privacy_code == "12345 67890"
    assert news(state, LinkPrivate(privacy_code="")) == []
    assert news(state, PersonTyped(person=ANNA, text="hello")) == []
    (heard,) = news(state, ConsentGiven(person=ANNA.id))
    assert heard.heard == (ANNA.id,)


def test_a_link_that_is_down_is_in_his_way_and_has_no_privacy_code() -> None:
    state = after(active(), LinkPrivate(privacy_code="12345 67890"))
    (facts,) = news(state, LinkDegraded(reason="reset"))
    assert (facts.phase, facts.hindrance, facts.privacy_code) == ("degraded", "reset", "")
    (again,) = news(after(state, LinkDegraded(reason="reset")), UP)
    assert (again.phase, again.hindrance) == ("active", "")


def test_a_stay_that_has_ended_tells_no_more_facts() -> None:
    over = after(active(), RemovedFromRoom())
    assert over.told is not None
    assert over.told.phase == "closing"
    assert news(over, LinkClosed(counts=())) == []


# --- forgetting -----------------------------------------------------------------------------------


def test_who_asks_to_be_forgotten_is_forgotten_heard_or_not() -> None:
    forget = ConsentWithdrawn(person=ANNA.id, forget=True)
    assert decided(active(), forget) == (TellRealtime(message=ForgetPerson(person=ANNA.id)),)
    assert TellRealtime(message=ForgetPerson(person=ANNA.id)) in decided(listening(), forget)
    assert core.step(active(), forget, 10.0, LineId("l1"))[0].refused == {ANNA.id}
