"""The real SDK converses with this OpenAI in text, and each rule of a conversation answers as it should."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.loopback.openai.chat import Call
from tests.loopback.openai.clients import Client, beside, talk
from tests.loopback.openai.items import Seen
from tests.loopback.openai.mind import HELD, Asked, Reply, Said, in_turn
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.server import OpenAi

LEAVE = Call(name="voice_leave", arguments='{"why": "nobody is here"}')


@pytest.fixture
def server() -> Iterator[OpenAi]:
    with OpenAi() as server:
        yield server


def kinds(client: Client) -> list[str]:
    """The types of all that came, without the limits that come whenever they like."""
    return [event.text("type") for event in client.came if event.text("type") != "rate_limits.updated"]


def test_a_response_comes_piece_by_piece_and_ends_in_one_done(server: OpenAi) -> None:
    server.think = in_turn([Reply(pieces=("Hello ", "there."), calls=(LEAVE,))])

    async def do(client: Client) -> None:
        await client.send("response.create", response={"metadata": {"turn": "t1"}})
        began = (await client.until("response.created")).body("response")
        assert began.body("metadata").fields == {"turn": "t1"}
        response = (await client.until("response.done")).body("response")
        assert response.text("id") == began.text("id")
        assert response.text("status") == "completed"
        assert response.body("metadata").fields == {"turn": "t1"}
        message, call = response.bodies("output")
        assert message.bodies("content")[0].fields == {"type": "output_text", "text": "Hello there."}
        assert call.text("arguments") == LEAVE.arguments
        assert response.body("usage").number("output_tokens") > 0
        deltas = [
            one.text("delta") for one in client.came if one.text("type") == "response.output_text.delta"
        ]
        assert deltas == ["Hello ", "there."]

    talk(server, do)
    assert [(one.role, one.text) for one in server.conversation().items] == [
        ("assistant", "Hello there."),
        ("call", f"voice_leave {LEAVE.arguments}"),
    ]
    assert server.violations == []


def test_the_events_of_a_response_come_in_openais_order(server: OpenAi) -> None:
    server.think = in_turn([Reply(pieces=("Hello.",), calls=(Call(name="voice_leave"),))])

    async def do(client: Client) -> None:
        await client.send("response.create")
        await client.until("response.done")
        assert kinds(client) == [
            "session.created",
            "response.created",
            "response.output_item.added",
            "conversation.item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "conversation.item.done",
            "response.output_item.added",
            "conversation.item.added",
            "response.function_call_arguments.delta",
            "response.function_call_arguments.done",
            "response.output_item.done",
            "conversation.item.done",
            "response.done",
        ]

    talk(server, do)


def test_silence_is_a_response_without_output(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        await client.send("response.create")
        response = (await client.until("response.done")).body("response")
        assert response.text("status") == "completed"
        assert response.items("output") == []

    talk(server, do)
    assert server.conversation().items == []


def test_who_thinks_is_told_what_is_new(server: OpenAi) -> None:
    asked: list[Asked] = []

    def think(one: Asked) -> Reply:
        asked.append(one)
        return Reply(pieces=("Yes.",))

    server.think = think

    async def do(client: Client) -> None:
        old = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Old."}]}
        await client.say("long ago")
        await client.send("conversation.item.create", item=old)
        await client.say("one")
        await client.send("response.create", response={"metadata": {"trigger": "address"}})
        await client.until("response.done")
        await client.say("two")
        await client.send("response.create", response={"instructions": "Be odd."})
        await client.until("response.done")

    talk(server, do)
    assert asked[0].new == (Said("user", "one"),)
    assert asked[0].trigger == "address"
    assert len(asked[0].context) == 3
    assert asked[1].new == (Said("user", "two"),)
    assert asked[1].instructions == "Be odd."


def test_items_lie_where_they_are_put(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        first = await client.say("b", id="item_b")
        assert first.text("id") == "item_b"
        place = {"type": "message", "role": "system", "content": [{"type": "input_text", "text": "x"}]}
        await client.send("conversation.item.create", item=place | {"id": "a"}, previous_item_id="root")
        assert (await client.until("conversation.item.added")).fields["previous_item_id"] is None
        await client.send("conversation.item.create", item=place | {"id": "c"}, previous_item_id="item_b")
        assert (await client.until("conversation.item.added")).text("previous_item_id") == "item_b"
        await client.send("conversation.item.delete", item_id="item_b")
        assert (await client.until("conversation.item.deleted")).text("item_id") == "item_b"
        await client.send("conversation.item.retrieve", item_id="c")
        assert (await client.until("conversation.item.retrieved")).body("item").text("role") == "system"

    talk(server, do)
    assert server.conversation().items == [Seen("a", "system", "x"), Seen("c", "system", "x")]
    assert server.violations == []


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ({"type": "message", "role": "user", "id": "there"}, "item_create_duplicate_item_id"),
        ({"type": "message", "role": "user", "id": "x" * 33}, "string_above_max_length"),
        ({"type": "message", "role": "robot"}, "invalid_value"),
        ({"type": "message", "role": "assistant"}, "invalid_value"),
        ({"type": "message", "role": "user", "name": "Ann"}, "unknown_parameter"),
        ({"type": "thought"}, "invalid_value"),
        (
            {"type": "function_call_output", "call_id": "nobody's", "output": "x"},
            "item_create_invalid_call_id",
        ),
        ({"type": "function_call_output", "call_id": "nobody's"}, "missing_required_parameter"),
        ({"type": "function_call_output", "call_id": "c", "output": {}}, "invalid_type"),
    ],
)
def test_an_item_that_is_wrong_is_refused(server: OpenAi, item: dict[str, object], code: str) -> None:
    content = {"content": [{"type": "input_text", "text": "x"}]} if item["type"] == "message" else {}

    async def do(client: Client) -> None:
        await client.say("first", id="there")
        error = await client.refused("conversation.item.create", item={**content, **item})
        assert error.text("code") == code

    talk(server, do)
    assert [one.id for one in server.conversation().items] == ["there"]
    assert len(server.violations) == 1


def test_what_is_done_to_an_unknown_item_is_refused(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        for verb in ("delete", "retrieve", "truncate"):
            error = await client.refused(f"conversation.item.{verb}", item_id="nothing")
            assert error.text("code") == f"item_{verb}_invalid_item_id"
        item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]}
        error = await client.refused("conversation.item.create", item=item, previous_item_id="nothing")
        assert error.text("code") == "item_create_invalid_previous_item_id"

    talk(server, do)
    assert len(server.violations) == 4


def test_a_text_cannot_be_truncated(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        await client.say("first", id="there")
        error = await client.refused(
            "conversation.item.truncate", item_id="there", content_index=0, audio_end_ms=0
        )
        assert error.text("code") == "unsupported_content_type"

    talk(server, do)


def test_a_call_is_answered_once(server: OpenAi) -> None:
    server.think = in_turn([Reply(calls=(LEAVE,))])

    async def do(client: Client) -> None:
        await client.send("response.create")
        await client.until("response.done")
        item = {"type": "function_call_output", "call_id": LEAVE.id, "output": "{}"}
        await client.send("conversation.item.create", item=item)
        await client.until("conversation.item.done")
        error = await client.refused("conversation.item.create", item=item)
        assert error.text("code") == "item_create_duplicate_call_id"

    talk(server, do)


def test_a_second_response_at_a_time_is_refused_and_the_first_one_goes_on(server: OpenAi) -> None:
    server.think = in_turn([Reply(pieces=("a", "b"), pause=HELD)])

    async def do(client: Client) -> None:
        await client.send("response.create")
        conversation = server.conversation()
        await beside(conversation.wait_held)
        error = await client.refused("response.create")
        assert error.text("code") == "conversation_already_has_active_response"
        conversation.go_on()
        assert (await client.until("response.output_text.delta")).text("delta") == "a"
        conversation.go_on(to_the_end=True)
        await client.until("response.done")

    talk(server, do)
    assert len(server.violations) == 1


def test_a_response_that_the_server_began_by_itself_is_nobodys_fault(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        server.conversation().begin_response(Reply(pieces=("Well",), pause=HELD))
        await client.refused("response.create")

    talk(server, do)
    assert server.violations == []


@pytest.mark.parametrize("leaves", [True, False])
def test_a_cancelled_response_says_what_it_had_said(server: OpenAi, leaves: bool) -> None:
    server.think = in_turn([Reply(pieces=("Once ", "upon "), pause=HELD)])
    server.habits.cancelled_calls = (LEAVE,)
    server.habits.cancel_leaves_item = leaves

    async def do(client: Client) -> None:
        await client.send("response.create")
        await beside(server.conversation().wait_held)
        server.conversation().go_on()
        await client.until("response.output_text.delta")
        await client.send("response.cancel")
        response = (await client.until("response.done")).body("response")
        assert response.text("status") == "cancelled"
        assert response.body("status_details").text("reason") == "client_cancelled"
        message, call = response.bodies("output")
        assert message.text("status") == "incomplete"
        assert call.text("name") == "voice_leave"
        await client.send("response.create")
        await client.until("response.done")

    talk(server, do)
    said = [one.text for one in server.conversation().items if one.role == "assistant"]
    assert said == (["Once "] if leaves else [])
    assert server.violations == []


def test_to_cancel_too_late_is_an_error_but_no_fault(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        error = await client.refused("response.cancel", response_id="resp_over")
        assert error.text("code") == "response_cancel_not_active"

    talk(server, do)
    assert server.violations == []


@pytest.mark.parametrize(
    ("reply", "status", "reason"),
    [
        (Reply(pieces=("Well",), failure="server_error"), "failed", "server_error"),
        (Reply(pieces=("Well",), incomplete="max_output_tokens"), "incomplete", "max_output_tokens"),
        (Reply(failure="rate_limit_exceeded"), "failed", "rate_limit_exceeded"),
    ],
)
def test_a_response_that_goes_wrong_says_why(server: OpenAi, reply: Reply, status: str, reason: str) -> None:
    server.think = in_turn([reply])

    async def do(client: Client) -> None:
        await client.send("response.create")
        response = (await client.until("response.done")).body("response")
        details = response.body("status_details")
        assert response.text("status") == details.text("type") == status
        assert reason in {details.text("reason"), details.body("error").text("code")}
        assert details.body("error").text("message") in {"", PROSE}

    talk(server, do)


def test_pauses_pass_by_themselves_and_no_calls_come_where_none_are_wanted(server: OpenAi) -> None:
    server.think = in_turn([Reply(pieces=("a", "b"), calls=(LEAVE,), pause=0.01)])

    async def do(client: Client) -> None:
        await client.send("response.create", response={"tool_choice": "none"})
        response = (await client.until("response.done")).body("response")
        assert [one.text("type") for one in response.bodies("output")] == ["message"]

    talk(server, do)


def test_a_response_apart_leaves_the_conversation_alone(server: OpenAi) -> None:
    server.think = in_turn([Reply(pieces=("a",), pause=HELD), Reply(pieces=("b",))])

    async def do(client: Client) -> None:
        await client.say("first", id="there")
        await client.send("response.create")
        await beside(server.conversation().wait_held)
        apart = {"conversation": "none", "input": [{"type": "item_reference", "id": "there"}]}
        await client.send("response.create", response=apart)
        response = (await client.until("response.done")).body("response")
        assert response.fields["conversation_id"] is None
        assert response.bodies("output")[0].bodies("content")[0].text("text") == "b"

    talk(server, do)
    assert [one.id for one in server.conversation().items] == ["there"]


@pytest.mark.parametrize(
    "wanted", [{"metadata": {"k": "v" * 513}}, {"metadata": []}, {"modalities": ["text"]}]
)
def test_a_response_that_is_wanted_wrongly_is_refused(server: OpenAi, wanted: dict[str, object]) -> None:
    async def do(client: Client) -> None:
        await client.refused("response.create", response=wanted)

    talk(server, do)
    assert len(server.violations) == 1


def test_no_sound_belongs_into_a_conversation(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        await client.append(20)
        await client.until("error")

    talk(server, do)
