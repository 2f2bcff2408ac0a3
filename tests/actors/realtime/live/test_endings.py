"""However a response or a session ends, it is told once, and by a code."""

import pytest

from actors.realtime.items import CallAnswered
from messages.floor import Trigger
from messages.ids import CallId, ResponseId
from messages.realtime import ConversationLost, RealtimePortEvent, ResponseText
from tests.actors.realtime.live.dialogue import (
    ONE,
    R1,
    R2,
    Dialogue,
    Letter,
    brief,
    call,
    ended,
    kinds,
    message,
)


def asked() -> tuple[Dialogue, str]:
    """A dialogue with one question that has begun to be answered."""
    talk = Dialogue()
    name = talk.ask()
    talk.begin()
    talk.sent()
    return talk, name


def lost(reason: str) -> RealtimePortEvent:
    return ConversationLost(connection=ONE, reason=reason)


def failure(code: str | None, kind: str = "server_error") -> Letter:
    return {"type": "failed", "error": {"type": kind, "code": code, "message": "Prose."}}


@pytest.mark.parametrize(
    ("status", "details", "said", "expected"),
    [
        ("failed", failure("insufficient_quota"), False, ended(reason="quota", how="failed")),
        ("failed", failure("rate_limit_exceeded"), True, ended(reason="rate_limited", how="failed")),
        ("failed", failure(None), False, ended(reason="provider_down", how="failed")),
        ("failed", failure("Some prose, at length."), False, ended(reason="provider_error", how="failed")),
        ("failed", None, False, ended(reason="provider_error", how="failed")),
        ("incomplete", {"reason": "max_output_tokens"}, True, ended()),
        (
            "incomplete",
            {"reason": "max_output_tokens"},
            False,
            ended(reason="max_output_tokens", how="failed"),
        ),
        ("incomplete", {"reason": "content_filter"}, False, ended(reason="content_filter", how="failed")),
        ("cancelled", {"reason": "turn_detected"}, False, ended(reason="turn_detected", how="cancelled")),
        ("quite_new", None, False, ended(reason="provider_error", how="failed")),
    ],
)
def test_a_response_that_does_not_complete_ends_once_with_a_reason(
    status: str, details: Letter | None, said: bool, expected: RealtimePortEvent
) -> None:
    talk, _ = asked()
    if said:
        talk.text("Well")
    talk.done(status=status, details=details)
    told = talk.told()
    assert told[-1] == expected
    assert told[:-1] == ([ResponseText(connection=ONE, response=R1, text="Well")] if said else [])
    assert talk.closed == 0


@pytest.mark.parametrize(
    ("code", "reason"),
    [("insufficient_quota", "quota"), ("invalid_value", "invalid_value"), (None, "bad_kind")],
)
def test_a_question_that_is_refused_has_failed_and_the_next_is_asked(code: str | None, reason: str) -> None:
    talk = Dialogue()
    name = talk.ask()
    talk.complain(code, about=name, kind="bad_kind")
    assert talk.told() == [ended(reason=reason, how="failed")]
    assert talk.ask(R2) != name
    assert talk.closed == 0


def test_a_cancelled_question_that_is_refused_is_nobodys_failure() -> None:
    talk = Dialogue()
    name = talk.ask()
    talk.cancel()
    talk.ask(R2)
    talk.sent()
    talk.complain("invalid_value", about=name)
    assert kinds(talk.sent()) == ["response.create"]
    assert talk.is_quiet


@pytest.mark.parametrize("code", ["insufficient_quota", "invalid_api_key", "rate_limit_exceeded"])
def test_a_refusal_that_names_no_letter_ends_what_is_being_asked_once(code: str) -> None:
    talk, _ = asked()
    talk.complain(code)
    assert [type(one) for one in talk.told()] == [ConversationLost]
    assert talk.closed == 1


def test_a_refusal_while_nothing_is_asked_waits_for_a_question_to_refuse() -> None:
    talk, _ = asked()
    talk.done(status="failed", details=failure("insufficient_quota"))
    talk.told()
    talk.complain("insufficient_quota")
    assert talk.is_quiet


# --- a question that meets another answer


def test_a_question_that_met_another_answer_is_asked_again_once_that_is_over() -> None:
    talk = Dialogue()
    talk.sent()
    name = talk.ask(R1, brief(trigger=Trigger.VOLITION))
    assert kinds(talk.sent()) == ["system", "response.create"]
    talk.complain("conversation_already_has_active_response", about=name)
    assert talk.is_quiet
    talk.done(name="unknown", turn=None)
    (again,) = talk.sent()
    assert again["type"] == "response.create"
    talk.complain("conversation_already_has_active_response", about=again["event_id"])
    assert talk.told() == [ended(reason="conversation_already_has_active_response", how="failed")]


def test_a_refusal_for_another_answer_is_known_without_a_name_until_ours_has_begun() -> None:
    talk = Dialogue()
    talk.sent()
    talk.ask()
    talk.complain("conversation_already_has_active_response")
    talk.done(name="unknown", turn=None)
    assert kinds(talk.sent()) == ["response.create"] * 2
    talk.begin()
    talk.complain("conversation_already_has_active_response")
    talk.done()
    assert talk.told() == [ended()]


def test_a_cancelled_question_that_met_another_answer_is_not_asked_again() -> None:
    talk = Dialogue()
    talk.sent()
    name = talk.ask()
    talk.cancel()
    talk.begin("strange", None)
    talk.complain("conversation_already_has_active_response", about=name)
    talk.sent()
    talk.done(name="strange", turn=None, status="cancelled")
    assert talk.is_quiet
    talk.ask(R2)
    assert kinds(talk.sent()) == ["response.create"]
    assert talk.told() == []


# --- the end of a session


def test_the_end_of_a_session_is_known_from_its_beginning() -> None:
    talk = Dialogue()
    talk.come("session.created", session={"id": "s", "expires_at": 1_800_000_000})
    assert talk.expires == [1_800_000_000.0]


@pytest.mark.parametrize("about", [None, "somebody"])
def test_an_expired_session_is_lost_as_such_whatever_it_complains_about(about: str | None) -> None:
    talk, _ = asked()
    talk.complain("session_expired", about=about)
    assert (talk.told(), talk.closed) == ([lost("session_expired")], 1)


def test_a_question_that_is_refused_for_the_end_of_the_session_is_not_failed_but_lost() -> None:
    talk = Dialogue()
    name = talk.ask()
    talk.complain("session_expired", about=name)
    assert (talk.told(), talk.closed) == ([lost("session_expired")], 1)
    for cancelled in (False, True):
        talk, _ = asked()
        if cancelled:
            talk.cancel()
        talk.done(status="failed", details=failure("session_expired"))
        assert (talk.told(), talk.closed) == ([lost("session_expired")], 1)


@pytest.mark.parametrize(
    ("reason", "code", "expected"),
    [
        ("closed_1001", 1001, "session_expired"),
        ("closed_1011", 1011, "closed_1011"),
        ("quota", None, "quota"),
        ("aborted", None, "aborted"),
    ],
)
def test_a_line_that_ends_loses_the_conversation(reason: str, code: int | None, expected: str) -> None:
    talk, _ = asked()
    talk.do(talk.session.ended(reason, code))
    assert (talk.told(), talk.closed) == ([lost(expected)], 1)


def test_a_session_near_its_end_is_lost_at_once_if_nobody_waits() -> None:
    talk = Dialogue()
    talk.do(talk.session.retire())
    assert (talk.told(), talk.closed) == ([lost("session_expired")], 1)


def test_a_session_near_its_end_finishes_its_answer_first() -> None:
    talk, _ = asked()
    talk.do(talk.session.retire())
    assert talk.is_quiet
    talk.text("Done.")
    talk.done(message("Done."))
    told = talk.told()
    assert told == [
        ResponseText(connection=ONE, response=R1, text="Done."),
        ended(),
        lost("session_expired"),
    ]
    assert talk.closed == 1


def test_a_question_that_waits_in_a_session_near_its_end_is_left_to_the_next() -> None:
    talk, _ = asked()
    talk.cancel()
    talk.ask(R2, brief("t2"))
    talk.do(talk.session.retire())
    talk.sent()
    talk.done(status="cancelled")
    assert (talk.told(), talk.sent()) == ([lost("session_expired")], [])


def test_one_that_is_asked_again_in_a_turn_has_been_told_its_mistake() -> None:
    talk, _ = asked()
    talk.done(call("rm"))
    talk.sent()
    answered = CallAnswered(call=CallId("call-1"), outcome="error", text="There is no such tool.")
    talk.do(talk.session.add(answered))
    talk.ask(ResponseId("t1-2"), brief())
    assert kinds(talk.sent()) == ["function_call_output", "response.create"]
    talk.begin("r2")
    talk.text("Well.", "r2")
    assert talk.told()[-1] == ResponseText(connection=ONE, response=ResponseId("t1-2"), text="Well.")
