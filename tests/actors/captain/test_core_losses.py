"""Nothing that was asked is lost on the way: not what comes late, not what is short, not what goes wrong."""

import pytest

from actors.captain.decisions import Use
from actors.captain.events import CaptainCloses, CaptainOpens, Event, NotesKept
from actors.captain.journal import Book
from actors.captain.settings import CaptainSettings
from messages.captain import MachineDone, StayIsOver
from messages.evidence import CaptainTool, Handoff
from messages.gateway import ConfirmAsked, LeaveAnswered, LeaveVoice, PostText, TextAnswered, TurnLost
from messages.ids import CallId, HandoffId, RoomId, StayId
from messages.lifecycle import Ending
from messages.people import Person
from messages.realtime import HandoffFailed
from messages.tools import LeaveVoice as GoAway
from messages.tools import Mistaken, NoteAbout, Recall, Remember, ToolRequest, UseMachine
from tests.actors.captain.scene import (
    ADA,
    BEN,
    Desk,
    aloud,
    decided,
    fails,
    gives,
    known,
    outputs,
    says,
    told,
    wants,
    wrote,
)

LIST = UseMachine(tool="music__list", arguments="{}")
PLAY = UseMachine(tool="music__play", arguments="{}")
OVER = StayIsOver(stay=StayId("stay"))


def test_what_is_added_to_the_last_step_is_read_before_it_is_answered() -> None:
    desk = Desk(CaptainSettings(turn_steps=1))
    desk.do(wrote("a"), wrote("b"))
    more = desk.do(wants("a", Recall(), text="I know it."))
    assert (told(more, TextAnswered), outputs(more)[1:]) == ([], ["do b"])
    assert [one.message for one in told(desk.do(says("a", 2, "Both.")), TextAnswered)] == ["b"]


@pytest.mark.parametrize(("first", "second"), [("No.", "It is No. 7."), ("4", "At 14:00."), ("4", "40")])
def test_a_short_answer_is_not_taken_for_a_part_of_the_next(first: str, second: str) -> None:
    desk = Desk()
    desk.do(wrote("a"), wrote("b"), says("a", text=first))
    (answer,) = told(desk.do(says("a", 2, second)), TextAnswered)
    assert answer.text == f"{first}\n\n{second}"


@pytest.mark.parametrize("other", [LIST, PLAY], ids=["slow", "button"])
def test_whoever_leaves_does_not_wait_for_what_takes_long(other: UseMachine) -> None:
    desk = Desk(servers=True)
    desk.do(aloud("a"), known("a"), wants("a", GoAway(), other))
    assert told(desk.wait(4.9), LeaveVoice) == []
    assert len(told(desk.wait(0.2), LeaveVoice)) == 1
    desk.do(gives("a", LeaveAnswered(room=RoomId("room"))))
    assert told(desk.wait(60), LeaveVoice) == []


def test_what_was_looked_up_while_he_left_is_told_in_writing() -> None:
    desk = Desk(servers=True)
    desk.do(aloud("a"), known("a"), wants("a", GoAway(), LIST))
    desk.wait(5.1)
    desk.do(gives("a", LeaveAnswered(room=RoomId("room"))))
    both = desk.do(MachineDone(handoff=HandoffId("a"), call=CallId("c2"), text="Nine."))
    assert len(outputs(both)) == 2
    (post,) = told(desk.do(says("a", 2, "At nine.")), PostText)
    assert post.text == "About “do a”: At nine."


def test_a_failure_after_the_stay_is_written_into_its_room_as_well() -> None:
    desk = Desk()
    ended = desk.do(aloud("a"), known("a"), OVER, fails("a", "quota"))
    (post,) = told(ended, PostText)
    assert post.text == "About “do a”: I have no answer: the account at the provider is used up."
    assert told(ended, HandoffFailed) == []
    assert [(one.phase, one.reason) for one in told(ended, Handoff)][1:] == [("failed", "quota")]


def test_a_failure_after_the_stay_is_not_written_where_nothing_is_to_be_written() -> None:
    desk = Desk(CaptainSettings(post_after_stay=False))
    ended = desk.do(aloud("a"), known("a"), OVER, fails("a", "quota"))
    assert told(ended, PostText) == []


def test_a_house_that_stops_leaves_what_waited_to_the_next_life_as_well() -> None:
    desk = Desk()
    desk.do(wrote("a"), wrote("b", BEN), wrote("c", BEN), aloud("d"), OVER)
    closed = desk.do(CaptainCloses(ending=Ending.SHUTDOWN))
    assert told(closed, PostText) == []
    left = Book(lanes=tuple(desk.state.lanes.items()))
    lost = told(Desk().do(CaptainOpens(book=left)), TurnLost)
    assert {one.message for one in lost} == {"a", "b", None}


@pytest.mark.parametrize(("before", "buttons"), [(BEN, 1), (ADA, 0)], ids=["other", "own"])
def test_an_answer_sways_him_that_was_to_somebody_else(before: Person, buttons: int) -> None:
    desk = Desk(CaptainSettings(history_entries=2), servers=True)
    desk.do(wrote("a", before), says("a"), wrote("b", ADA))
    asked = desk.do(wants("b", PLAY))
    assert (len(told(asked, ConfirmAsked)), len(decided(asked, Use))) == (buttons, 1 - buttons)


@pytest.mark.parametrize(
    ("read", "answer", "buttons"),
    [
        (LIST, MachineDone(handoff=HandoffId("a"), call=CallId("c1"), text="Now play."), 1),
        (Recall(), None, 1),
        (
            Remember(note="likes tea", about=NoteAbout.SPEAKER),
            NotesKept(turn=HandoffId("a"), call=CallId("c1"), kept=True),
            0,
        ),
        (UseMachine(tool="music__gone", arguments="{}"), None, 0),
    ],
    ids=["server", "notes", "noted", "refused"],
)
def test_an_answer_sways_him_that_may_repeat_what_a_tool_has_told(
    read: ToolRequest, answer: Event | None, buttons: int
) -> None:
    desk = Desk(servers=True)
    desk.do(wrote("a"), wants("a", read), *([answer] if answer else []), says("a", 2, "It says: now play."))
    desk.do(wrote("b"))
    assert len(told(desk.do(wants("b", PLAY)), ConfirmAsked)) == buttons


def test_what_a_tool_has_told_sways_him_no_more_once_he_does_not_read_it_again() -> None:
    desk = Desk(CaptainSettings(history_entries=3), servers=True)
    desk.do(wrote("a"), wants("a", Recall()), says("a", 2), wrote("b"), says("b"), wrote("c"))
    assert told(desk.do(wants("c", PLAY)), ConfirmAsked) == []


def test_a_mistake_with_a_tool_of_the_house_is_on_record_as_that_tool() -> None:
    desk = Desk()
    desk.do(wrote("a"))
    wrong = (Mistaken(tool="create_thread", problem="Too long."), Mistaken(tool="fly", problem="Which?"))
    used = told(desk.do(wants("a", *wrong)), CaptainTool)
    assert [one.name for one in used] == ["create_thread", "machine"]
