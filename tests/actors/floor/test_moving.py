"""Moved to another room: nothing of the old one is said in the new one."""

from __future__ import annotations

from messages import evidence
from messages.floor import JustJoined, Outcome, RosterChange, RosterTold, Trigger
from messages.playback import CutSpeech
from messages.realtime import CancelTurn, RoomObserved
from messages.stay import FloorQuiet
from messages.tts import DropSpeech
from tests.actors.floor.scene import BEN, CLEO, Scene, here, talking_with_anna

MOVED = RosterTold(people=here(BEN, CLEO), change=RosterChange.MOVED, who=None)


def test_what_is_on_his_lips_is_cut_and_the_turn_is_over_before_the_stay_goes_on() -> None:
    scene, utterance = talking_with_anna()
    turn = scene.turn()
    scene.happens(MOVED)
    assert scene.done(CutSpeech) == [CutSpeech(utterance=utterance)]
    assert scene.done(DropSpeech) == [DropSpeech(utterance=utterance)]
    assert scene.done(CancelTurn) == [CancelTurn(turn=turn)]
    assert [one.change for one in scene.done(RoomObserved)] == [RosterChange.MOVED]
    assert scene.done(FloorQuiet) == [FloorQuiet()]
    assert scene.state.flight is None
    assert [one.rule for one in scene.receipts(evidence.Floor)] == ["holder_left"]


def test_a_turn_that_is_still_thought_about_is_given_up() -> None:
    scene = Scene().says(BEN, "Clankie, when is the launch?").forget()
    turn = scene.turn()
    scene.happens(MOVED)
    assert scene.done(CancelTurn) == [CancelTurn(turn=turn)]
    assert scene.done(FloorQuiet) == [FloorQuiet()]


def test_what_was_cut_already_is_not_cut_again() -> None:
    scene, utterance = talking_with_anna()
    scene.happens(MOVED, MOVED)
    assert scene.done(CutSpeech) == [CutSpeech(utterance=utterance)]
    assert scene.done(FloorQuiet) == [FloorQuiet()] * 2


def test_neither_greeting_nor_waiting_lines_follow_him_but_the_new_room_is_worth_a_turn() -> None:
    scene, utterance = talking_with_anna()
    scene.says(CLEO, "Clankie, and then?").begins(CLEO)
    scene.happens(JustJoined(), MOVED).is_cut(utterance)
    assert (scene.state.wish, scene.state.greeting, scene.state.voices) == (None, None, ())
    scene.passes(2.0)
    assert [turn.trigger for turn in scene.turns()] == [Trigger.MEMBERSHIP]


def test_a_turn_of_which_something_was_cut_by_words_is_over_with_the_room() -> None:
    scene, utterance = talking_with_anna()
    segment = scene.begins(scene.people[0].person)
    scene.held(scene.people[0].person, segment, 0.5)
    scene.heard(scene.people[0].person, segment, "stop", began=scene.now, final=False).forget()
    scene.happens(MOVED)
    assert scene.done(CutSpeech) == []
    assert scene.done(FloorQuiet) == [FloorQuiet()]
    assert Outcome.CUT in [getattr(one, "outcome", None) for one in scene.decisions]
    scene.is_cut(utterance)
    assert scene.state.speeches == ()
