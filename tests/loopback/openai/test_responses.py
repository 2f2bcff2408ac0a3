"""The real SDK asks this OpenAI for responses, whole and streamed, and is refused as the real one refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
from openai import APIError, BadRequestError, DefaultHttpxClient, NotFoundError, OpenAI
from openai.types.responses import FunctionToolParam, Response, ResponseInputItemParam

from tests.loopback.openai.faults import Fault
from tests.loopback.openai.fixtures import KEY
from tests.loopback.openai.responses_asked import CaptainAsked, CaptainReply
from tests.loopback.openai.responses_rules import encrypted
from tests.loopback.openai.rest import Rest
from tests.loopback.providers import Ground

MODEL = "gpt-6.1-sol"
LEAVE: FunctionToolParam = {
    "type": "function",
    "name": "voice_leave",
    "parameters": {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
    "strict": True,
}
ASKED = '{"request": "leave", "who": "Anna"}'
SEALED: Any = ["reasoning.encrypted_content"]


@pytest.fixture
def client(rest: Rest) -> Iterator[OpenAI]:
    http = DefaultHttpxClient(trust_env=False)
    with OpenAI(api_key=KEY, base_url=rest.base_url, max_retries=0, http_client=http) as client:
        yield client


def leaving(asked: CaptainAsked) -> CaptainReply:
    """Leave, then say so."""
    if asked.latest:
        return CaptainReply(text=f"It is {asked.latest[0].told.text('outcome')}.")
    return CaptainReply(calls=(("voice_leave", "{}"),))


def ask(client: OpenAI, items: list[Any], **more: Any) -> Response:
    fields: dict[str, Any] = {"tools": [LEAVE], "store": False, "include": SEALED, **more}
    return cast(Response, client.responses.create(model=MODEL, input=items, **fields))


def first(text: str = ASKED) -> list[ResponseInputItemParam]:
    return [{"role": "user", "content": text}]


def fed_back(response: Response) -> list[Any]:
    return [item.to_dict() for item in response.output]


def test_a_loop_of_two_steps_carries_its_thoughts(client: OpenAI, rest: Rest, ground: Ground) -> None:
    rest.brains.captain = leaving
    response = ask(client, first())
    assert [item.type for item in response.output] == ["reasoning", "function_call"]
    call = response.output[1]
    assert call.type == "function_call"
    assert (call.name, call.arguments) == ("voice_leave", "{}")
    done = {"type": "function_call_output", "call_id": call.call_id, "output": '{"outcome": "left"}'}
    response = ask(client, [*first(), *fed_back(response), done])
    assert (response.output_text, response.status) == ("It is left.", "completed")
    assert ground.violations == []


@pytest.mark.parametrize("helper", [False, True])
def test_a_stream_has_every_event_in_its_order(client: OpenAI, rest: Rest, *, helper: bool) -> None:
    rest.brains.captain = lambda _: CaptainReply(text="On my way.", calls=(("voice_leave", "{}"),))
    kinds: list[str] = []
    numbers: list[int] = []
    if helper:
        with client.responses.stream(model=MODEL, input=ASKED, tools=[LEAVE]) as stream:
            kinds = [event.type for event in stream]
            assert stream.get_final_response().output_text == "On my way."
    else:
        for event in client.responses.create(model=MODEL, input=ASKED, tools=[LEAVE], stream=True):
            kinds.append(event.type)
            numbers.append(event.sequence_number)
        assert numbers == list(range(len(kinds)))
    names = [kind.removeprefix("response.") for kind in kinds]
    assert names[:4] == ["created", "in_progress", "output_item.added", "output_item.done"]
    said = ["output_item.added", "content_part.added", *["output_text.delta"] * 3]
    assert names[4:12] == [*said, "output_text.done", "content_part.done", "output_item.done"]
    called = ["output_item.added", "function_call_arguments.delta", "function_call_arguments.done"]
    assert names[12:] == [*called, "output_item.done", "completed"]


def test_what_a_brain_is_asked_is_what_was_told_and_came(client: OpenAI, rest: Rest) -> None:
    seen: list[CaptainAsked] = []

    def brain(asked: CaptainAsked) -> CaptainReply:
        seen.append(asked)
        return leaving(asked)

    rest.brains.captain = brain
    told = first('{"now": "Monday"}\n{"asked": "come", "who": "Anna"}\n' + ASKED)
    response = ask(client, told, instructions="You are he.")
    call = response.output[1]
    assert call.type == "function_call"
    done = {"type": "function_call_output", "call_id": call.call_id, "output": '{"outcome": "left"}'}
    later = {"role": "user", "content": '{"request": "and wave"}'}
    ask(client, [*told, *fed_back(response), done, later])
    begun, then = seen
    assert (begun.instructions, begun.tools, begun.steps) == ("You are he.", ("voice_leave",), 0)
    assert [one.text("asked") for one in begun.history] == ["come"]
    assert [one.text("request") for one in begun.requests] == ["leave"]
    assert [(one.tool, one.told.text("outcome")) for one in then.latest] == [("voice_leave", "left")]
    assert [one.text("request") for one in then.new] == ["and wave"]
    assert (len(then.requests), then.steps, then.outputs) == (2, 1, then.latest)


def thought(name: str, seal: str) -> dict[str, object]:
    return {"type": "reasoning", "id": name, "summary": [], "encrypted_content": seal}


CALL = {"type": "function_call", "call_id": "c1", "name": "voice_leave", "arguments": "{}"}
DONE = {"type": "function_call_output", "call_id": "c1", "output": "{}"}


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ([DONE], "No tool call found"),
        ([CALL], "No tool output found"),
        ([CALL, DONE, DONE], "Duplicate function call output"),
        ([{**CALL, "status": None}, DONE], "Invalid type"),
        ([{**CALL, "colour": "red"}, DONE], "Unknown parameter"),
        ([{"type": "function_call", "call_id": "c1"}], "Missing required parameter"),
        ([{**CALL, "id": "fc_r7_0"}, DONE], "without its required 'reasoning' item"),
        ([thought("rs_7", encrypted("rs_7"))], "without its required following item"),
        ([thought("rs_7", "changed"), {**CALL, "id": "fc_r7_0"}, DONE], "could not be verified"),
        ([{**CALL, "id": "x"}, DONE, {"role": "user", "content": "a", "id": "x"}], "Duplicate item"),
        ([{"role": "assistant", "content": [{"type": "input_text", "text": "a"}]}], "Invalid value"),
        ([{"role": "robot", "content": "a"}], "Invalid value"),
        ([{"type": "telepathy"}], "Invalid value"),
    ],
)
def test_input_that_openai_would_not_take_is_not_taken(
    client: OpenAI, ground: Ground, items: list[Any], said: str
) -> None:
    with pytest.raises(BadRequestError, match=said):
        ask(client, [*first(), *items])
    assert len(ground.violations) == 1


def test_a_thought_that_nobody_kept_is_not_found(client: OpenAI) -> None:
    with pytest.raises(NotFoundError, match="not persisted"):
        ask(client, [*first(), {"type": "reasoning", "id": "rs_1", "summary": []}])


def test_every_step_of_a_loop_that_keeps_its_thoughts_is_taken(client: OpenAI) -> None:
    items = [thought("rs_7", encrypted("rs_7")), {**CALL, "id": "fc_r7_0"}, DONE]
    assert ask(client, [*first(), *items]).status == "completed"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"colour": "red"}, "unknown_parameter"),
        ({"max_output_tokens": 1}, "integer_below_min_value"),
        ({"include": ["everything"]}, "invalid_value"),
        ({"reasoning": {"effort": "heroic"}}, "invalid_value"),
        ({"store": "no"}, "invalid_type"),
        ({"previous_response_id": "resp_1"}, "previous_response_not_found"),
        ({"tools": [{**LEAVE, "parameters": {"type": "object"}}]}, "invalid_function_parameters"),
        ({"tools": [{**LEAVE, "name": "no name"}]}, "invalid_value"),
        ({"model": "gpt-none"}, "model_not_found"),
        ({"input": []}, "missing_required_parameter"),
    ],
)
def test_a_request_that_openai_would_not_take_is_not_taken(
    client: OpenAI, fields: dict[str, object], code: str
) -> None:
    with pytest.raises(BadRequestError) as refused:
        ask(client, cast(list[Any], first()), extra_body=fields)
    assert refused.value.code == code


def test_a_strict_function_must_require_every_field(client: OpenAI) -> None:
    loose = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    with pytest.raises(BadRequestError, match="Missing 'a'"):
        ask(client, first(), tools=[{**LEAVE, "parameters": {**loose, "required": []}}])
    assert ask(client, first(), tools=[{**LEAVE, "parameters": loose, "strict": False}]).status == "completed"


def test_a_model_may_know_less(client: OpenAI, rest: Rest) -> None:
    rest.unsupported = {"include"}
    with pytest.raises(BadRequestError) as refused:
        ask(client, first())
    assert refused.value.param == "include"
    rest.unsupported = {"reasoning"}
    with pytest.raises(BadRequestError) as refused:
        ask(client, first(), reasoning={"effort": "low"})
    assert (refused.value.param, refused.value.code) == ("reasoning.effort", "unsupported_parameter")


@pytest.mark.parametrize(
    ("reply", "last"),
    [
        (CaptainReply(text="Well", failure="server_error"), "response.failed"),
        (CaptainReply(text="Well", incomplete="content_filter"), "response.incomplete"),
        (CaptainReply(text="Well", complaint="rate_limit_exceeded"), "error"),
        (CaptainReply(text="word " * 30), "response.incomplete"),
    ],
)
def test_a_stream_may_end_in_other_ways(client: OpenAI, rest: Rest, reply: CaptainReply, last: str) -> None:
    rest.brains.captain = lambda _: reply
    stream = client.responses.create(model=MODEL, input=ASKED, stream=True, max_output_tokens=16)
    assert [event.type for event in stream][-1] == last


def test_faults_are_for_streams_of_responses_as_well(client: OpenAI, rest: Rest) -> None:
    rest.brains.captain = lambda _: CaptainReply(text="Hello there.")
    rest.next(Fault(end_after=3), Fault(garbage_after=3), Fault(cut_after=3))
    assert len(list(client.responses.create(model=MODEL, input=ASKED, stream=True))) == 3
    with pytest.raises(json.JSONDecodeError):
        list(client.responses.create(model=MODEL, input=ASKED, stream=True))
    with pytest.raises((APIError, OSError)):
        list(client.responses.create(model=MODEL, input=ASKED, stream=True))
