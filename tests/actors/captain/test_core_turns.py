"""Lanes, steps, deadlines, and one ending for each turn."""

from dataclasses import replace

import pytest

from actors.captain.asking import MOST_JOINED
from actors.captain.decisions import Begin, Over, TellGateway, Think
from actors.captain.journal import MOST_ENTRIES, HeardAsked, SaidAnswer, TurnOver
from actors.captain.settings import CaptainSettings
from messages.authority import Surface
from messages.captain import CaptainTick, MindWorks
from messages.console import OperatorAnswered
from messages.evidence import Failed, Handoff
from messages.gateway import TextAnswered, WhoAsks
from messages.ids import HandoffId, Token
from messages.realtime import HandoffFailed, HandoffReturned
from messages.tools import Recall
from tests.actors.captain.scene import (
    ADA,
    BEN,
    CLEO,
    Desk,
    aloud,
    begun,
    decided,
    entries,
    fails,
    known,
    outputs,
    says,
    told,
    typed,
    wants,
    wrote,
)


def test_what_is_written_is_thought_about_and_answered_in_its_room() -> None:
    desk = Desk()
    began = desk.do(wrote("a"))
    (brief,) = [one.brief for one in decided(began, Begin)]
    assert (brief.surface, brief.persona, brief.asked[0].speaker) == (Surface.TEXT, "Be brief.", "Ada")
    assert decided(began, Think) == [Think(turn=HandoffId("a"), step=1, items=())]
    ended = desk.do(says("a"))
    assert [answer.text for answer in told(ended, TextAnswered)] == ["Done."]
    assert decided(ended, Over) == [Over(turn=HandoffId("a"))]
    assert desk.state.turns == ()


def test_everything_is_written_down_before_it_is_done() -> None:
    desk = Desk()
    assert isinstance(entries(desk.do(wrote("a"))[:1], HeardAsked)[0], HeardAsked)
    ended = desk.do(says("a"))
    assert [one.text for one in entries(ended, SaidAnswer)] == ["Done."]
    assert [(one.how, one.prompt) for one in entries(ended, TurnOver)] == [("answered", "captain/1")]
    answer = next(one for one in ended if isinstance(one, TellGateway))
    assert entries(ended[ended.index(answer) :], TurnOver) == []


def test_what_is_asked_aloud_waits_until_it_is_known_who_asks() -> None:
    desk = Desk()
    began = desk.do(aloud("a", ADA, BEN, ADA))
    (who,) = told(began, WhoAsks)
    assert (who.people, begun(began)) == ((ADA, BEN), [])
    (brief,) = [one.brief for one in decided(desk.do(known("a", ADA, BEN)), Begin)]
    assert (brief.surface, brief.asked[0].speaker) == (Surface.MIXED_VOICE, "Ada, Ben")
    assert "voice_join" not in brief.tools
    assert [one.text for one in told(desk.do(says("a")), HandoffReturned)] == ["Done."]


def test_whoever_is_not_identified_in_time_may_do_least() -> None:
    desk = Desk()
    desk.do(aloud("a"))
    (brief,) = [one.brief for one in decided(desk.wait(5), Begin)]
    assert "voice_join" not in brief.tools
    assert desk.do(known("a")) == []


def test_whoever_is_identified_may_do_what_is_his_to_do() -> None:
    desk = Desk()
    desk.do(aloud("a"))
    (brief,) = [one.brief for one in decided(desk.do(known("a", BEN, ADA)), Begin)]
    assert "voice_join" in brief.tools
    assert desk.state.turns[0].askers[0].person == ADA


def test_in_one_lane_one_turn_is_at_work_and_in_two_there_are_two() -> None:
    desk = Desk()
    assert begun(desk.do(wrote("a"), wrote("b", BEN), wrote("c", BEN, room="attic"))) == ["a", "c"]
    assert begun(desk.do(says("a"))) == ["b"]
    assert begun(desk.do(typed("o"))) == ["o"]


def test_the_chat_and_the_voice_of_a_room_are_two_lanes() -> None:
    desk = Desk()
    desk.do(wrote("a"), aloud("b", BEN))
    assert begun(desk.do(known("b", BEN))) == ["b"]


def test_a_lane_that_is_full_is_busy() -> None:
    desk = Desk(CaptainSettings(lane_waiting=1))
    desk.do(aloud("a"), aloud("b", BEN))
    full = desk.do(aloud("c", CLEO))
    assert [one.reason for one in told(full, HandoffFailed)] == ["busy"]
    assert [one.reason for one in told(full, Failed)] == ["busy"]
    assert [one.phase for one in told(full, Handoff)] == ["began", "failed"]
    assert [(one.handoff, one.reason) for one in entries(full, TurnOver)] == [("c", "busy")]


def test_a_repeated_question_is_no_news() -> None:
    desk = Desk()
    desk.do(aloud("a"))
    assert desk.do(aloud("a")) == []


def test_nobody_asks_for_nothing() -> None:
    desk = Desk()
    nobody = desk.do(replace(aloud("a"), askers=()))
    assert [one.reason for one in told(nobody, HandoffFailed)] == ["nobody_asked"]
    assert begun(nobody) == []


@pytest.mark.parametrize("reason", ["rate_limited", "provider_down", "unreachable", "aborted", "bad_frame"])
def test_a_step_that_may_succeed_a_moment_later_is_asked_again(reason: str) -> None:
    desk = Desk()
    desk.do(wrote("a"))
    for number, rest in ((1, 1.0), (2, 2.0), (3, 4.0)):
        assert desk.do(fails("a", reason, step=number)) == []
        assert desk.wait(rest - 0.1) == []
        assert desk.wait(0.2) == [Think(turn=HandoffId("a"), step=number + 1, items=())]
    assert [one.failed for one in told(desk.do(fails("a", reason, step=4)), TextAnswered)] == [reason]


def test_a_mind_that_wants_to_be_left_alone_is_for_half_a_minute_at_most() -> None:
    desk = Desk()
    desk.do(wrote("a"), fails("a", "rate_limited", again_after=90))
    assert desk.wait(29.9) == []
    assert len(decided(desk.wait(0.2), Think)) == 1


def test_a_refusal_of_the_mind_is_final_and_is_remembered_until_something_succeeds() -> None:
    desk = Desk()
    ended = desk.do(wrote("a"), fails("a", "quota"))
    assert [one.failed for one in told(ended, TextAnswered)] == ["quota"]
    assert desk.state.trouble == "quota"
    desk.do(wrote("b"), says("b"))
    assert desk.state.trouble == ""


def test_an_old_letter_of_the_mind_changes_nothing() -> None:
    desk = Desk()
    desk.do(wrote("a"), fails("a", "aborted"))
    desk.wait(1)
    assert desk.do(says("a"), fails("a", "quota"), says("nobody")) == []
    assert len(told(desk.do(says("a", 2)), TextAnswered)) == 1
    assert desk.do(says("a", 2)) == []


def test_a_step_that_takes_too_long_is_asked_again() -> None:
    desk = Desk(CaptainSettings(step_seconds=10))
    desk.do(wrote("a"))
    assert desk.wait(10.5) == []
    assert desk.wait(1) == [Think(turn=HandoffId("a"), step=2, items=())]


def test_a_turn_of_which_nothing_is_heard_has_stalled() -> None:
    desk = Desk(CaptainSettings(stall_seconds=10, delay_seconds=1))
    desk.do(wrote("a"))
    desk.wait(9)
    desk.do(MindWorks(handoff=HandoffId("a"), step=1))
    assert desk.wait(9) == []
    ended = desk.wait(2)
    assert [one.failed for one in told(ended, TextAnswered)] == ["stalled"]
    assert decided(ended, Over) == [Over(turn=HandoffId("a"))]


def test_a_turn_has_so_much_time_in_all_and_then_the_next_begins() -> None:
    desk = Desk(CaptainSettings(turn_seconds=20))
    desk.do(wrote("a"), wrote("b", BEN))
    desk.wait(15)
    desk.do(MindWorks(handoff=HandoffId("a"), step=1))
    ended = desk.wait(6)
    assert [one.failed for one in told(ended, TextAnswered)] == ["deadline"]
    assert begun(ended) == ["b"]


def test_a_turn_has_so_many_steps() -> None:
    desk = Desk(CaptainSettings(turn_steps=2))
    desk.do(wrote("a"), wants("a", Recall()))
    ended = desk.do(wants("a", Recall(), step=2, first=2))
    assert [one.failed for one in told(ended, TextAnswered)] == ["too_many_steps"]


def test_what_was_said_beside_the_last_call_is_better_than_nothing() -> None:
    desk = Desk(CaptainSettings(turn_steps=1))
    ended = desk.do(wrote("a"), wants("a", Recall(), text="I know it."))
    assert [(one.text, one.failed) for one in told(ended, TextAnswered)] == [("I know it.", "")]


def test_a_turn_reads_what_was_said_in_its_lane_before() -> None:
    desk = Desk(CaptainSettings(history_entries=2))
    desk.do(wrote("a"), says("a"))
    (brief,) = [one.brief for one in decided(desk.do(wrote("b")), Begin)]
    assert [type(entry) for entry in brief.history] == [SaidAnswer, TurnOver]
    (other,) = [one.brief for one in decided(desk.do(wrote("c", room="attic")), Begin)]
    assert other.history == ()


def test_the_operator_is_answered_at_his_command_line() -> None:
    desk = Desk()
    (brief,) = [one.brief for one in decided(desk.do(typed("o")), Begin)]
    assert (brief.surface, brief.asked[0].speaker) == (Surface.OPERATOR, "")
    assert told(desk.do(says("o", text="")), OperatorAnswered) == [
        OperatorAnswered(handoff=HandoffId("o"), text="")
    ]


def test_whoever_adds_too_much_to_a_turn_is_told_that_he_is_busy() -> None:
    desk = Desk()
    for number in range(MOST_JOINED):
        desk.do(wrote(f"{number}"))
    assert [one.failed for one in told(desk.do(wrote("more")), TextAnswered)] == ["busy"]
    assert len(outputs(desk.do(says("0")))) == MOST_JOINED - 1


def test_an_old_timer_sets_no_new_one() -> None:
    desk = Desk()
    desk.do(wrote("a"))
    desk.wake = None
    assert desk.do(CaptainTick(token=Token(99))) == []
    assert desk.wake is None


def test_only_so_much_of_a_lane_is_remembered() -> None:
    desk = Desk()
    for number in range(MOST_ENTRIES):
        desk.do(wrote(f"{number}"), says(f"{number}"))
    assert [len(entries) for entries in desk.state.lanes.values()] == [MOST_ENTRIES]
