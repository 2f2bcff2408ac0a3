"""A server of this dialect goes wrong in every way we know, and each is one reason and no prose."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from actors.captain.live import request, responses
from actors.captain.live.wire import MOST_CALLS, NoAnswer, Reading
from actors.net import sdk
from actors.net.loop import IoLoop
from messages.captain import MindFailed, MindWorks
from messages.tools import UseMachine
from tests.actors.captain.live.asked import BRIEF, H1, H2, PLAY, SETTINGS, Desk, items, says, sent
from tests.loopback.openai.faults import Fault
from tests.loopback.openai.fixtures import PATIENCE
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.responses_asked import CaptainReply
from tests.loopback.openai.rest import Rest
from tests.loopback.providers import Ground


@pytest.mark.parametrize(
    ("status", "error", "reason"),
    [
        (401, {"code": "invalid_api_key"}, "unauthorized"),
        (403, {"code": None}, "forbidden"),
        (404, {"code": "model_not_found"}, "not_found"),
        (429, {"code": "rate_limit_exceeded", "type": "tokens"}, "rate_limited"),
        (429, {"code": "insufficient_quota"}, "quota"),
        (400, {"code": "context_length_exceeded"}, "context_length_exceeded"),
        (400, {"code": 400, "type": "invalid_request_error"}, "http_400"),
        (500, {"code": "server_error"}, "provider_down"),
        (503, None, "provider_down"),
        (307, None, "http_307"),
    ],
)
def test_a_refusal_has_a_reason_and_no_prose(
    desk: Desk,
    ground: Ground,
    rest: Rest,
    status: int,
    error: dict[str, str | int | None] | None,
    reason: str,
) -> None:
    body = None if error is None else {"error": {"message": PROSE, **error}}
    ground.refuse_next(status, body, headers={"Location": rest.base_url})
    assert desk.failed() == reason
    assert len(rest.exchanges) == 1
    says(rest, "Again.")
    assert desk.step(2).text == "Again."


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({"retry-after": "86400"}, 120.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_who_wants_to_be_left_alone_says_for_how_long(
    desk: Desk, ground: Ground, headers: dict[str, str], seconds: float | None
) -> None:
    ground.refuse_next(429, {"error": {"code": "rate_limit_exceeded"}}, headers=headers)
    assert desk.failure().again_after == seconds


def test_a_date_to_come_back_at_is_measured_by_the_servers_own_clock() -> None:
    now, then = "Tue, 01 Dec 2026 12:00:00 GMT", "Tue, 01 Dec 2026 12:00:09 GMT"
    assert request.pause({"retry-after": then, "date": now}) == 9.0
    assert request.pause({"retry-after": now, "date": then}) == 0.0
    assert request.pause({"retry-after": then, "date": "yesterday"}) is None


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault(cut_after=3), "aborted"),
        (Fault(cut_after=0), "aborted"),
        (Fault(end_after=3), "aborted"),
        (Fault(garbage_after=3), "bad_frame"),
    ],
)
def test_a_broken_step_has_failed(desk: Desk, rest: Rest, fault: Fault, reason: str) -> None:
    says(rest, "one two", ("voice_join", "{}"))
    rest.next(fault)
    assert desk.failed() == reason
    assert len(desk.ends()) == 1
    assert desk.step(2).text == "one two"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (CaptainReply(text="Well", failure="server_error"), "provider_down"),
        (CaptainReply(text="Well", failure="rate_limit_exceeded"), "rate_limited"),
        (CaptainReply(text="Well", failure="context_length_exceeded"), "context_length_exceeded"),
        (CaptainReply(text="Well", complaint="server_error"), "provider_down"),
        (CaptainReply(text="Well", complaint=PROSE), "provider_error"),
        (CaptainReply(text="Well", incomplete="content_filter"), "content_filter"),
        (CaptainReply(text="Well", incomplete="max_output_tokens"), "max_output_tokens"),
        (CaptainReply(calls=(("voice_join", "{}"),) * (MOST_CALLS + 1)), "too_many_calls"),
    ],
)
def test_a_step_that_the_server_gives_up_has_failed_and_called_nothing(
    desk: Desk, rest: Rest, reply: CaptainReply, reason: str
) -> None:
    calls = reply.calls or (("voice_join", "{}"),)
    rest.brains.captain = lambda _: replace(reply, calls=calls)
    assert desk.failed() == reason
    assert len(desk.ends()) == 1


@pytest.mark.parametrize(
    "body", ["<html>log in</html>", {"error": {"message": PROSE}}, {"object": "response", "output": []}]
)
def test_what_is_no_stream_cannot_be_read(desk: Desk, ground: Ground, body: object) -> None:
    ground.refuse_next(200, body)
    assert desk.failed() == "bad_frame"


def test_a_step_ends_by_itself(
    loop: IoLoop, rest: Rest, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses, "GRACE_SECONDS", 0.2)
    sdk.warm()
    desk = Desk(loop, rest.base_url, replace(SETTINGS, step_seconds=0.2))
    desk.begin()
    says(rest, "word " * 200)
    rest.next(Fault(between_seconds=0.02))
    assert desk.failed() == "timeout"
    ground.until(lambda: rest.exchanges[0].dropped, what="a hang-up")
    desk.mind.close()


def test_nobody_there_is_unreachable(loop: IoLoop) -> None:
    desk = Desk(loop, "http://127.0.0.1:9/v1")
    desk.begin()
    assert desk.failed() == "unreachable"
    desk.mind.close()


def test_a_library_that_is_not_installed_is_a_reason(loop: IoLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImportError(name="openai")

    monkeypatch.setattr(sdk, "warm", missing)
    desk = Desk(loop, "http://127.0.0.1:9/v1")
    desk.begin()
    assert desk.failed() == "not_installed"
    desk.mind.close()


# --- servers that know less -------------------------------------------------------------------------


def test_what_a_server_does_not_know_is_left_out_from_then_on(desk: Desk, rest: Rest, ground: Ground) -> None:
    rest.unsupported = {"include", "reasoning", "parallel_tool_calls"}
    rest.thinks = False
    says(rest, "Fine.")
    assert desk.step().text == "Fine."
    assert len(rest.responses) == 4
    assert desk.step(2).text == "Fine."
    assert len(rest.responses) == 5
    assert not {"include", "reasoning", "parallel_tool_calls"} & set(sent(rest).fields)
    assert len(ground.violations) == 3


def test_a_refusal_that_names_nothing_of_ours_is_not_asked_again(
    desk: Desk, rest: Rest, ground: Ground
) -> None:
    ground.refuse_next(400, {"error": {"message": "include", "code": "invalid_encrypted_content"}})
    assert desk.failed() == "http_400"
    ground.refuse_next(400, {"error": {"message": "your input is odd", "param": "input"}})
    assert desk.failed(2) == "http_400"
    says(rest, "Fine.")
    desk.step(3)
    assert "include" in sent(rest)


def test_a_refusal_about_a_thought_costs_nobody_his_effort(desk: Desk, rest: Rest, ground: Ground) -> None:
    said = "Item 'rs_1' of type 'reasoning' was provided without its required following item."
    ground.refuse_next(400, {"error": {"message": said, "param": "input", "code": None}})
    assert desk.failed() == "http_400"
    says(rest, "Fine.")
    desk.step(2)
    assert "reasoning" in sent(rest)


def test_a_machines_tool_that_a_server_cannot_read_costs_no_turn(desk: Desk, rest: Rest) -> None:
    odd = '{"type": "object", "properties": {"song": {"type": "string"}}, "oneOf": [{}]}'
    machines = (PLAY, replace(PLAY, name="music__stop", schema=odd))
    desk.begin(H2, replace(BRIEF, machines=machines))
    says(rest, "", ("music__stop", '{"song": "x"}'))
    (call,) = desk.step(turn=H2).calls
    assert call.request == UseMachine(tool="music__stop", arguments='{"song": "x"}')
    shown = {tool.text("name"): tool.body("parameters") for tool in sent(rest).bodies("tools")}
    assert (shown["music__play"].body("properties").fields, len(rest.responses)) == (
        {"song": {"type": "string"}},
        2,
    )
    assert shown["music__stop"].fields == {"type": "object", "properties": {}}


def test_thoughts_that_cannot_be_taken_back_are_left_out(desk: Desk, rest: Rest, ground: Ground) -> None:
    rest.unsupported = {"include"}
    says(rest, "Fine.")
    desk.step()
    desk.step(2)
    assert [item.text("type") for item in items(rest)] == ["message", "message"]
    assert ground.violations == ["Encrypted content is not supported with this model."]


def completed(**response: object) -> dict[str, object]:
    return {"type": "response.completed", "response": response}


def done(item: object, index: int = 0) -> dict[str, object]:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


MESSAGE = {"type": "message", "content": [{"type": "output_text", "text": "Hi."}], "status": None}


@pytest.mark.parametrize("output", [None, []])
def test_a_server_may_list_nothing_at_the_end(output: object) -> None:
    reading = Reading()
    assert reading.take(done(MESSAGE, 1)) is None
    assert reading.take(done({"type": "function_call", "name": "x", "arguments": {"a": 1}}, 0)) is None
    stepped = reading.take(completed(output=output, error=None, status=None))
    assert stepped is not None
    assert (stepped.text, [call.arguments for call in stepped.calls]) == ("Hi.", ['{"a": 1}'])
    assert "status" not in json.loads(stepped.items[1])


@pytest.mark.parametrize("arguments", [None, "", {}])
def test_arguments_go_back_as_text_whatever_they_came_as(arguments: object) -> None:
    call = {"type": "function_call", "call_id": "c", "name": "voice_join", "arguments": arguments}
    stepped = Reading().take(completed(output=[call]))
    assert stepped is not None
    assert json.loads(stepped.items[0])["arguments"] == "{}"


def test_a_thought_counts_as_it_was_when_it_was_done() -> None:
    reading = Reading()
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    reading.take(done({**thought, "encrypted_content": "sealed"}))
    stepped = reading.take(completed(output=[thought, MESSAGE]))
    assert stepped is not None
    assert json.loads(stepped.items[0])["encrypted_content"] == "sealed"


def test_of_several_messages_what_is_said_on_the_way_is_not_the_answer() -> None:
    aside = {**MESSAGE, "content": "Let me see.", "phase": "commentary"}
    stepped = Reading().take(completed(output=[aside, MESSAGE]))
    assert stepped is not None
    assert (stepped.text, len(stepped.items)) == ("Hi.", 2)
    refusal = {"type": "message", "content": [{"type": "refusal", "refusal": "I would rather not."}]}
    stepped = Reading().take(completed(output=[refusal]))
    assert stepped is not None
    assert stepped.text == "I would rather not."


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"type": "response.completed", "response": {"status": "failed"}}, "provider_error"),
        ({"type": "response.completed", "response": {"status": "incomplete"}}, "incomplete"),
        ({"type": "response.cancelled"}, "cancelled"),
        (completed(output=[{**MESSAGE, "content": "x" * (1 << 20)}]), "answer_too_long"),
    ],
)
def test_an_end_that_is_none_is_a_failure(event: dict[str, object], reason: str) -> None:
    with pytest.raises(NoAnswer) as failed:
        Reading().take(event)
    assert failed.value.reason == reason


def test_a_second_question_in_a_turn_takes_the_place_of_the_first(
    desk: Desk, rest: Rest, ground: Ground
) -> None:
    says(rest, "one two three")
    rest.next(Fault(stall_after=4))
    desk.mind.think(H1, 1, ())
    desk.said.expect(MindWorks, PATIENCE)
    assert desk.step(2).step == 2
    ground.until(lambda: rest.exchanges[0].dropped, what="a hang-up")
    assert not [one for one in desk.said.received() if isinstance(one, MindFailed)]
