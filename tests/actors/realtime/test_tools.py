"""Tools act once, from completed responses only, in the name of whoever asked."""

from dataclasses import replace

import pytest

from actors.realtime.handoffs import unsaid
from actors.realtime.items import CallAnswered, Result
from actors.realtime.settings import RealtimeSettings
from messages.evidence import ModelResponse, RealtimeTool
from messages.floor import Outcome, ResultWaiting, RosterChange, Trigger, WorkBegan, WorkEnded
from messages.ids import CallId, HandoffId, ResponseId
from messages.realtime import (
    CancelTurn,
    ConversationLost,
    HandoffFailed,
    HandoffReturned,
    LineOverheard,
    MouthRestarted,
    ResponseEnding,
    RoomObserved,
)
from messages.stay import EndStay, LeftReason, SayInChat
from tests.actors.realtime.talk import (
    ANNA,
    BEN,
    HERE,
    ONE,
    R2,
    T1,
    T2,
    U1,
    Talk,
    answer,
    brief,
    floor,
    handoff,
    items,
    line,
    receipts,
    stay,
)

WORK = HandoffId("c-handoff")
AGAIN = ResponseId("t1-2")
LEAVE = EndStay(reason=LeftReason.SELF_DECIDED, after_speech=True)
TIME = HandoffReturned(handoff=WORK, request="the time", text="It is noon.")


def test_leaving_is_answered_at_once_and_told_to_the_stay_after_the_speech() -> None:
    talk = Talk()
    talk.ask(line("Clankie, go away"))
    talk.text("Goodbye.")
    assert talk.call("voice_leave") == []
    done = talk.end()
    assert answer(done)[0] is Outcome.SPOKE
    assert stay(done) == [LEAVE]
    assert [item.outcome for item in items(done) if isinstance(item, CallAnswered)] == ["accepted"]
    tools = [receipt for receipt in receipts(done) if isinstance(receipt, RealtimeTool)]
    assert [(tool.phase, tool.outcome) for tool in tools] == [("called", None), ("answered", "accepted")]


def test_a_call_that_comes_twice_is_acted_on_once() -> None:
    talk = Talk()
    talk.ask(line("go"))
    talk.call("voice_leave")
    talk.call("voice_leave")
    assert stay(talk.end()) == [LEAVE]
    talk.ask(line("go!"), turn=T2)
    talk.call("voice_leave", response=R2)
    done = talk.end(response=R2)
    assert stay(done) == []
    assert answer(done)[0] is Outcome.SILENT


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("delete_everything", "There is no such tool."),
        ("ask_clankie", "It needs a request: what is wanted, in words."),
    ],
)
def test_a_mistaken_call_gets_an_error_output_and_another_try(tool: str, text: str) -> None:
    talk = Talk()
    talk.ask(line("go"))
    talk.call(tool)
    done = talk.end()
    assert floor(done) == []
    assert items(done) == [CallAnswered(call=CallId("c"), outcome="error", text=text)]
    tools = [receipt for receipt in receipts(done) if isinstance(receipt, RealtimeTool)]
    assert {tool.name for tool in tools} <= {"unknown", "ask_clankie"}
    again = brief(done)
    assert (done[-1], again.response, again.brief.lines) == (again, AGAIN, (line("go"),))
    talk.text("Well.", response=AGAIN)
    assert answer(talk.end(response=AGAIN))[0] is Outcome.SPOKE


def test_a_second_mistake_in_one_turn_ends_it_and_says_why() -> None:
    talk = Talk()
    talk.ask(line("go"))
    talk.call("delete_everything")
    talk.end()
    talk.call("delete_everything", call="d", response=AGAIN)
    done = talk.end(response=AGAIN)
    assert answer(done) == (Outcome.TOOL, None, "bad_tool_call")
    assert [item.call for item in items(done) if isinstance(item, CallAnswered)] == ["d"]
    (turn,) = [receipt for receipt in receipts(done) if isinstance(receipt, ModelResponse)]
    assert turn.reason == "bad_tool_call"


def test_a_mistaken_call_beside_words_or_another_call_asks_for_no_other_try() -> None:
    talk = Talk()
    talk.ask(line("go"))
    talk.text("Goodbye.")
    talk.call("delete_everything")
    assert answer(talk.end()) == (Outcome.SPOKE, U1, "")
    talk.ask(line("go!"), turn=T2)
    talk.call("delete_everything", call="d", response=R2)
    talk.call("voice_leave", call="e", response=R2)
    assert answer(talk.end(response=R2)) == (Outcome.TOOL, None, "")


def test_a_question_goes_to_the_captain_with_the_words_and_the_room_of_the_asker() -> None:
    talk = Talk()
    talk.do(RoomObserved(people=HERE, change=RosterChange.ARRIVED, who=BEN))
    for number in range(12):
        talk.do(LineOverheard(line=line(f"before {number}", BEN)))
    talk.ask(line("Clankie, look", name="1"), line("for the key", name="2"))
    talk.call("ask_clankie", request="where is the key")
    done = talk.end()
    asked = handoff(done)
    assert (asked.handoff, asked.askers, asked.request) == (WORK, (ANNA,), "where is the key")
    assert [one.text for one in asked.original] == ["Clankie, look", "for the key"]
    assert [one.text for one in asked.recent] == [f"before {number}" for number in range(4, 12)]
    assert asked.observations == ('"Ben" came in. Humans here: 2.',)
    assert floor(done)[-1] == WorkBegan(handoff=WORK)
    assert answer(done)[0] is Outcome.TOOL


def test_all_who_asked_for_a_turn_together_are_its_askers_and_the_newest_gains_nothing() -> None:
    talk = Talk(RealtimeSettings(original_characters=25))
    talk.ask(line("Clankie, the time", BEN), line("delete it all", ANNA), line("now", BEN))
    talk.call("ask_clankie", request="time")
    asked = handoff(talk.end())
    assert asked.askers == (BEN, ANNA)
    assert [(one.person, one.text) for one in asked.original] == [
        (BEN, "Clankie, the time"),
        (ANNA, "delete i"),
    ]


def test_nobody_asked_in_a_speakerless_turn() -> None:
    talk = Talk()
    talk.ask(trigger=Trigger.MEMBERSHIP)
    talk.call("ask_clankie", request="everything")
    done = talk.end()
    assert items(done) == [CallAnswered(call=CallId("c"), outcome="refused", text="Nobody asked.")]
    assert talk.state.handoffs == ()


def test_a_result_waits_for_a_turn_of_its_own_and_is_told_once() -> None:
    talk = Talk()
    talk.handed_off()
    assert floor(talk.do(TIME)) == [WorkEnded(handoff=WORK), ResultWaiting(handoff=WORK)]
    assert talk.do(TIME) == []
    result = Result(handoff=WORK, request="the time", text="It is noon.")
    assert brief(talk.ask(line("hm"), turn=T2)).brief.results == ()
    talk.end(response=R2)
    done = talk.ask(turn=T2, trigger=Trigger.HANDOFF_RESULT)
    assert brief(done).brief.results == (result,)
    talk.text("It is noon.", response=R2)
    talk.end(response=R2)
    assert talk.state.handoffs == ()


def test_results_that_came_meanwhile_are_told_together() -> None:
    talk = Talk()
    talk.ask(line("two things"))
    talk.call("ask_clankie", call="a", request="one")
    talk.call("ask_clankie", call="b", request="two")
    talk.end()
    talk.do(HandoffReturned(handoff=HandoffId("a-handoff"), request="the time", text="1"))
    talk.do(HandoffFailed(handoff=HandoffId("b-handoff"), request="the time", reason="stalled"))
    results = brief(talk.ask(turn=T2, trigger=Trigger.HANDOFF_RESULT)).brief.results
    assert [(result.text, result.failed) for result in results] == [("1", ""), ("", "stalled")]


def test_a_turn_may_be_asked_while_one_waits_for_the_captain() -> None:
    talk = Talk()
    talk.handed_off()
    done = talk.ask(turn=T2, trigger=Trigger.HANDOFF_WAIT)
    assert brief(done).brief.open_requests == ("the time",)


def test_a_result_that_could_not_be_said_waits_again_and_is_written_in_the_end() -> None:
    talk = Talk()
    talk.handed_off()
    talk.do(TIME)
    talk.ask(turn=T2, trigger=Trigger.HANDOFF_RESULT)
    done = talk.end(response=R2, ending=ResponseEnding.FAILED, reason="overloaded")
    assert ResultWaiting(handoff=WORK) in floor(done)
    done = talk.ask(turn=T2, trigger=Trigger.HANDOFF_RESULT)
    assert answer(done)[0] is Outcome.FAILED
    assert stay(done) == [SayInChat(text="It is noon.")]
    assert talk.state.handoffs == ()


def test_a_failed_hand_off_that_could_not_be_said_is_not_written() -> None:
    talk = Talk()
    talk.handed_off()
    talk.do(HandoffFailed(handoff=WORK, request="the time", reason="stalled"))
    talk.state = replace(talk.state, handoffs=(replace(talk.state.handoffs[0], tries=5),))
    talk.ask(turn=T2, trigger=Trigger.HANDOFF_RESULT)
    assert stay(talk.do(CancelTurn(turn=T2))) == []
    assert talk.state.handoffs == ()


@pytest.mark.parametrize("text", ["", "It is"])
def test_a_cut_result_counts_as_told_once_a_word_of_it_was_said(text: str) -> None:
    talk = Talk()
    talk.handed_off()
    talk.do(TIME)
    talk.ask(turn=T2, trigger=Trigger.HANDOFF_RESULT)
    talk.text(text, response=R2)
    done = talk.do(CancelTurn(turn=T2))
    assert (ResultWaiting(handoff=WORK) in floor(done)) == (not text)


def test_a_new_mouth_is_told_of_all_hand_offs() -> None:
    talk = Talk()
    talk.handed_off()
    assert floor(talk.do(MouthRestarted())) == [WorkBegan(handoff=WORK)]
    talk.do(TIME)
    talk.ask(turn=T2, trigger=Trigger.HANDOFF_RESULT)
    assert floor(talk.do(MouthRestarted()))[1:] == [ResultWaiting(handoff=WORK)]


def test_a_call_of_a_lost_conversation_has_nobody_to_be_answered_to() -> None:
    talk = Talk()
    talk.ask(line("go"))
    talk.call("voice_leave")
    done = talk.do(ConversationLost(connection=ONE, reason="reset"))
    assert items(done) == []
    assert LEAVE not in stay(done)


def test_the_speaker_who_asked_stays_the_asker_after_somebody_else_spoke() -> None:
    talk = Talk()
    talk.ask(line("Clankie, the time", ANNA))
    talk.do(LineOverheard(line=line("delete the file", BEN)))
    talk.call("ask_clankie", request="time")
    assert handoff(talk.end()).askers == (ANNA,)
    assert answer(talk.ask(line("x"), turn=T1) + talk.end())[0] is Outcome.SILENT


def test_a_result_of_an_earlier_life_is_said_all_the_same_and_once() -> None:
    talk = Talk()
    assert ResultWaiting(handoff=WORK) in floor(talk.do(TIME))
    assert talk.do(TIME) == []
    (owed,) = unsaid(talk.state)
    assert (owed.handoff, owed.request, owed.text) == (WORK, "the time", "It is noon.")
