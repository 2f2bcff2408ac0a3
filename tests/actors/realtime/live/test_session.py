"""One question at a time: each is asked once, ends once, and leaves nothing behind that nobody heard."""

import json

import pytest

from actors.realtime.items import CallAnswered, Heard, Observed, Said, Seed
from actors.realtime.settings import RealtimeSettings
from messages.floor import Trigger
from messages.ids import CallId
from messages.realtime import ConversationLost, ResponseText, ToolCalled
from tests.actors.realtime.live.dialogue import (
    ONE,
    R1,
    R2,
    SEED,
    Dialogue,
    brief,
    call,
    ended,
    kinds,
    line,
    message,
    text_of,
)


def text(words: str, response: str = R1) -> ResponseText:
    return ResponseText(connection=ONE, response=R2 if response == R2 else R1, text=words)


def fresh(settings: RealtimeSettings | None = None, seed: Seed = SEED) -> Dialogue:
    talk = Dialogue(seed, settings)
    talk.sent()
    return talk


# --- the beginning


def test_the_session_is_configured_before_anything_is_said() -> None:
    talk = Dialogue()
    update, roster = talk.sent()
    session = update["session"]
    assert update["type"] == "session.update"
    assert session.pop("instructions").startswith("You are Clankie.")
    assert [tool["name"] for tool in session.pop("tools")] == ["voice_leave", "ask_clankie", "take_back"]
    assert session == {
        "type": "realtime",
        "output_modalities": ["text"],
        "audio": {
            "input": {
                "format": {"type": "audio/pcm", "rate": 24000},
                "turn_detection": None,
                "transcription": None,
                "noise_reduction": None,
            }
        },
        "tool_choice": "auto",
        "parallel_tool_calls": False,
        "reasoning": {"effort": "low"},
        "max_output_tokens": 600,
        "truncation": {
            "type": "retention_ratio",
            "retention_ratio": 0.7,
            "token_limits": {"post_instructions": 12000},
        },
        "tracing": None,
    }
    assert (roster["item"]["role"], text_of(roster)[:6]) == ("system", "ROOM: ")


def test_a_model_may_choose_its_own_effort() -> None:
    talk = Dialogue(settings=RealtimeSettings(reasoning_effort=""))
    assert "reasoning" not in talk.sent()[0]["session"]


def test_a_session_that_is_refused_is_lost() -> None:
    talk = Dialogue()
    (update, _) = talk.sent()
    talk.complain("invalid_value", about=update["event_id"])
    assert talk.told() == [ConversationLost(connection=ONE, reason="invalid_value")]
    assert talk.closed == 1


# --- one answer


def test_an_answer_is_told_as_it_comes_and_ends_once() -> None:
    talk = fresh()
    talk.ask()
    (asked,) = talk.sent()
    assert asked["type"] == "response.create"
    assert asked["response"] == {"metadata": {"turn": "t1", "trigger": "address"}}
    talk.begin()
    talk.begin()
    talk.text("Hello")
    talk.text(" there.")
    talk.done(message("Hello there."))
    assert talk.told() == [text("Hello"), text(" there."), ended()]
    talk.done(message("Hello there."))
    talk.text("late")
    assert talk.told() == []


def test_a_turn_without_lines_says_what_it_is_about() -> None:
    talk = fresh()
    talk.ask(R1, brief(trigger=Trigger.MEMBERSHIP))
    assert kinds(talk.sent()) == ["system", "system", "response.create"]


def test_silence_is_an_answer() -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.done()
    assert talk.told() == [ended()]


@pytest.mark.parametrize("pieces", [["(silence)"], ["(si", "len", "ce)"], ["*stays silent*"], [" ", "\n"]])
def test_the_word_for_silence_is_heard_by_nobody(pieces: list[str]) -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    for piece in pieces:
        talk.text(piece)
    talk.done(message("".join(pieces)))
    assert talk.told() == [ended()]


def test_whatever_comes_of_an_answer_is_progress() -> None:
    talk = fresh()
    talk.ask()
    talk.come("response.output_item.added", response_id="r1", item={"id": "th", "type": "reasoning"})
    assert talk.at_work == 0
    talk.begin()
    talk.come("response.output_item.added", response_id="r1", item={"id": "th", "type": "reasoning"})
    talk.come("response.function_call_arguments.delta", response_id="r1", delta="{")
    talk.come("response.function_call_arguments.delta", response_id="r2", delta="{")
    talk.text("(si")
    assert (talk.at_work, talk.told()) == (3, [])
    talk.cancel()
    talk.text("lence)")
    assert talk.at_work == 3


def test_what_only_began_like_the_word_for_silence_is_told() -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.text("(si")
    assert talk.told() == []
    talk.text("gh) Well.")
    assert talk.told() == [text("(sigh) Well.")]
    talk.done()
    talk.ask(R2)
    talk.begin("r2", "t2")
    talk.text("(short", "r2")
    talk.done(name="r2", turn="t2")
    assert talk.told()[1:] == [text("(short", R2), ended(R2)]


def test_an_answer_in_the_form_of_a_line_is_told_as_what_it_says() -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.text('{"speaker": "Clankie", ')
    talk.text('"text": "Hello."}')
    assert talk.told() == []
    talk.done()
    assert talk.told() == [text("Hello."), ended()]


def test_a_response_whose_beginning_was_missed_is_known_by_its_turn() -> None:
    talk = fresh()
    talk.ask()
    talk.done(message("x"))
    assert talk.told() == [ended()]


# --- tools


def test_calls_are_told_when_their_response_is_complete() -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.done(call(arguments='{"request": "the time"}'), call("voice_leave", "call-2", "{}"))
    one, two, end = talk.told()
    assert one == ToolCalled(
        connection=ONE, response=R1, call=CallId("call-1"), name="ask_clankie", request="the time"
    )
    assert isinstance(two, ToolCalled)
    assert (two.name, two.request, end) == ("voice_leave", "", ended())
    assert kinds(talk.sent()) == ["response.create"]


@pytest.mark.parametrize(
    "arguments", ["", "{", "[]", '{"request": 5}', '{"request": "x", "as": "ben"}', "{}"]
)
def test_a_call_without_a_proper_request_is_told_without_one(arguments: str) -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.done(call(arguments=arguments))
    told = talk.told()[0]
    assert isinstance(told, ToolCalled)
    assert told.request == ""


@pytest.mark.parametrize("status", ["cancelled", "incomplete", "failed"])
def test_calls_of_an_incomplete_response_are_answered_here_and_told_to_nobody(status: str) -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.sent()
    talk.done(call(), status=status, details={"reason": "x"})
    (output,) = talk.sent()
    assert (output["item"]["call_id"], json.loads(text_of(output))["outcome"]) == ("call-1", "cancelled")
    assert not any(isinstance(one, ToolCalled) for one in talk.told())
    talk.do(talk.session.add(CallAnswered(call=CallId("call-1"), outcome="cancelled", text="")))
    assert talk.sent() == []


def test_a_call_gets_one_output_whatever_is_said_of_it_later() -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.done(call())
    talk.sent()
    answered = CallAnswered(call=CallId("call-1"), outcome="handed_off", text="later")
    talk.do(talk.session.add(answered))
    (output,) = talk.sent()
    assert json.loads(text_of(output)) == {"outcome": "handed_off", "text": "later"}
    talk.do(talk.session.add(answered))
    talk.cancel()
    assert talk.sent() == []


def test_a_cancellation_that_crosses_the_end_answers_the_calls_that_nobody_will_act_on() -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.done(call())
    talk.sent()
    talk.cancel()
    assert kinds(talk.sent()) == ["function_call_output"]
    talk.do(talk.session.add(CallAnswered(call=CallId("call-1"), outcome="cancelled", text="")))
    assert talk.sent() == []


def test_a_response_that_completes_in_spite_of_its_cancellation_calls_nothing_and_leaves_no_call_open() -> (
    None
):
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.text("Well")
    talk.cancel()
    talk.sent()
    talk.done(message("Well then."), call())
    (output,) = talk.sent()
    assert (output["item"]["call_id"], json.loads(text_of(output))["outcome"]) == ("call-1", "cancelled")
    assert talk.told() == [text("Well")]


def test_a_call_that_comes_again_has_had_its_output() -> None:
    talk = fresh()
    for response, name, turn in ((R1, "r1", "t1"), (R2, "r2", "t2")):
        talk.ask(response)
        talk.begin(name, turn)
        talk.sent()
        talk.done(call(), name=name, turn=turn, status="incomplete")
        assert len(talk.sent()) == (1 if response == R1 else 0)


def test_a_call_that_does_not_lie_there_has_no_output() -> None:
    talk = fresh()
    talk.do(talk.session.add(CallAnswered(call=CallId("old"), outcome="accepted", text="gone")))
    assert talk.is_quiet


# --- one at a time


def test_the_next_question_waits_for_the_end_of_a_cancelled_one() -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.text("Well")
    talk.cancel()
    talk.ask(R2)
    assert kinds(talk.sent()) == ["response.create", "response.cancel"]
    talk.text(" then")
    talk.done(message("Well then", status="incomplete"), status="cancelled")
    assert talk.told() == [text("Well")]
    (second,) = talk.sent()
    assert second["response"]["metadata"]["turn"] == "t2"


def test_a_question_that_is_cancelled_before_it_begins_is_cancelled_when_it_does() -> None:
    talk = fresh()
    talk.ask()
    talk.sent()
    talk.cancel()
    talk.ask(R2)
    assert talk.sent() == []
    talk.begin()
    (cancelled,) = talk.sent()
    assert (cancelled["type"], cancelled["response_id"]) == ("response.cancel", "r1")
    talk.done(status="cancelled")
    assert kinds(talk.sent()) == ["response.create"]
    assert talk.told() == []


def test_a_question_that_is_cancelled_while_it_waits_is_never_asked() -> None:
    talk = fresh()
    talk.ask()
    talk.cancel()
    talk.ask(R2, brief("t2", Trigger.MEMBERSHIP))
    talk.cancel(R2)
    talk.begin()
    talk.sent()
    talk.done(status="cancelled")
    assert talk.is_quiet


def test_a_complaint_about_a_cancellation_is_harmless() -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.cancel()
    talk.complain("response_cancel_not_active", about=talk.sent()[-1]["event_id"])
    assert talk.told() == []
    assert talk.closed == 0


def test_a_response_that_the_provider_begins_is_stopped_and_taken_away() -> None:
    talk = fresh()
    talk.begin("strange", None)
    (cancelled,) = talk.sent()
    assert cancelled["response_id"] == "strange"
    talk.text("I am", "strange", "s1")
    talk.ask()
    assert talk.sent() == []
    talk.done(message("I am", "s1"), call(), name="strange", turn=None, status="cancelled")
    assert kinds(talk.sent()) == ["function_call_output", "item.delete", "response.create"]
    assert talk.told() == []


def test_things_are_put_into_the_conversation_while_it_answers() -> None:
    talk = fresh()
    talk.ask()
    talk.begin()
    talk.sent()
    talk.do(talk.session.add(Observed(text='"Ada" went away. Humans here: 0.')))
    (note,) = talk.sent()
    assert text_of(note) == 'ROOM: "Ada" went away. Humans here: 0.'


def test_what_the_provider_says_beside_the_point_changes_nothing() -> None:
    talk = fresh()
    talk.come("rate_limits.updated", rate_limits=[])
    talk.come("response.output_item.added", response_id="x", item={"id": "f", "type": "function_call"})
    talk.come("session.created", session={})
    talk.complain("something_else")
    talk.complain("something_else", about="who-knows")
    assert talk.is_quiet


def test_what_was_remembered_is_said_again_in_its_order() -> None:
    said = Said(utterance=brief("t0").utterance, text="Yes.", interrupted=True)
    unheard = Said(utterance=brief("t9").utterance, text=" ", interrupted=True)
    from_anna = line("Are you there?")
    talk = Dialogue(
        Seed(
            persona="p",
            people=None,
            remembered=(Heard(line=from_anna), said, unheard),
            open_requests=("the time",),
        )
    )
    _, roster, looking, asked, answered = talk.sent()
    assert "do not know" in text_of(roster)
    assert json.loads(text_of(looking)) == {"looking_into": ["the time"]}
    assert json.loads(text_of(asked)) == {"speaker": "Anna", "text": "Are you there?"}
    assert (answered["item"]["role"], text_of(answered)) == ("assistant", "Yes. (interrupted)")
    assert answered["item"]["content"][0]["type"] == "output_text"
