"""One turn at a time, each over exactly once, and nothing that can keep him stuck."""

from __future__ import annotations

import pytest

from actors.floor.settings import FloorSettings
from actors.floor.state import TurnOver
from messages import evidence
from messages.floor import (
    AwaitQuiet,
    ConversationRestarted,
    FloorTick,
    JustJoined,
    Outcome,
    ResultWaiting,
    RosterChange,
    SpeechDrained,
    SpeechFailed,
    SpeechQueued,
    SpeechStarted,
    SpeechTold,
    Trigger,
    TurnAnswered,
    VoiceEnded,
    WordsFailed,
    WorkBegan,
    WorkEnded,
)
from messages.ids import HandoffId, Token, TurnId, UtteranceId
from messages.playback import CutSpeech
from messages.realtime import CancelTurn, LineOverheard, RoomObserved
from messages.stay import MouthQuiet
from tests.actors.floor.scene import ANNA, BEN, CLEO, Scene, here, talking_with_anna

U = UtteranceId("u")
WORK = WorkBegan(handoff=HandoffId("h"))


def outcomes(scene: Scene) -> list[Outcome]:
    return [over.outcome for over in scene.done(TurnOver)]


def triggers(scene: Scene) -> list[Trigger]:
    return [turn.trigger for turn in scene.turns()]


# --- one in flight


def test_what_comes_during_a_turn_is_held_and_asked_together() -> None:
    scene = Scene().says(ANNA, "Clankie, hello").says(BEN, "Clankie, me too").types(ANNA, "and this, Clankie")
    assert len(scene.turns()) == 1
    held = scene.receipts(evidence.FloorDecision)
    assert held[1].turn_id == held[2].turn_id != held[0].turn_id
    scene.answers()
    assert scene.turns()[1].turn == held[1].turn_id
    assert [line.text for line in scene.turns()[1].lines] == ["Clankie, me too", "and this, Clankie"]
    assert triggers(scene)[1] is Trigger.ADDRESS
    assert [r.phase for r in scene.receipts(evidence.ModelResponse)] == ["requested", "requested"]


def test_one_turn_gathers_a_bounded_number_of_lines() -> None:
    scene = Scene(settings=FloorSettings(lines_held=2)).says(ANNA, "Clankie, hello")
    for number in ("one", "two", "three"):
        scene.types(BEN, f"Clankie, {number}")
    scene.stays_silent()
    assert [line.text for line in scene.turns()[1].lines] == ["Clankie, two", "Clankie, three"]
    assert [message.line.text for message in scene.done(LineOverheard)] == ["Clankie, one"]
    assert scene.state.lines_shed == 1


def test_a_turn_waits_a_little_while_its_speaker_goes_on() -> None:
    scene = Scene()
    first, began = scene.begins(ANNA), scene.now
    second = scene.begins(ANNA)
    scene.heard(ANNA, first, "Clankie, my name is", began=began)
    assert scene.turns() == []
    scene.passes(0.5).heard(ANNA, second, "Doe", began=scene.now)
    assert [line.text for line in scene.turns()[0].lines] == ["Clankie, my name is", "Doe"]
    assert scene.verdicts() == [("wake", "addressed"), ("offer", "follow_up")]


def test_it_does_not_wait_for_long_nor_for_others() -> None:
    scene = Scene()
    scene.begins(BEN)
    assert len(scene.says(ANNA, "Clankie, hello", seconds=0.3).turns()) == 1
    other = Scene()
    first, began = other.begins(ANNA), other.now
    second = other.begins(ANNA)
    other.heard(ANNA, first, "Clankie, my name is", began=began).held(ANNA, second, 1.4)
    assert other.turns() == []
    assert len(other.passes(0.2).turns()) == 1


def test_a_line_of_a_segment_without_words_is_not_waited_for() -> None:
    scene = Scene()
    first, began = scene.begins(ANNA), scene.now
    second = scene.begins(ANNA)
    scene.heard(ANNA, first, "Clankie, my name is", began=began)
    scene.happens(WordsFailed(person=ANNA.id, segment=second, reason="timeout"))
    assert len(scene.turns()) == 1


# --- outcomes


def test_a_turn_is_over_when_it_is_answered_and_heard_in_either_order() -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    turn = scene.turn()
    scene.happens(SpeechStarted(utterance=U, turn=turn, at=scene.now))
    scene.happens(SpeechDrained(utterance=U, turn=turn, started=True, text="hi"))
    assert outcomes(scene) == []
    scene.happens(TurnAnswered(turn=turn, outcome=Outcome.SPOKE, utterance=U))
    assert outcomes(scene) == [Outcome.SPOKE]


@pytest.mark.parametrize(
    ("started", "answered", "over"),
    [
        (True, Outcome.SPOKE, Outcome.SPOKE),
        (True, Outcome.TOOL, Outcome.TOOL),
        (False, Outcome.SPOKE, Outcome.SILENT),
    ],
)
def test_drained_without_started_is_silence(started: bool, answered: Outcome, over: Outcome) -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    turn = scene.turn()
    scene.happens(
        TurnAnswered(turn=turn, outcome=answered, utterance=U), SpeechQueued(utterance=U, turn=turn)
    )
    if started:
        scene.happens(SpeechStarted(utterance=U, turn=turn, at=scene.now))
    scene.happens(SpeechDrained(utterance=U, turn=turn, started=started, text="hi" if started else ""))
    assert outcomes(scene) == [over]
    assert len(scene.receipts(evidence.Response)) == int(started)


def test_a_response_counts_from_the_end_of_the_line_and_from_the_decision() -> None:
    scene, utterance = talking_with_anna()
    scene.drains(utterance)
    receipt = scene.receipts(evidence.Response)[0]
    assert (receipt.decision_to_first_audio_ms, receipt.speech_end_to_first_audio_ms) == (300, 300)
    assert (receipt.trigger, receipt.whole) == ("address", True)


def test_a_speakerless_response_has_no_end_of_speech() -> None:
    scene = Scene().happens(JustJoined()).answers()
    assert scene.receipts(evidence.Response)[0].speech_end_to_first_audio_ms is None


def test_a_failed_utterance_is_a_failed_turn_and_earns_no_response() -> None:
    scene, utterance = talking_with_anna()
    scene.happens(SpeechFailed(utterance=utterance, turn=scene.turn(), started=True, reason="voice_link"))
    assert outcomes(scene) == [Outcome.FAILED]
    assert scene.receipts(evidence.Response) == []


def test_news_of_unknown_turns_and_utterances_are_old_letters() -> None:
    scene = Scene().says(ANNA, "Clankie, hello").forget()
    before = scene.state
    old = TurnId("old")
    scene.happens(
        TurnAnswered(turn=old, outcome=Outcome.SPOKE, utterance=None),
        SpeechDrained(utterance=U, turn=old, started=True, text="x"),
        SpeechTold(utterance=U, text="x"),
        FloorTick(token=Token(9999)),
    )
    assert (scene.decisions, scene.state) == ([], before)


def test_speech_of_another_turn_is_heard_out_before_the_next_turn() -> None:
    scene = Scene().happens(SpeechQueued(utterance=U, turn=TurnId("notice")))
    scene.says(ANNA, "Clankie, hello")
    assert scene.turns() == []
    scene.happens(SpeechDrained(utterance=U, turn=TurnId("notice"), started=True, text="sorry"))
    assert len(scene.turns()) == 1
    assert scene.receipts(evidence.Response) == []


# --- nobody is stuck


def test_a_turn_without_an_answer_is_given_up() -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    turn = scene.turn()
    scene.passes(31)
    assert scene.done(CancelTurn) == [CancelTurn(turn=turn)]
    assert outcomes(scene) == [Outcome.FAILED]
    scene.forget().happens(SpeechQueued(utterance=U, turn=turn))
    assert scene.done(CutSpeech) == [CutSpeech(utterance=U)]
    scene.happens(SpeechStarted(utterance=U, turn=turn, at=scene.now))
    assert not scene.state.busy()


def test_an_announced_utterance_that_never_comes_is_given_up() -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    scene.happens(TurnAnswered(turn=scene.turn(), outcome=Outcome.SPOKE, utterance=U)).passes(21)
    assert outcomes(scene) == [Outcome.FAILED]


def test_a_queued_utterance_that_never_sounds_is_given_up_but_text_is_a_sign_of_life() -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    turn = scene.turn()
    scene.happens(SpeechQueued(utterance=U, turn=turn)).passes(15)
    scene.happens(SpeechTold(utterance=U, text="well")).passes(15)
    assert outcomes(scene) == []
    scene.passes(6)
    assert outcomes(scene) == [Outcome.FAILED]
    assert (scene.done(CutSpeech), scene.done(CancelTurn)) == (
        [CutSpeech(utterance=U)],
        [CancelTurn(turn=turn)],
    )


def test_speech_of_another_turn_is_given_up_as_well() -> None:
    scene = Scene().says(ANNA, "Clankie, hello").happens(SpeechQueued(utterance=U, turn=TurnId("notice")))
    scene.passes(21)
    assert outcomes(scene) == []
    assert scene.state.speeches == ()


def test_a_cut_that_is_never_confirmed_is_a_cut_all_the_same() -> None:
    scene, _ = talking_with_anna()
    scene.says(ANNA, "no I meant tomorrow").passes(2.1)
    assert outcomes(scene) == [Outcome.CUT]
    assert triggers(scene) == [Trigger.ADDRESS]


def test_a_heard_turn_that_is_never_answered_is_given_up() -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    turn = scene.turn()
    scene.happens(SpeechStarted(utterance=U, turn=turn, at=scene.now))
    scene.happens(SpeechTold(utterance=U, text="more"), SpeechTold(utterance=U, text="and more"))
    scene.happens(SpeechDrained(utterance=U, turn=turn, started=True, text="hi")).passes(31)
    assert outcomes(scene) == [Outcome.FAILED]


# --- the conversation restarts


def test_an_address_lost_with_the_conversation_is_asked_again_once() -> None:
    scene = (
        Scene().says(ANNA, "Clankie, hello").types(BEN, "and me, Clankie").happens(ConversationRestarted())
    )
    assert outcomes(scene) == [Outcome.FAILED]
    assert [line.text for line in scene.turns()[1].lines] == ["Clankie, hello", "and me, Clankie"]
    assert scene.turns()[0].turn != scene.turns()[1].turn
    scene.happens(ConversationRestarted())
    assert outcomes(scene) == [Outcome.FAILED, Outcome.FAILED]
    assert len(scene.turns()) == 2


def test_an_address_whose_answer_was_begun_is_not_asked_again() -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    scene.happens(SpeechStarted(utterance=U, turn=scene.turn(), at=scene.now), ConversationRestarted())
    assert scene.done(CutSpeech) == [CutSpeech(utterance=U)]
    assert (outcomes(scene), len(scene.turns())) == ([Outcome.FAILED], 1)


def test_what_is_being_cut_already_is_not_cut_again() -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    scene.happens(SpeechQueued(utterance=U, turn=scene.turn()), ConversationRestarted()).forget()
    other = UtteranceId("other")
    scene.happens(SpeechStarted(utterance=other, turn=TurnId("notice"), at=scene.now)).passes(0.1)
    scene.says(ANNA, "stop")
    assert scene.done(CutSpeech) == [CutSpeech(utterance=other)]


def test_an_answered_turn_survives_the_conversation() -> None:
    scene, utterance = talking_with_anna()
    other = SpeechQueued(utterance=U, turn=TurnId("other"))
    scene.happens(other, ConversationRestarted()).drains(utterance)
    assert outcomes(scene) == [Outcome.SPOKE]
    assert Scene().happens(ConversationRestarted()).turns() == []


def test_an_offer_lost_with_the_conversation_is_lost_and_leaves_the_others_alone() -> None:
    scene = Scene().says(ANNA, "I asked Clankie about it")
    scene.happens(SpeechQueued(utterance=U, turn=TurnId("other")), ConversationRestarted())
    assert (scene.done(CutSpeech), len(scene.turns())) == ([], 1)


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
    scene.happens(VoiceEnded(person=ANNA.id, segment=segment, at=scene.now, voiced=8))
    assert triggers(scene) == [Trigger.HANDOFF_WAIT]


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
    assert Scene().happens(AwaitQuiet()).done(MouthQuiet) == [MouthQuiet()]


def test_leaving_waits_for_his_speech_and_asks_for_nothing_more() -> None:
    scene, utterance = talking_with_anna()
    scene.says(ANNA, "how come").happens(AwaitQuiet())
    scene.happens(JustJoined(), ResultWaiting(handoff=HandoffId("1")), WORK)
    scene.arrives(*here(ANNA), who=BEN, change=RosterChange.DEPARTED)
    assert scene.done(MouthQuiet) == []
    scene.drains(utterance).passes(1).says(ANNA, "Clankie, are you there?").passes(30)
    assert scene.done(MouthQuiet) == [MouthQuiet()]
    assert scene.verdicts()[-1] == ("hold", "leaving")
    assert scene.turns() == []
    assert [message.line.text for message in scene.done(LineOverheard)] == [
        "how come",
        "Clankie, are you there?",
    ]


def test_while_he_leaves_a_lost_address_is_not_asked_again() -> None:
    scene = Scene().says(ANNA, "Clankie, bye").happens(AwaitQuiet(), ConversationRestarted())
    assert len(scene.turns()) == 1
    assert scene.done(MouthQuiet) == [MouthQuiet()]
