"""Every turn that is asked is answered exactly once, whatever becomes of it."""

from dataclasses import replace

import pytest

from actors.realtime.decisions import Add, Cancel, Connect, Disconnect, Respond
from actors.realtime.items import CallAnswered, Heard, Said
from actors.realtime.settings import RealtimeSettings
from actors.realtime.state import facts
from messages.evidence import Failed, ModelResponse
from messages.floor import Outcome, Trigger, TurnOrphaned
from messages.ids import CallId, Connection, ResponseId, Token
from messages.realtime import (
    CancelTurn,
    ConversationLost,
    ForgetPerson,
    LineOverheard,
    MouthRestarted,
    RealtimeTick,
    ResponseEnding,
    SpeechWasHeard,
    TurnAsked,
)
from messages.stay import SayInChat
from messages.tts import SayEnd, SayText
from tests.actors.realtime.talk import (
    ANNA,
    BEN,
    ONE,
    R1,
    R2,
    T1,
    T2,
    TWO,
    U1,
    Talk,
    answer,
    brief,
    floor,
    items,
    line,
    only,
    receipts,
    spoken,
    stay,
)

HELLO = line("Hello Clankie")


def test_the_first_turn_opens_a_conversation_that_knows_its_line() -> None:
    talk = Talk()
    done = talk.ask(HELLO)
    assert [type(decision) for decision in done] == [Connect, Respond]
    assert only(done, Connect).seed.remembered == (Heard(line=HELLO),)
    assert brief(done).brief.lines == (HELLO,)
    assert brief(done).response == R1


def test_a_question_to_an_earlier_life_is_not_answered_for_it_will_be_asked_anew() -> None:
    talk = Talk()
    talk.state = replace(talk.state, life=3)
    asked = TurnAsked(turn=T1, trigger=Trigger.ADDRESS, lines=(HELLO,), life=2)
    assert talk.do(asked) == []
    assert [type(one) for one in talk.do(replace(asked, life=3))] == [Connect, Respond]


def test_a_later_turn_adds_its_new_lines_only() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.end()
    overheard = line("by the way", BEN)
    assert items(talk.do(LineOverheard(line=overheard))) == [Heard(line=overheard)]
    done = talk.ask(overheard, line("and you?"), turn=T2)
    assert items(done) == [Heard(line=line("and you?"))]
    assert brief(done).connection == ONE


def test_text_is_spoken_as_it_comes_and_the_turn_spoke() -> None:
    talk = Talk()
    talk.ask(HELLO)
    assert talk.text(" \n") == []
    assert spoken(talk.text(" Good")) == [SayText(utterance=U1, turn=T1, text="Good")]
    assert spoken(talk.text(" morning.")) == [SayText(utterance=U1, turn=T1, text=" morning.")]
    talk.now += 1.5
    done = talk.end()
    assert spoken(done) == [SayEnd(utterance=U1)]
    assert answer(done) == (Outcome.SPOKE, U1, "")
    receipt = receipts(done)[0]
    assert isinstance(receipt, ModelResponse)
    assert (receipt.phase, receipt.outcome, receipt.latency_ms) == ("completed", "spoke", 1500)


def test_a_response_without_text_is_silence() -> None:
    talk = Talk()
    talk.ask(HELLO)
    assert answer(talk.end()) == (Outcome.SILENT, None, "")


def test_events_of_another_response_or_connection_are_old_letters() -> None:
    talk = Talk()
    talk.ask(HELLO)
    assert talk.text("old", response=R2) == []
    assert talk.text("old", connection=TWO) == []
    assert talk.call("voice_leave", response=R2) == []
    assert talk.end(response=R2) == []
    assert talk.do(ConversationLost(connection=TWO, reason="old")) == []
    talk.end()
    assert talk.text("late") == talk.call("voice_leave") == talk.end() == []


def test_a_cut_turn_is_silent_at_once_and_answered_as_cut() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.text("One two three")
    talk.call("voice_leave")
    assert talk.do(CancelTurn(turn=T2)) == []
    done = talk.do(CancelTurn(turn=T1))
    assert done[0] == Cancel(connection=ONE, response=R1)
    assert items(done) == [CallAnswered(call=CallId("c"), outcome="cancelled", text="")]
    assert spoken(done) == stay(done) == []
    assert answer(done) == (Outcome.CUT, U1, "")
    assert talk.end() == []
    assert talk.do(CancelTurn(turn=T1)) == []


def test_what_was_cut_off_was_never_said() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.text("One two three")
    talk.do(CancelTurn(turn=T1))
    heard = SpeechWasHeard(utterance=U1, text="One two", whole=False)
    corrected = Said(utterance=U1, text="One two", interrupted=True)
    assert items(talk.do(heard)) == [corrected]
    assert list(talk.state.ring) == [Heard(line=HELLO), corrected]
    assert talk.do(SpeechWasHeard(utterance=U1, text="x", whole=True)) == []
    talk.do(SpeechWasHeard(utterance=U1, text=" ", whole=False))
    assert list(talk.state.ring) == [Heard(line=HELLO)]
    assert talk.do(heard) == []


@pytest.mark.parametrize(("text", "remembered"), [("One", 2), ("", 1)])
def test_speech_that_failed_before_its_response_ended_is_corrected_at_the_end(
    text: str, remembered: int
) -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.text("One two three")
    assert talk.do(SpeechWasHeard(utterance=U1, text=text, whole=False)) == []
    assert items(talk.end()) == [Said(utterance=U1, text=text, interrupted=True)]
    assert len(talk.state.ring) == remembered


def test_speech_that_ended_with_its_conversation_needs_no_correction_there() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.text("One two three")
    talk.do(SpeechWasHeard(utterance=U1, text="One", whole=False))
    assert items(talk.do(ConversationLost(connection=ONE, reason="reset"))) == []


def test_a_new_mouth_ends_the_turn_of_the_old_one() -> None:
    talk = Talk()
    assert talk.do(MouthRestarted()) == []
    talk.ask(HELLO)
    assert answer(talk.do(MouthRestarted())) == (Outcome.CUT, None, "")


@pytest.mark.parametrize("trigger", [Trigger.ADDRESS, Trigger.TYPED])
def test_a_new_mouth_is_told_of_an_address_to_which_nothing_has_been_said(trigger: Trigger) -> None:
    talk = Talk()
    talk.ask(HELLO, trigger=trigger)
    orphan = TurnOrphaned(trigger=trigger, lines=(HELLO,))
    assert floor(talk.do(MouthRestarted()))[-1] == orphan
    talk.ask(HELLO, trigger=trigger, turn=T2)
    talk.text("One two", response=R2)
    assert orphan not in floor(talk.do(MouthRestarted()))
    talk.ask(HELLO, trigger=trigger)
    talk.call("ask_clankie", request="the time")
    assert orphan not in floor(talk.do(MouthRestarted())), "the captain is at it"
    talk.ask(trigger=trigger)
    assert orphan not in floor(talk.do(MouthRestarted()))
    talk.ask(HELLO, trigger=Trigger.OFFER)
    assert len(floor(talk.do(MouthRestarted()))) == 1


def test_a_turn_that_comes_too_early_replaces_the_one_before() -> None:
    talk = Talk()
    talk.ask(HELLO)
    done = talk.ask(line("again"), turn=T2)
    assert answer(done) == (Outcome.FAILED, None, "replaced")
    assert done[0] == Cancel(connection=ONE, response=R1)
    assert brief(done).response == R2


def test_a_response_without_progress_for_20_seconds_has_failed() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.wait(15)
    talk.text("Well")
    assert talk.wait(19.9) == []
    done = talk.wait(0.2)
    assert answer(done) == (Outcome.FAILED, U1, "deadline")
    assert spoken(done) == [SayEnd(utterance=U1)]
    assert Disconnect(connection=ONE) in done
    assert any(isinstance(receipt, Failed) for receipt in receipts(done))


def test_a_timer_of_before_is_an_old_letter() -> None:
    talk = Talk()
    talk.ask(HELLO)
    before = talk.state
    assert talk.do(RealtimeTick(token=Token(0))) == []
    assert talk.state == before


@pytest.mark.parametrize("ending", [ResponseEnding.FAILED, ResponseEnding.CANCELLED])
def test_a_failed_response_acts_on_nothing_and_is_told_to_the_room_once(ending: ResponseEnding) -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.call("voice_leave")
    done = talk.end(ending=ending, reason="insufficient_quota")
    assert not any(isinstance(decision, Cancel) for decision in done)
    assert items(done) == [CallAnswered(call=CallId("c"), outcome="cancelled", text="")]
    assert answer(done) == (Outcome.FAILED, None, "insufficient_quota")
    assert stay(done) == [SayInChat(text="I cannot answer at the moment: insufficient_quota.")]
    again = talk.ask(line("hello?"), turn=T2)
    assert answer(again) == (Outcome.FAILED, None, "insufficient_quota")
    talk.now += 1
    talk.ask(line("hello??"), turn=T2)
    assert stay(talk.end(response=R2, ending=ending)) == []
    assert talk.state.retry_at == talk.now + 2


def test_a_lost_conversation_fails_the_turn_and_is_reopened_with_what_is_remembered() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.text("Well")
    done = talk.do(ConversationLost(connection=ONE, reason="reset"))
    assert answer(done) == (Outcome.FAILED, U1, "reset")
    talk.now += 1
    done = talk.ask(line("again"), turn=T2)
    assert [len(only(done, Connect).seed.remembered), brief(done).connection] == [3, TWO]
    talk.end(response=R2, connection=TWO)
    assert (talk.state.retry_after, talk.state.trouble) == (0.0, "")


def test_pauses_after_losses_double_up_to_half_a_minute() -> None:
    talk, pauses = Talk(), list[float]()
    for number in range(1, 8):
        talk.ask(HELLO, turn=T1)
        talk.do(ConversationLost(connection=Connection(number), reason="reset"))
        pauses.append(talk.state.retry_at - talk.now)
        talk.now += 31
    assert pauses == [1, 2, 4, 8, 16, 30, 30]


def test_an_expired_session_is_renewed_without_a_word() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.end()
    assert talk.do(ConversationLost(connection=ONE, reason="session_expired")) == []
    done = talk.ask(line("again"), turn=T2)
    assert brief(done).connection == TWO
    done = talk.end(response=R2, connection=TWO, ending=ResponseEnding.FAILED, reason="session_expired")
    assert brief(done).response == ResponseId("t2-2")
    done = talk.do(ConversationLost(connection=Connection(3), reason="session_expired"))
    assert answer(done) == (Outcome.FAILED, None, "session_expired")
    assert stay(done) == []


def test_a_session_that_expires_after_the_first_word_is_not_asked_again() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.text("Well")
    assert answer(talk.do(ConversationLost(connection=ONE, reason="session_expired")))[0] is Outcome.FAILED


def test_an_unused_conversation_is_closed_after_five_minutes() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.end()
    assert talk.wait(299) == []
    assert talk.wait(2) == [Disconnect(connection=ONE)]
    assert talk.do(LineOverheard(line=line("nobody listens"))) == []


def test_work_of_the_captain_holds_the_conversation_open() -> None:
    talk = Talk()
    talk.handed_off()
    assert talk.wait(400) == []


def test_an_opt_out_ends_the_conversation_and_takes_the_lines_along() -> None:
    talk = Talk()
    talk.ask(HELLO, line("me too", BEN))
    talk.text("Well")
    done = talk.do(ForgetPerson(person=ANNA.id))
    assert answer(done) == (Outcome.FAILED, U1, "context_dropped")
    assert done[-1] == Disconnect(connection=ONE)
    assert [one for one in talk.state.ring if isinstance(one, Heard)] == [Heard(line=line("me too", BEN))]
    assert talk.do(ForgetPerson(person=ANNA.id)) == []
    assert only(talk.ask(line("who?", BEN), turn=T2), Connect).connection == TWO


def test_an_opt_out_does_not_cost_the_others_their_answer() -> None:
    talk = Talk()
    talk.ask(HELLO, line("me too", BEN))
    done = talk.do(ForgetPerson(person=BEN.id))
    assert Cancel(connection=ONE, response=R1) in done
    assert Disconnect(connection=ONE) in done
    assert [one for one in only(done, Connect).seed.remembered if isinstance(one, Heard)] == [
        Heard(line=HELLO)
    ]
    again = brief(done)
    assert (again.connection, again.response, again.brief.lines) == (TWO, ResponseId("t1-2"), (HELLO,))
    assert talk.text("old") == []
    talk.text("Hello.", response=ResponseId("t1-2"), connection=TWO)
    assert answer(talk.end(response=ResponseId("t1-2"), connection=TWO)) == (Outcome.SPOKE, U1, "")


def test_a_call_of_a_response_that_knew_who_opted_out_is_not_acted_on() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.call("voice_leave")
    done = talk.do(ForgetPerson(person=BEN.id))
    assert answer(done) == (Outcome.FAILED, None, "context_dropped")
    assert CallAnswered(call=CallId("c"), outcome="cancelled", text="") in items(done)
    assert done[-1] == Disconnect(connection=ONE)


def test_whoever_opted_out_is_not_answered_and_a_speakerless_turn_goes_on() -> None:
    talk = Talk()
    talk.ask(HELLO)
    assert answer(talk.do(ForgetPerson(person=ANNA.id))) == (Outcome.FAILED, None, "context_dropped")
    talk.ask(turn=T2, trigger=Trigger.GREETING)
    assert brief(talk.do(ForgetPerson(person=ANNA.id))).response == ResponseId("t2-2")


def test_the_timer_does_nothing_before_its_time() -> None:
    talk = Talk()
    talk.ask(HELLO)
    talk.wait(5)
    talk.text("so")
    assert talk.do(RealtimeTick(token=talk.state.token)) == []


@pytest.mark.parametrize("trigger", [Trigger.HANDOFF_RESULT, Trigger.HANDOFF_WAIT])
def test_a_turn_about_a_hand_off_that_is_gone_is_silent_and_asks_nobody(trigger: Trigger) -> None:
    talk = Talk()
    done = talk.ask(trigger=trigger)
    assert answer(done) == (Outcome.SILENT, None, "nothing_to_tell")
    assert not any(isinstance(decision, Respond | Add) for decision in done)


def test_a_status_page_learns_no_words() -> None:
    talk = Talk()
    talk.ask(HELLO)
    assert facts(talk.state) == {
        "conversation": 1,
        "answering": True,
        "trouble": "",
        "lines_remembered": 1,
        "handoffs_open": 0,
        "results_waiting": 0,
    }


@pytest.mark.parametrize(
    "wrong",
    [{"persona": " "}, {"ring_lines": 0}, {"renew_seconds": 3600.0}, {"result_tries": 0}],
)
def test_settings_that_cannot_work_are_refused_with_a_remedy(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must .*got .*; "):
        RealtimeSettings(**wrong)  # type: ignore[arg-type]
