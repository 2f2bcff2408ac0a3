"""What the operator orders is obeyed, answered once, and costs the room as little as possible."""

from __future__ import annotations

from actors.floor.obeying import hushed_for
from messages import evidence
from messages.evidence import Interrupted
from messages.floor import (
    HushGoesOn,
    JustJoined,
    Outcome,
    ResultWaiting,
    RosterChange,
    SpeechQueued,
    TurnAnswered,
    WorkBegan,
)
from messages.ids import HandoffId, UtteranceId
from messages.playback import CutSpeech
from messages.realtime import CancelTurn, LineOverheard
from messages.tts import DropSpeech
from tests.actors.floor.desk import DONE, NOTHING, Desk, mid_sentence
from tests.actors.floor.scene import ANNA, BEN, here

RESULT, MORE = ResultWaiting(handoff=HandoffId("h")), ResultWaiting(handoff=HandoffId("i"))


# --- interrupt --------------------------------------------------------------------------------------


def test_in_mid_sentence_he_is_silenced_and_it_is_on_record_by_whom() -> None:
    desk, utterance = mid_sentence()
    turn = desk.scene.turn()
    assert desk.interrupt() is DONE
    assert desk.scene.done(CutSpeech) == [CutSpeech(utterance=utterance, reason="operator")]
    assert desk.scene.done(DropSpeech) == [DropSpeech(utterance=utterance)]
    assert desk.scene.done(CancelTurn) == [CancelTurn(turn=turn)]
    assert desk.scene.receipts(Interrupted) == []
    desk.scene.is_cut(utterance)
    assert [one.whole for one in desk.scene.receipts(evidence.Response)] == [False]
    assert desk.scene.state.flight is None
    assert desk.interrupt() is NOTHING


def test_a_cut_is_ordered_once_however_often_he_is_interrupted() -> None:
    desk, _ = mid_sentence()
    assert [desk.interrupt(), desk.interrupt()] == [DONE, NOTHING]
    assert len(desk.scene.done(CutSpeech)) == 1


def test_while_a_cut_is_on_its_way_what_waits_behind_it_can_still_be_dropped() -> None:
    desk, utterance = mid_sentence()
    desk.interrupt()
    desk.say()
    assert desk.interrupt() is DONE
    desk.scene.is_cut(utterance).passes(30.0)
    assert (len(desk.scene.done(CutSpeech)), desk.triggers()) == (1, [])


def test_an_answer_that_is_being_thought_of_never_comes() -> None:
    desk = Desk()
    desk.scene.says(ANNA, "Clankie, when is the launch?")
    turn = desk.scene.turn()
    assert desk.interrupt() is DONE
    assert desk.scene.state.flight is None
    late = UtteranceId("late")
    desk.scene.happens(
        TurnAnswered(turn=turn, outcome=Outcome.CUT, utterance=late), SpeechQueued(utterance=late, turn=turn)
    )
    assert desk.scene.done(CutSpeech) == [CutSpeech(utterance=late)]
    assert not desk.scene.state.busy()


def test_one_that_is_about_to_be_heard_is_dropped_before_it_starts() -> None:
    desk = Desk()
    desk.scene.says(ANNA, "Clankie, when is the launch?")
    utterance = UtteranceId("u")
    desk.scene.happens(SpeechQueued(utterance=utterance, turn=desk.scene.turn()))
    assert desk.interrupt() is DONE
    desk.scene.is_cut(utterance)
    assert [one.utterance for one in desk.scene.done(CutSpeech)] == [utterance]


def test_what_waits_for_its_turn_is_dropped_and_remembered() -> None:
    desk, utterance = mid_sentence()
    desk.scene.types(BEN, "Clankie, and the landing?")
    desk.say()
    desk.interrupt()
    desk.scene.is_cut(utterance).passes(60.0)
    assert desk.triggers() == []
    assert [one.line.text for one in desk.scene.done(LineOverheard)] == ["Clankie, and the landing?"]


def test_a_greeting_that_waits_is_dropped() -> None:
    desk = Desk()
    desk.scene.begins(ANNA)
    desk.scene.happens(JustJoined())
    assert desk.interrupt() is DONE
    desk.scene.passes(60.0)
    assert desk.triggers() == []


def test_a_result_comes_after_a_while_and_not_in_the_next_breath() -> None:
    desk, utterance = mid_sentence()
    desk.scene.happens(RESULT).passes(2.0)
    desk.interrupt()
    desk.scene.is_cut(utterance).passes(desk.scene.settings.quiet_wait - 0.1)
    assert desk.triggers() == []
    desk.scene.passes(0.2)
    assert desk.triggers() == ["handoff_result"]


def test_whoever_speaks_to_him_after_that_is_answered_at_once() -> None:
    desk, utterance = mid_sentence()
    desk.interrupt()
    desk.scene.is_cut(utterance).says(BEN, "Clankie, hello")
    assert desk.triggers() == ["address"]


# --- hush -------------------------------------------------------------------------------------------


def test_hushed_he_judges_and_remembers_every_line_and_answers_none() -> None:
    desk, utterance = mid_sentence()
    assert desk.hush(60.0) is DONE
    desk.scene.is_cut(utterance)
    desk.scene.says(ANNA, "Clankie, are you there?").types(BEN, "Clankie, hello").says(BEN, "stop")
    desk.scene.passes(2.0)
    assert desk.scene.verdicts() == [("ignore", "hushed")] * 3
    assert len(desk.scene.done(LineOverheard)) == 3
    desk.scene.passes(120.0)
    assert desk.triggers() == []
    desk.scene.says(ANNA, "Clankie, are you there?")
    assert desk.triggers() == ["address"]


def test_no_line_is_no_line_also_then() -> None:
    desk = Desk()
    desk.hush()
    desk.scene.types(ANNA, "...").says(ANNA, "")
    desk.scene.passes(1.0)
    assert desk.scene.verdicts() == [("ignore", "no_words")] * 2


def test_the_conversation_that_he_was_in_is_still_his_after_a_short_one() -> None:
    desk, utterance = mid_sentence()
    desk.hush(5.0)
    desk.scene.is_cut(utterance).passes(6.0)
    assert desk.scene.state.engagement.holder == ANNA.id
    desk.scene.says(ANNA, "so when is it then")
    assert desk.triggers() == ["offer"]


def test_the_line_that_cut_a_word_of_the_operators_is_not_answered_either() -> None:
    desk = Desk()
    desk.hush()
    desk.say()
    desk.scene.speaks("dinner is ready")
    desk.scene.says(BEN, "Clankie, what is for dinner?")
    assert len(desk.scene.receipts(Interrupted)) == 1
    assert desk.scene.verdicts() == [("ignore", "hushed")]


def test_a_new_one_replaces_it_and_none_ends_it() -> None:
    desk = Desk()
    assert desk.hush(0.0) is NOTHING
    desk.hush(600.0)
    assert desk.hush(10.0) is DONE
    assert hushed_for(desk.scene.state, desk.scene.now) == 10
    desk.scene.passes(9.5)
    assert hushed_for(desk.scene.state, desk.scene.now) == 1
    assert desk.hush(60.0) is DONE
    desk.scene.passes(30.0)
    desk.scene.happens(RESULT)
    assert desk.triggers() == []
    assert desk.hush(0.0) is DONE
    assert hushed_for(desk.scene.state, desk.scene.now) == 0
    assert desk.triggers() == ["handoff_result"]


def test_one_that_is_taken_back_leaves_nothing_to_wait_for() -> None:
    desk = Desk()
    desk.hush()
    desk.scene.happens(RESULT)
    desk.hush(0.0)
    assert desk.triggers() == ["handoff_result"]


def test_it_is_too_late_to_say_that_he_is_on_it() -> None:
    desk = Desk()
    desk.hush(60.0)
    desk.scene.happens(WorkBegan(handoff=HandoffId("w"))).passes(90.0)
    assert desk.triggers() == []


def test_what_came_meanwhile_is_told_in_one_turn_after_it() -> None:
    desk = Desk()
    desk.hush(60.0)
    desk.scene.happens(JustJoined(), RESULT, WorkBegan(handoff=HandoffId("w")), MORE)
    desk.scene.arrives(*here(ANNA), who=BEN, change=RosterChange.DEPARTED).passes(59.0)
    assert desk.triggers() == []
    desk.scene.passes(1.5)
    assert desk.triggers() == ["handoff_result"]
    desk.scene.answers().passes(60.0)
    assert desk.triggers() == ["handoff_result"]


def test_who_came_and_went_is_one_turn_after_it() -> None:
    desk = Desk()
    desk.hush(60.0)
    for _ in range(5):
        desk.scene.arrives(*here(ANNA), who=BEN, change=RosterChange.DEPARTED).passes(5.0)
        desk.scene.arrives(*here(ANNA, BEN), who=BEN).passes(5.0)
    desk.scene.passes(60.0)
    assert desk.triggers() == ["membership"]


def test_after_it_a_coming_or_going_waits_for_a_silence_as_ever() -> None:
    desk = Desk()
    desk.hush(60.0)
    desk.scene.arrives(*here(ANNA), who=BEN, change=RosterChange.DEPARTED).passes(59.0)
    desk.scene.held(ANNA, desk.scene.begins(ANNA), 10.0)
    assert desk.triggers() == []


def test_in_a_room_that_everybody_has_left_he_learns_that_first() -> None:
    desk = Desk()
    desk.hush(60.0)
    desk.scene.happens(RESULT).arrives(who=BEN, change=RosterChange.DEPARTED).passes(61.0)
    assert desk.triggers() == ["membership"]
    desk.scene.stays_silent()
    assert desk.triggers() == ["membership", "handoff_result"]


def test_after_it_a_result_waits_for_a_silence_as_ever() -> None:
    desk = Desk()
    desk.hush(20.0)
    desk.scene.happens(RESULT).passes(19.0)
    segment = desk.scene.begins(BEN)
    desk.scene.held(BEN, segment, 3.0)
    assert desk.triggers() == []
    desk.scene.held(BEN, segment, 4.0, before=3.0)
    assert desk.triggers() == ["handoff_result"]


def test_a_floor_that_has_just_opened_goes_on_being_silent() -> None:
    desk = Desk()
    desk.scene.happens(HushGoesOn(seconds=30.0)).says(ANNA, "Clankie, hello")
    assert desk.scene.verdicts() == [("ignore", "hushed")]
    desk.scene.passes(31.0).says(ANNA, "Clankie, hello")
    assert desk.triggers() == ["address"]
