"""A hand-off is told, merged, or taken back by those who asked; it never ends twice and never unheard."""

import pytest

from actors.realtime.decisions import Connect, Decision, HandOff, TellCaptain
from actors.realtime.handoffs import FORGOTTEN
from actors.realtime.items import CallAnswered, Result
from messages.captain import TakeBack
from messages.evidence import RealtimeTool
from messages.floor import ResultWaiting, Trigger, WorkBegan, WorkEnded
from messages.ids import HandoffId, ResponseId, TurnId
from messages.people import Line, Person
from messages.realtime import (
    ForgetPerson,
    HandoffFailed,
    HandoffMerged,
    HandoffReturned,
    HandoffTakenBack,
    MouthRestarted,
)
from messages.stay import EndStay, LeftReason
from tests.actors.realtime.talk import (
    ANNA,
    BEN,
    R2,
    T2,
    Talk,
    brief,
    floor,
    items,
    line,
    only,
    receipts,
    stay,
)

A, B = HandoffId("a-handoff"), HandoffId("b-handoff")
WORK = HandoffId("c-handoff")
LEAVE = EndStay(reason=LeftReason.SELF_DECIDED, after_speech=True)


def two_things(talk: Talk) -> list[Decision]:
    """Anna asks for two things in one turn."""
    talk.ask(line("two things"))
    talk.call("ask_clankie", call="a", request="one")
    talk.call("ask_clankie", call="b", request="two")
    return talk.end()


def never_mind(talk: Talk, *lines: Line, call: str = "n") -> list[Decision]:
    talk.ask(*lines, turn=T2)
    talk.call("take_back", call=call, response=R2)
    return talk.end(response=R2)


def outcomes(decisions: list[Decision]) -> list[str]:
    return [item.outcome for item in items(decisions) if isinstance(item, CallAnswered)]


def told(decisions: list[Decision]) -> list[object]:
    return [decision.message for decision in decisions if isinstance(decision, TellCaptain)]


def result(handoff: HandoffId, text: str = "Noon.") -> HandoffReturned:
    return HandoffReturned(handoff=handoff, request="the time", text=text)


def test_whoever_leaves_and_asks_in_one_breath_gets_both() -> None:
    talk = Talk()
    talk.ask(line("leave, and look up the score"))
    talk.call("voice_leave", call="a")
    talk.call("ask_clankie", call="b", request="the score")
    done = talk.end()
    assert stay(done) == [LEAVE]
    assert [one.handoff for one in done if isinstance(one, HandOff)] == [B]
    assert outcomes(done) == ["accepted", "handed_off"]


def test_two_things_asked_at_once_are_two_hand_offs_and_told_in_one_turn() -> None:
    talk = Talk()
    done = two_things(talk)
    assert [one.handoff for one in done if isinstance(one, HandOff)] == [A, B]
    assert floor(done)[1:] == [WorkBegan(handoff=A), WorkBegan(handoff=B)]
    talk.do(result(B, "2"))
    talk.do(result(A, "1"))
    talk.ask(turn=T2, trigger=Trigger.HANDOFF_RESULT)
    talk.text("1 and 2.", response=R2)
    talk.end(response=R2)
    assert talk.state.handoffs == ()


def test_a_merged_hand_off_is_over_and_its_result_comes_with_the_other() -> None:
    talk = Talk()
    two_things(talk)
    assert floor(talk.do(HandoffMerged(handoff=B, into=A))) == [WorkEnded(handoff=B)]
    assert talk.do(HandoffMerged(handoff=B, into=A)) == []
    assert talk.do(HandoffFailed(handoff=B, request="two", reason="captain_closed")) == []
    assert floor(talk.do(MouthRestarted())) == [WorkBegan(handoff=A)]
    talk.do(result(A, "Both."))
    done = brief(talk.ask(turn=T2, trigger=Trigger.HANDOFF_RESULT)).brief
    assert done.results == (Result(handoff=A, request="one / two", text="Both."),)


def test_what_was_merged_into_something_unknown_is_over_all_the_same() -> None:
    talk = Talk()
    talk.handed_off()
    assert floor(talk.do(HandoffMerged(handoff=WORK, into=A))) == [WorkEnded(handoff=WORK)]
    assert ResultWaiting(handoff=A) in floor(talk.do(result(A)))
    assert talk.do(HandoffMerged(handoff=HandoffId("x"), into=A)) == []


def test_whoever_asked_may_take_it_back_and_is_answered_at_once() -> None:
    talk = Talk()
    talk.handed_off()
    done = never_mind(talk, line("never mind"))
    assert outcomes(done) == ["taken_back"]
    assert told(done) == [TakeBack(handoff=WORK)]
    assert floor(done)[-1] == WorkEnded(handoff=WORK)
    tools = [one for one in receipts(done) if isinstance(one, RealtimeTool)]
    assert [(one.name, one.outcome) for one in tools] == [("take_back", None), ("take_back", "taken_back")]
    assert talk.state.handoffs == ()


@pytest.mark.parametrize(
    "late",
    [
        result(WORK),
        HandoffFailed(handoff=WORK, request="the time", reason="stalled"),
        HandoffTakenBack(handoff=WORK),
        HandoffMerged(handoff=WORK, into=A),
    ],
)
def test_whatever_comes_of_what_was_taken_back_is_no_news(
    late: HandoffReturned | HandoffFailed | HandoffTakenBack | HandoffMerged,
) -> None:
    talk = Talk()
    talk.handed_off()
    never_mind(talk, line("never mind"))
    assert talk.do(late) == []


def test_the_captain_may_end_a_hand_off_by_himself_but_not_a_result() -> None:
    talk = Talk()
    two_things(talk)
    assert floor(talk.do(HandoffTakenBack(handoff=A))) == [WorkEnded(handoff=A)]
    talk.do(result(B))
    assert talk.do(HandoffTakenBack(handoff=B)) == []
    assert talk.do(HandoffMerged(handoff=B, into=A)) == []
    assert [one.handoff for one in talk.state.handoffs] == [B]


def test_everything_of_theirs_is_taken_back_with_what_became_part_of_it() -> None:
    talk = Talk()
    two_things(talk)
    talk.do(HandoffMerged(handoff=B, into=A))
    assert told(never_mind(talk, line("forget it"))) == [TakeBack(handoff=B), TakeBack(handoff=A)]


@pytest.mark.parametrize(
    "speakers",
    [(BEN,), (ANNA, BEN), (BEN, ANNA)],
)
def test_nobody_takes_back_what_others_asked_not_even_together_with_them(
    speakers: tuple[Person, ...],
) -> None:
    talk = Talk()
    talk.handed_off()
    done = never_mind(talk, *(line(f"never mind {one.label}", one) for one in speakers))
    assert outcomes(done) == ["refused"]
    assert told(done) == []
    assert [one.handoff for one in talk.state.handoffs] == [WORK]


def test_one_of_those_who_asked_together_may_take_it_back() -> None:
    talk = Talk()
    talk.ask(line("the time"), line("yes, the time", BEN))
    talk.call("ask_clankie", request="the time")
    talk.end()
    assert told(never_mind(talk, line("never mind", BEN))) == [TakeBack(handoff=WORK)]


def test_a_result_that_is_here_already_is_not_taken_back() -> None:
    talk = Talk()
    talk.handed_off()
    talk.do(result(WORK))
    assert outcomes(never_mind(talk, line("never mind"))) == ["refused"]
    assert len(talk.state.handoffs) == 1


def test_what_an_earlier_life_asked_is_nobodys_to_take_back() -> None:
    talk = Talk()
    assert outcomes(never_mind(talk, line("never mind"))) == ["refused"]


def test_a_turn_without_speakers_takes_nothing_back() -> None:
    talk = Talk()
    talk.handed_off()
    talk.ask(turn=T2, trigger=Trigger.HANDOFF_WAIT)
    talk.call("take_back", call="n", response=R2)
    (output,) = [item for item in items(talk.end(response=R2)) if isinstance(item, CallAnswered)]
    assert (output.outcome, output.text) == ("refused", "Nobody asked.")
    assert len(talk.state.handoffs) == 1


def test_forget_that_and_look_for_this_instead_keeps_what_is_new_in_either_order() -> None:
    for first, second in (("take_back", "ask_clankie"), ("ask_clankie", "take_back")):
        talk = Talk()
        talk.handed_off()
        talk.ask(line("forget that, find the key"), turn=T2)
        talk.call(first, call="x", request="the key", response=R2)
        talk.call(second, call="y", request="the key", response=R2)
        done = talk.end(response=R2)
        assert told(done) == [TakeBack(handoff=WORK)]
        assert [one.request for one in talk.state.handoffs] == ["the key"]


def test_what_is_remembered_of_ended_hand_offs_is_bounded() -> None:
    talk = Talk()
    for number in range(200):
        turn = TurnId(f"u{number}")
        talk.ask(line(str(number)), turn=turn)
        talk.call("ask_clankie", call=f"k{number}", request="x", response=ResponseId(f"{turn}-1"))
        talk.end(response=ResponseId(f"{turn}-1"))
        talk.do(HandoffTakenBack(handoff=HandoffId(f"k{number}-handoff")))
    assert len(talk.state.settled) == 64


@pytest.mark.parametrize("comes", ["before", "after"])
def test_what_came_of_the_request_of_one_who_is_forgotten_is_told_without_his_words(comes: str) -> None:
    talk = Talk()
    talk.handed_off()
    if comes == "before":
        talk.do(result(WORK))
    talk.do(ForgetPerson(person=ANNA.id))
    talk.do(result(WORK))
    asked = talk.ask(turn=T2, trigger=Trigger.HANDOFF_RESULT)
    (told_of,) = brief(asked).brief.results
    assert (told_of.request, told_of.text) == (FORGOTTEN, "Noon.")


def test_no_new_conversation_begins_with_what_somebody_asked_who_is_forgotten() -> None:
    talk = Talk()
    talk.handed_off()
    talk.do(ForgetPerson(person=BEN.id))
    assert talk.state.handoffs[0].request == "the time"
    talk.do(ForgetPerson(person=ANNA.id))
    assert only(talk.ask(line("hello", BEN), turn=T2), Connect).seed.open_requests == (FORGOTTEN,)


def test_a_result_that_is_being_told_is_told_again_without_the_words_of_one_who_is_forgotten() -> None:
    talk = Talk()
    talk.handed_off()
    talk.do(result(WORK))
    talk.ask(turn=T2, trigger=Trigger.HANDOFF_RESULT)
    (told_of,) = brief(talk.do(ForgetPerson(person=ANNA.id))).brief.results
    assert told_of.request == FORGOTTEN
