"""Words of the operator's wait for their turn, and are said to the letter."""

from __future__ import annotations

import pytest

from actors.floor.obeying import MOST_SAYINGS, hushed_for
from messages.evidence import FloorDecision, ModelResponse
from messages.floor import (
    AwaitQuiet,
    ConversationRestarted,
    RosterChange,
    RosterTold,
    SpeechStarted,
)
from messages.ids import UtteranceId
from messages.playback import CutSpeech
from messages.stay import FloorQuiet
from tests.actors.floor.desk import BUSY, DONE, LEAVING, NOTHING, Desk, mid_sentence
from tests.actors.floor.scene import ANNA, BEN, here


def test_words_of_the_operators_have_a_turn_of_their_own() -> None:
    desk = Desk()
    assert desk.say("Dinner is ready.") is DONE
    (asked,) = desk.scene.turns()
    assert (asked.trigger.value, asked.lines, asked.saying) == ("operator", (), "Dinner is ready.")
    assert [one.trigger for one in desk.scene.receipts(ModelResponse)] == ["operator"]


def test_what_has_no_letter_in_it_cannot_be_spoken() -> None:
    desk = Desk()
    assert desk.say("\U0001f600\U0001f388!") is NOTHING
    desk.scene.passes(30.0)
    assert desk.triggers() == []


def test_they_wait_for_a_silence_but_not_for_ever() -> None:
    desk = Desk()
    segment = desk.scene.begins(ANNA)
    desk.say()
    desk.scene.held(ANNA, segment, desk.scene.settings.quiet_wait - 0.2)
    assert desk.triggers() == []
    desk.scene.held(ANNA, segment, 0.4, before=5.0)
    assert desk.triggers() == ["operator"]


def test_they_wait_until_he_has_finished_and_one_after_the_other() -> None:
    desk, utterance = mid_sentence()
    assert [desk.say(f"Number {number}.") for number in range(MOST_SAYINGS)] == [DONE] * MOST_SAYINGS
    assert desk.say() is BUSY
    assert desk.triggers() == []
    desk.scene.drains(utterance)
    for _ in range(MOST_SAYINGS):
        desk.scene.answers()
    assert [one.saying for one in desk.scene.turns()] == [f"Number {n}." for n in range(MOST_SAYINGS)]


def test_a_hush_does_not_hold_them_back() -> None:
    desk = Desk()
    desk.hush()
    desk.say()
    desk.scene.answers("dinner is ready")
    assert desk.triggers() == ["operator"]
    assert hushed_for(desk.scene.state, desk.scene.now) > 50


def test_a_hush_ends_what_he_is_saying_of_them() -> None:
    desk = Desk()
    desk.say()
    utterance = desk.scene.speaks()
    assert desk.hush() is DONE
    assert desk.scene.done(CutSpeech) == [CutSpeech(utterance=utterance, reason="operator")]


def test_a_turn_of_theirs_that_was_lost_is_asked_once_more() -> None:
    desk = Desk()
    desk.say("Dinner.")
    for _ in range(3):
        desk.scene.happens(ConversationRestarted())
    assert [one.saying for one in desk.scene.turns()] == ["Dinner."] * 2


def test_one_that_has_been_heard_in_part_is_not_said_again() -> None:
    desk = Desk()
    desk.say("Dinner.")
    utterance = UtteranceId("u")
    desk.scene.happens(SpeechStarted(utterance=utterance, turn=desk.scene.turn(), at=desk.scene.now))
    desk.scene.happens(ConversationRestarted()).is_cut(utterance).passes(10.0)
    assert len(desk.scene.turns()) == 1


def test_what_was_to_be_said_here_is_not_said_in_another_room() -> None:
    desk, _ = mid_sentence()
    desk.say()
    desk.scene.happens(RosterTold(people=here(BEN), change=RosterChange.MOVED, who=None)).passes(30.0)
    assert "operator" not in desk.triggers()


@pytest.mark.parametrize("waits", [False, True])
def test_on_his_way_out_he_takes_no_more_of_them(waits: bool) -> None:
    desk, utterance = mid_sentence()
    if waits:
        desk.say()
    desk.scene.happens(AwaitQuiet())
    assert desk.say() is LEAVING
    assert desk.scene.state.sayings == ()
    desk.scene.drains(utterance)
    assert desk.triggers() == []
    assert len(desk.scene.done(FloorQuiet)) == 1


def test_no_word_of_them_is_in_what_is_shown_of_the_floor() -> None:
    desk = Desk()
    desk.scene.begins(ANNA)
    desk.say("The secret of the house.")
    assert "secret" not in repr(desk.scene.state)
    assert desk.scene.receipts(FloorDecision) == []
