"""One turn at a time, each over exactly once, and nothing that can keep him stuck."""

from __future__ import annotations

from dataclasses import replace

import pytest

from actors.floor.decisions import TurnOver
from actors.floor.settings import FloorSettings
from messages import evidence
from messages.floor import (
    ConversationRestarted,
    FloorTick,
    JustJoined,
    Outcome,
    RosterChange,
    SpeechDrained,
    SpeechFailed,
    SpeechQueued,
    SpeechStarted,
    SpeechTold,
    Trigger,
    TurnAnswered,
    TurnLost,
    TurnOrphaned,
    WordsFailed,
)
from messages.ids import LineId, SegmentId, Token, TurnId, UtteranceId
from messages.people import LineSource
from messages.playback import CutSpeech
from messages.realtime import CancelTurn, LineOverheard
from messages.tts import DropSpeech
from tests.actors.floor.scene import ANNA, BEN, Scene, here, talking_with_anna

U = UtteranceId("u")


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


def test_what_is_written_makes_room_for_what_is_said() -> None:
    scene = (
        Scene(settings=FloorSettings(lines_held=2)).says(ANNA, "Clankie, hello").says(ANNA, "Clankie, why?")
    )
    for number in ("one", "two"):
        scene.types(BEN, f"Clankie, {number}")
    scene.stays_silent()
    assert [line.text for line in scene.turns()[1].lines] == ["Clankie, why?", "Clankie, two"]
    (gone,) = [one for one in scene.receipts(evidence.FloorDecision) if one.rule == "too_many"]
    assert gone.line_id == scene.done(LineOverheard)[0].line.id
    assert gone.decision == "drop"


def test_what_had_no_room_stays_on_record_as_what_it_was_heard_as() -> None:
    scene = Scene(settings=FloorSettings(lines_held=1)).says(ANNA, "Clankie, hello")
    scene.says(ANNA, "and what about tomorrow?").says(ANNA, "Clankie, why is that?")
    wished, gone = [one for one in scene.receipts(evidence.FloorDecision) if one.line_id == LineId("s2")]
    assert (wished.heard_as, gone.rule) == ("none", "too_many")
    assert gone.heard_as == wished.heard_as


def test_whoever_writes_on_and_on_does_not_hold_up_who_has_asked_and_goes_on() -> None:
    scene = Scene()
    scene.says(ANNA, "Clankie, why is that?")
    scene.types(BEN, "Clankie, one").stays_silent()
    first, began = scene.begins(ANNA), scene.now
    scene.stays_silent().begins(ANNA)
    scene.heard(ANNA, first, "Clankie, and tell me", began=began)
    asked = len(scene.turns())
    for number in range(4):
        scene.passes(0.5).types(BEN, f"Clankie, {number}")
    assert len(scene.turns()) == asked + 1


def test_what_is_written_on_and_on_is_not_answered_over_whoever_speaks() -> None:
    scene = Scene().types(BEN, "Clankie, one").types(BEN, "Clankie, two")
    began, segment = scene.now, scene.begins(ANNA)
    scene.answers()
    assert triggers(scene) == [Trigger.TYPED]
    scene.passes(0.5).types(BEN, "Clankie, three").heard(ANNA, segment, "Clankie, and me?", began=began)
    assert triggers(scene) == [Trigger.TYPED, Trigger.ADDRESS]
    assert [line.text for line in scene.turns()[1].lines][-1] == "Clankie, and me?"


def test_it_is_answered_in_the_end_though_nobody_falls_silent() -> None:
    scene = Scene().types(BEN, "Clankie, one").types(BEN, "Clankie, two")
    scene.held(ANNA, scene.begins(ANNA), 0.5).answers()
    for number in range(6):
        scene.types(BEN, f"Clankie, {number}").held(ANNA, SegmentId("s3"), 1.0, before=number + 0.5)
    assert triggers(scene) == [Trigger.TYPED, Trigger.TYPED]


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
    scene = Scene().happens(SpeechQueued(utterance=U, turn=TurnId("f-91")))
    scene.says(ANNA, "Clankie, hello")
    assert scene.turns() == []
    scene.happens(SpeechDrained(utterance=U, turn=TurnId("f-91"), started=True, text="sorry"))
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
    scene = Scene().says(ANNA, "Clankie, hello").happens(SpeechQueued(utterance=U, turn=TurnId("f-91")))
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
    scene.happens(ConversationRestarted(life=4))
    assert outcomes(scene) == [Outcome.FAILED, Outcome.FAILED]
    assert len(scene.turns()) == 2
    assert scene.says(ANNA, "Clankie, again").turns()[-1].life == 4


def test_what_has_no_room_in_a_turn_that_is_asked_again_is_on_record() -> None:
    scene = Scene(settings=FloorSettings(lines_held=1)).types(ANNA, "Clankie, hello")
    scene.says(BEN, "Clankie, me too").happens(ConversationRestarted())
    scene.stays_silent()
    turn = scene.turns()[-1]
    assert ([line.person for line in turn.lines], turn.trigger) == ([BEN], Trigger.ADDRESS)
    (gone,) = [one for one in scene.receipts(evidence.FloorDecision) if one.rule == "too_many"]
    assert (gone.person_id, scene.state.lines_shed) == (ANNA.id, 1)


def test_a_new_floor_asks_again_for_what_the_one_before_had_asked_for() -> None:
    asked = Scene().says(ANNA, "Clankie, hello").turns()[0]
    orphan = TurnOrphaned(trigger=asked.trigger, lines=asked.lines)
    scene = Scene().happens(orphan)
    assert [(turn.trigger, turn.lines) for turn in scene.turns()] == [(asked.trigger, asked.lines)]
    scene.happens(ConversationRestarted())
    assert len(scene.turns()) == 1
    scene = Scene(people=here(BEN, deaf=(ANNA,))).happens(orphan)
    assert scene.turns() == [], "she withdrew meanwhile"
    written = replace(asked.lines[0], source=LineSource.TYPED)
    assert len(scene.happens(replace(orphan, lines=(written,))).turns()) == 1
    scene = Scene().says(BEN, "me too, Clankie").happens(orphan).happens(ConversationRestarted())
    assert len(scene.turns()) == 2


@pytest.mark.parametrize("had", [True, False])
def test_a_turn_that_was_lost_is_on_record_once_whether_the_conversation_ever_had_it(had: bool) -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    turn = scene.turn()
    told = [TurnLost(turn=turn)] if had else []
    scene.happens(TurnLost(turn=TurnId("f-90")), *told, ConversationRestarted())
    failed = [one.turn_id for one in scene.receipts(evidence.ModelResponse) if one.phase == "failed"]
    assert failed == ([] if had else [turn])
    assert len(scene.turns()) == 2


def test_what_is_asked_again_has_nothing_of_somebody_who_withdrew_meanwhile() -> None:
    scene = Scene().says(ANNA, "Clankie, hello").says(BEN, "Clankie, me too").says(ANNA, "and you, Clankie?")
    scene.stays_silent().arrives(*here(ANNA, deaf=(BEN,)), who=BEN, change=RosterChange.WITHDREW)
    scene.happens(ConversationRestarted())
    assert [line.text for line in scene.turns()[-1].lines] == ["and you, Clankie?"]
    scene = Scene().says(BEN, "Clankie, hello")
    scene.arrives(*here(ANNA, deaf=(BEN,)), who=BEN, change=RosterChange.WITHDREW)
    assert len(scene.happens(ConversationRestarted()).turns()) == 1


def test_a_cut_goes_unanswered_for_two_seconds_whatever_is_told_meanwhile() -> None:
    scene, first = talking_with_anna()
    scene.happens(SpeechQueued(utterance=U, turn=TurnId("f-90"))).says(ANNA, "stop").is_cut(first)
    scene.passes(1.5).happens(SpeechTold(utterance=U, text="late")).passes(0.6)
    assert not scene.state.busy()


def test_an_address_whose_answer_was_begun_is_not_asked_again() -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    scene.happens(SpeechStarted(utterance=U, turn=scene.turn(), at=scene.now), ConversationRestarted())
    assert scene.done(CutSpeech) == [CutSpeech(utterance=U)]
    assert (outcomes(scene), len(scene.turns())) == ([Outcome.FAILED], 1)


def test_what_is_being_cut_already_is_not_cut_again() -> None:
    scene = Scene().says(ANNA, "Clankie, hello")
    scene.happens(SpeechQueued(utterance=U, turn=scene.turn()), ConversationRestarted()).forget()
    other = UtteranceId("other")
    scene.happens(SpeechStarted(utterance=other, turn=TurnId("f-91"), at=scene.now)).passes(0.1)
    scene.says(ANNA, "stop")
    assert scene.done(CutSpeech) == [CutSpeech(utterance=other)]


def test_an_answered_turn_survives_the_conversation() -> None:
    scene, utterance = talking_with_anna()
    other = SpeechQueued(utterance=U, turn=TurnId("f-90"))
    scene.happens(other, ConversationRestarted()).drains(utterance)
    assert outcomes(scene) == [Outcome.SPOKE]
    assert Scene().happens(ConversationRestarted()).turns() == []


def test_an_offer_lost_with_the_conversation_is_lost_and_leaves_the_others_alone() -> None:
    scene = Scene().says(ANNA, "I asked Clankie about it")
    scene.happens(SpeechQueued(utterance=U, turn=TurnId("f-90")), ConversationRestarted())
    assert (scene.done(CutSpeech), len(scene.turns())) == ([], 1)


def test_speech_of_a_turn_of_an_earlier_life_goes_no_further() -> None:
    scene = Scene().happens(SpeechQueued(utterance=U, turn=TurnId("earlier-1")))
    assert [order.utterance for order in scene.done(CutSpeech)] == [U]
    assert [order.utterance for order in scene.done(DropSpeech)] == [U]
