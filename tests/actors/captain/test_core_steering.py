"""What the same people add meanwhile joins their turn; what they take back is not done."""

from dataclasses import replace

import pytest

from actors.captain.decisions import Begin, Drop, Over, Use
from actors.captain.journal import HeardAsked, TurnOver
from messages.captain import CallDone, Question, TakeBack
from messages.console import OperatorAnswered, OperatorTold
from messages.evidence import Handoff
from messages.gateway import ConfirmAsked, ConfirmDropped, Joined, TextAnswered
from messages.ids import CallId, HandoffId, RoomId, StayId
from messages.realtime import HandoffFailed, HandoffMerged, HandoffReturned, HandoffTakenBack
from messages.tools import ComeToVoice, Recall, UseMachine
from tests.actors.captain.scene import (
    ADA,
    BEN,
    Desk,
    aloud,
    begun,
    decided,
    entries,
    known,
    outputs,
    says,
    told,
    typed,
    wants,
    wrote,
)

JOINED = Joined(room=RoomId("den"), stay=StayId("stay"), name="Den")
PLAY = UseMachine(tool="music__play", arguments="{}")


def taken(name: str) -> TakeBack:
    return TakeBack(handoff=HandoffId(name))


def test_what_the_same_person_adds_is_read_with_what_the_tools_gave_back() -> None:
    desk = Desk()
    desk.do(wrote("a"), wants("a", ComeToVoice()))
    added = desk.do(wrote("b"))
    assert [(one.into, one.handoff) for one in entries(added, HeardAsked)] == [("a", "b")]
    more = outputs(desk.do(CallDone(handoff=HandoffId("a"), call=CallId("c1"), answer=JOINED)))
    assert '"joined"' in more[0]
    assert more[1:] == ["do b"]
    answers = told(desk.do(says("a", 2)), TextAnswered)
    assert [(one.message, one.along) for one in answers] == [("b", ("a",))]


def test_what_comes_while_the_answer_is_made_is_answered_in_one_with_it() -> None:
    desk = Desk()
    desk.do(wrote("a"), wrote("b"))
    assert outputs(desk.do(says("a", text="First."))) == ["do b"]
    answers = told(desk.do(says("a", 2, "Second.")), TextAnswered)
    assert [(one.text, one.message, one.along) for one in answers] == [("First.\n\nSecond.", "b", ("a",))]


def test_a_mind_that_says_its_first_answer_again_is_not_quoted_twice() -> None:
    desk = Desk()
    desk.do(wrote("a"), wrote("b"), says("a", text="First."))
    (answer,) = told(desk.do(says("a", 2, "First. Second.")), TextAnswered)
    assert answer.text == "First. Second."


@pytest.mark.parametrize(
    "other",
    [wrote("b", BEN), wrote("b", roles="helper"), wrote("b", guild=None)],
    ids=["who", "role", "guild"],
)
def test_nobody_elses_words_and_no_other_rights_join_a_turn(other: Question) -> None:
    desk = Desk()
    desk.do(wrote("a"))
    assert begun(desk.do(other)) == []
    assert begun(desk.do(says("a"))) == ["b"]


def test_a_waiting_turn_is_joined_as_well() -> None:
    desk = Desk()
    desk.do(wrote("x", BEN))
    waiting = desk.do(wrote("a"), wrote("b"))
    assert [(one.handoff, one.into) for one in entries(waiting, HeardAsked)] == [("a", None), ("b", "a")]
    began = desk.do(says("x"))
    assert [one.brief.asked[1].request for one in decided(began, Begin)] == ["do b"]
    assert [one.along for one in told(desk.do(says("a")), TextAnswered)] == [("a",)]


def test_what_is_added_aloud_is_settled_at_once_and_told_with_the_first() -> None:
    desk = Desk()
    desk.do(aloud("a", ADA, BEN), known("a", ADA, BEN))
    merged = desk.do(aloud("b", BEN, ADA))
    assert told(merged, HandoffMerged) == [HandoffMerged(handoff=HandoffId("b"), into=HandoffId("a"))]
    desk.do(says("a"))
    ended = desk.do(says("a", 2))
    assert [one.handoff for one in told(ended, HandoffReturned)] == ["a"]
    assert [(one.handoff_id, one.phase) for one in told(ended, Handoff)] == [
        ("a", "returned"),
        ("b", "returned"),
    ]


def test_a_conversation_of_another_stay_is_not_told_of_an_older_hand_off() -> None:
    desk = Desk()
    desk.do(aloud("a"))
    assert told(desk.do(aloud("b", stay="next")), HandoffMerged) == []


def test_every_command_line_of_the_operator_reads_the_answer() -> None:
    desk = Desk()
    desk.do(typed("o"), typed("p"), says("o", text=""))
    assert [one.handoff for one in told(desk.do(says("o", 2)), OperatorAnswered)] == ["o", "p"]


def test_what_waits_and_is_taken_back_never_begins() -> None:
    desk = Desk()
    desk.do(wrote("x", BEN), wrote("a"))
    gone = desk.do(taken("a"))
    assert [(one.message, one.text) for one in told(gone, TextAnswered)] == [("a", "")]
    assert begun(desk.do(says("x"))) == []


def test_what_is_at_work_and_is_taken_back_stops_and_is_not_answered() -> None:
    desk = Desk(servers=True)
    desk.do(aloud("a"), known("a"), wants("a", PLAY, Recall()))
    gone = desk.do(taken("a"))
    assert told(gone, HandoffTakenBack) == [HandoffTakenBack(handoff=HandoffId("a"))]
    assert [one.confirmation for one in told(gone, ConfirmDropped)] == ["a-c1"]
    assert decided(gone, Over) == [Over(turn=HandoffId("a"))]
    assert [one.how for one in entries(gone, TurnOver)] == ["taken_back"]
    assert told(gone, HandoffReturned) + told(gone, HandoffFailed) == []
    assert desk.do(says("a", 2), taken("a")) == []


def test_servers_are_told_that_nobody_waits_for_them() -> None:
    desk = Desk(servers=True)
    assert len(decided(desk.do(wrote("a"), wants("a", PLAY)), Use)) == 1
    assert decided(desk.do(taken("a")), Drop) == [Drop(turn=HandoffId("a"))]


def test_what_was_added_and_not_read_yet_is_dropped_alone() -> None:
    desk = Desk()
    desk.do(wrote("a"), wrote("b"))
    assert [one.message for one in told(desk.do(taken("b")), TextAnswered)] == ["b"]
    answers = told(desk.do(says("a")), TextAnswered)
    assert [(one.message, one.along) for one in answers] == [("a", ())]


def test_what_was_added_and_read_is_answered_with_the_rest() -> None:
    desk = Desk()
    desk.do(wrote("a"), wrote("b"), says("a"), taken("b"))
    answers = told(desk.do(says("a", 2)), TextAnswered)
    assert [(one.message, one.along) for one in answers] == [("a", ("b",))]


def test_a_turn_of_which_everything_is_taken_back_ends() -> None:
    desk = Desk()
    desk.do(wrote("a"), wrote("b"), says("a"), taken("b"))
    gone = desk.do(taken("a"))
    assert [(one.message, one.along) for one in told(gone, TextAnswered)] == [("b", ("a",))]
    assert desk.state.turns == ()


def test_a_deleted_message_of_a_waiting_turn_is_not_read() -> None:
    desk = Desk()
    desk.do(wrote("x", BEN), wrote("a"), wrote("b"))
    without = desk.do(taken("a"))
    assert [(one.handoff, one.how) for one in entries(without, TurnOver)] == [("a", "taken_back")]
    assert [(one.handoff, one.into) for one in entries(without, HeardAsked)] == [("b", None)]
    assert begun(desk.do(says("x"))) == ["b"]


def test_what_was_said_first_stands_for_what_was_merged_into_it() -> None:
    desk = Desk()
    desk.do(aloud("a"), known("a"), aloud("b"))
    assert desk.do(taken("a")) == []
    desk.do(says("a"))
    assert [one.handoff for one in told(desk.do(says("a", 2)), HandoffReturned)] == ["a"]


def test_what_was_said_first_stands_also_before_anybody_has_read_it() -> None:
    desk = Desk()
    desk.do(aloud("a"), aloud("b"))
    assert desk.do(taken("a")) == []
    desk.do(known("a"))
    assert [one.handoff for one in told(desk.do(says("a")), HandoffReturned)] == ["a"]


def test_a_merged_one_that_is_taken_back_unread_is_not_thought_about() -> None:
    desk = Desk()
    desk.do(aloud("a"), known("a"), aloud("b"))
    assert told(desk.do(taken("b")), HandoffTakenBack) == []
    assert len(told(desk.do(says("a")), HandoffReturned)) == 1


def test_an_operator_who_hung_up_is_told_nothing() -> None:
    desk = Desk()
    desk.do(typed("o"), typed("p"), says("o"), taken("o"))
    assert [one.handoff for one in told(desk.do(wants("o", Recall(), step=2)), OperatorTold)] == ["p"]
    assert [one.handoff for one in told(desk.do(says("o", 3)), OperatorAnswered)] == ["p"]
    desk.do(typed("q"))
    assert told(desk.do(taken("q")), OperatorAnswered) == []


def test_a_confirmation_is_for_the_room_of_the_turn_whoever_joins_it() -> None:
    desk = Desk(servers=True)
    desk.do(aloud("a"), known("a"))
    desk.do(replace(aloud("b"), request="and loudly"))
    (asked,) = told(desk.do(wants("a", PLAY)), ConfirmAsked)
    assert (asked.room, asked.confirmation) == ("room", "a-c1")
