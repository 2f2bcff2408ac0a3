"""Who comes and goes, what the captain is doing, and how he leaves."""

from __future__ import annotations

import pytest

from messages.floor import (
    AwaitQuiet,
    ConversationRestarted,
    FloorMessage,
    JustJoined,
    ResultWaiting,
    RosterChange,
    Trigger,
    VoiceEnded,
    WorkBegan,
    WorkEnded,
)
from messages.ids import HandoffId
from messages.realtime import LineOverheard, RoomObserved
from messages.stay import FloorQuiet
from tests.actors.floor.scene import ANNA, BEN, CLEO, Scene, here, talking_with_anna

WORK = WorkBegan(handoff=HandoffId("h"))


def triggers(scene: Scene) -> list[Trigger]:
    return [turn.trigger for turn in scene.turns()]


# --- comings and goings


def test_a_roster_is_observed_at_once_and_a_coming_asks_for_one_turn_soon() -> None:
    scene = Scene().forget().arrives(*here(ANNA, BEN, CLEO), who=CLEO)
    assert [message.who for message in scene.done(RoomObserved)] == [CLEO]
    assert scene.passes(0.9).turns() == []
    assert triggers(scene.passes(0.2)) == [Trigger.MEMBERSHIP]


def test_a_flapping_member_costs_one_turn_in_ten_seconds() -> None:
    scene = Scene()
    for _ in range(10):
        scene.arrives(*here(ANNA, BEN, CLEO), who=CLEO).passes(0.7)
        scene.arrives(*here(ANNA, BEN), who=CLEO, change=RosterChange.DEPARTED).passes(0.7)
        if scene.state.flight:
            scene.stays_silent()
    assert triggers(scene) == [Trigger.MEMBERSHIP] * 2


def test_a_coming_during_speech_waits_and_coalesces() -> None:
    scene, utterance = talking_with_anna()
    scene.arrives(*here(ANNA, BEN), who=CLEO, change=RosterChange.DEPARTED).passes(3)
    scene.arrives(*here(ANNA), who=BEN, change=RosterChange.DEPARTED).passes(3)
    assert scene.turns() == []
    assert triggers(scene.drains(utterance)) == [Trigger.MEMBERSHIP]


def test_a_membership_turn_waits_for_a_silence_but_not_for_ever() -> None:
    scene = Scene().arrives(*here(ANNA, BEN, CLEO), who=CLEO)
    segment = scene.begins(ANNA)
    assert scene.held(ANNA, segment, 29).turns() == []
    assert triggers(scene.held(ANNA, segment, 2, before=29)) == [Trigger.MEMBERSHIP]


def test_consent_is_observed_and_asks_for_no_turn() -> None:
    scene = Scene().forget().arrives(*here(ANNA, BEN), who=BEN, change=RosterChange.CONSENTED).passes(60)
    assert (len(scene.done(RoomObserved)), scene.turns()) == (1, [])


def test_a_withdrawal_without_a_name_or_a_wish_changes_no_line() -> None:
    scene = Scene().arrives(*here(ANNA, deaf=(BEN,)), who=BEN, change=RosterChange.WITHDREW)
    scene.arrives(*here(ANNA, BEN), who=BEN, change=RosterChange.WITHDREW)
    assert scene.turns() == []


def test_he_greets_once_and_who_is_there_is_part_of_it() -> None:
    scene = Scene().arrives(*here(ANNA, BEN, CLEO), who=CLEO).happens(JustJoined()).stays_silent().passes(60)
    assert triggers(scene) == [Trigger.GREETING]


def test_a_greeting_waits_five_seconds_for_a_silence() -> None:
    scene = Scene()
    segment = scene.begins(ANNA)
    scene.happens(JustJoined()).held(ANNA, segment, 4.8)
    assert scene.turns() == []
    assert triggers(scene.held(ANNA, segment, 0.3, before=4.8)) == [Trigger.GREETING]


# --- the captain's work


def test_results_merge_into_one_turn_and_wait_five_seconds_for_a_silence() -> None:
    scene = Scene()
    segment = scene.begins(ANNA)
    one, two = ResultWaiting(handoff=HandoffId("1")), ResultWaiting(handoff=HandoffId("2"))
    scene.happens(one).held(ANNA, segment, 2).happens(two, two).held(ANNA, segment, 2.8, before=2)
    assert scene.turns() == []
    assert triggers(scene.held(ANNA, segment, 0.4, before=4.8)) == [Trigger.HANDOFF_RESULT]
    scene.stays_silent().passes(1)
    assert len(scene.turns()) == 1


def test_a_long_hand_off_may_be_talked_about_once() -> None:
    scene = Scene().happens(WORK).passes(3.9)
    assert scene.turns() == []
    scene.passes(0.2)
    assert triggers(scene) == [Trigger.HANDOFF_WAIT]
    scene.stays_silent().passes(60)
    assert len(scene.turns()) == 1


def test_nobody_is_talked_over_for_the_sake_of_a_filler() -> None:
    scene = Scene().happens(WORK)
    segment = scene.begins(ANNA)
    assert scene.held(ANNA, segment, 8).turns() == []
    assert triggers(scene.heard(ANNA, segment, "it rained", began=scene.now - 8)) == [Trigger.HANDOFF_WAIT]


@pytest.mark.parametrize("waits", [WORK, ResultWaiting(handoff=HandoffId("h"))])
def test_whoever_has_just_asked_is_answered_before_anything_is_said_of_the_work(waits: FloorMessage) -> None:
    scene = Scene()
    began, segment = scene.now, scene.begins(ANNA)
    scene.happens(waits).held(ANNA, segment, 4.5)
    scene.happens(VoiceEnded(person=ANNA.id, segment=segment, at=scene.now, voiced=4.5)).passes(0.4)
    assert scene.turns() == []
    scene.heard(ANNA, segment, "Clankie, when is the launch?", began=began)
    assert triggers(scene) == [Trigger.ADDRESS]


def test_what_the_room_has_heard_meanwhile_is_filler_enough() -> None:
    scene, utterance = talking_with_anna()
    scene.happens(WORK).passes(5)
    assert scene.drains(utterance).passes(20).turns() == []


def test_work_that_has_ended_needs_no_filler() -> None:
    assert Scene().happens(WORK, WorkEnded(handoff=HandoffId("h"))).passes(10).turns() == []


def test_work_keeps_a_conversation_alive_for_five_minutes_at_most() -> None:
    scene, utterance = talking_with_anna()
    scene.happens(WORK).drains(utterance).passes(290)
    assert scene.state.engagement.holder == ANNA.id
    scene.passes(80)
    assert scene.state.engagement.holder is None
    assert scene.state.works == ()


# --- leaving


def test_when_nothing_is_being_said_he_is_quiet_at_once() -> None:
    assert Scene().happens(AwaitQuiet()).done(FloorQuiet) == [FloorQuiet()]


def test_while_he_leaves_nobody_is_told_that_work_goes_on() -> None:
    assert Scene().happens(AwaitQuiet(), WORK).passes(10).turns() == []


def test_leaving_waits_for_his_speech_and_asks_for_nothing_more() -> None:
    scene, utterance = talking_with_anna()
    scene.says(ANNA, "how come").happens(AwaitQuiet())
    scene.happens(JustJoined(), ResultWaiting(handoff=HandoffId("1")), WORK)
    scene.arrives(*here(ANNA), who=BEN, change=RosterChange.DEPARTED)
    assert scene.done(FloorQuiet) == []
    scene.drains(utterance).passes(1).says(ANNA, "Clankie, are you there?").passes(30)
    assert scene.done(FloorQuiet) == [FloorQuiet()]
    assert scene.verdicts()[-1] == ("hold", "leaving")
    assert (scene.turns(), scene.state.results) == ([], ())
    assert [message.line.text for message in scene.done(LineOverheard)] == [
        "how come",
        "Clankie, are you there?",
    ]


def test_while_he_leaves_a_lost_address_is_not_asked_again() -> None:
    scene = Scene().says(ANNA, "Clankie, bye").happens(AwaitQuiet(), ConversationRestarted())
    assert (len(scene.turns()), scene.state.wish) == (1, None)
    assert scene.done(FloorQuiet) == [FloorQuiet()]
