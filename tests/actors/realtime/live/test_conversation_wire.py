"""Whatever comes over the wire is one of our kinds, nothing at all, or refused without a word of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.net.plain import plain
from actors.realtime.live import letters
from actors.realtime.live.wire import (
    AtWork,
    Call,
    Complaint,
    Frame,
    ItemPlaced,
    MessageBegan,
    ResponseBegan,
    ResponseDone,
    SessionCreated,
    TextCame,
    decode,
)
from actors.realtime.live.wording import Entry
from tests.actors.realtime.live.dialogue import Letter, call, message


def read(kind: str, **fields: object) -> Frame:
    return decode(json.dumps({"type": kind, "event_id": "event-1", "brand_new": [1], **fields}))


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("session.created", {"session": {"expires_at": 5}}, SessionCreated(expires_at=5.0)),
        ("session.created", {"session": {"id": "s"}}, SessionCreated(expires_at=None)),
        (
            "conversation.item.added",
            {"item": {"id": "a"}, "previous_item_id": "b"},
            ItemPlaced(item="a", previous="b"),
        ),
        ("conversation.item.created", {"item": {"id": "a"}}, ItemPlaced(item="a", previous=None)),
        ("response.created", {"response": {"id": "r"}}, ResponseBegan(response="r", turn=None)),
        (
            "response.created",
            {"response": {"id": "r", "metadata": {"turn": "t"}}},
            ResponseBegan(response="r", turn="t"),
        ),
        (
            "response.output_item.added",
            {"response_id": "r", "item": {"id": "a", "type": "message"}},
            MessageBegan(response="r", item="a"),
        ),
        (
            "response.output_item.added",
            {"response_id": "r", "item": {"id": "a", "type": "reasoning"}},
            AtWork(response="r"),
        ),
        ("response.function_call_arguments.delta", {"response_id": "r", "delta": "{"}, AtWork(response="r")),
        ("response.brand_new", {"response_id": 5}, None),
        (
            "response.output_text.delta",
            {"response_id": "r", "item_id": "a", "delta": "Hé"},
            TextCame(response="r", item="a", text="Hé"),
        ),
        ("error", {"error": {"code": "insufficient_quota"}}, Complaint(reason="quota", about=None)),
        (
            "error",
            {"error": {"code": None, "type": "server_error", "event_id": "e"}},
            Complaint(reason="provider_down", about="e"),
        ),
        ("error", {"error": {"message": "Prose."}}, Complaint(reason="provider_error", about=None)),
        ("response.function_call_arguments.done", {"arguments": "{"}, None),
        ("response.brand_new", {}, None),
    ],
)
def test_what_matters_is_read_and_the_rest_is_let_pass(kind: str, fields: Letter, expected: Frame) -> None:
    assert read(kind, **fields) == expected


def test_of_a_response_that_is_over_its_calls_and_messages_are_read() -> None:
    nameless = {"id": "f2", "type": "function_call", "name": "x"}
    response = {"id": "r", "status": "completed", "output": [message("Hi", "a1"), call(), nameless]}
    assert read("response.done", response=response) == ResponseDone(
        response="r",
        turn=None,
        status="completed",
        reason="",
        calls=(Call(call="call-1", name="ask_clankie", arguments='{"request":"x"}'),),
        messages=("a1",),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "5",
        "{",
        "[" * 100_000,
        '{"type":"response.created"}',
        '{"type":"response.done","response":{"id":""}}',
        '{"type":"response.output_text.delta","response_id":"r","item_id":"a","delta":5}',
        '{"type":"session.created","session":{"expires_at":NaN}}',
        '{"type":"session.created","session":{"expires_at":1e999}}',
        '{"type":"error","error":"a secret"}',
        '{"type":"response.done","response":{"id":"r","output":[{"id":"i","call_id":"a secret"}]}}',
    ],
)
def test_what_cannot_be_read_is_refused_without_quoting_it(text: str) -> None:
    with pytest.raises(ValueError, match=r"^a frame cannot be read$") as refused:
        decode(text)
    assert refused.value.__suppress_context__


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KINDS = st.sampled_from(
    (
        "session.created",
        "conversation.item.added",
        "response.created",
        "response.output_item.added",
        "response.output_text.delta",
        "response.done",
        "error",
    )
)
FIELDS = st.sampled_from(("session", "item", "response", "response_id", "item_id", "delta", "error"))


def complaint(text: str) -> str:
    """What reading this raises, in words; nothing where it can be read."""
    try:
        decode(text)
    except ValueError as refused:
        return str(refused)
    return ""


@given(KINDS, st.dictionaries(FIELDS, JSON | st.fixed_dictionaries({"id": JSON, "output": JSON})))
def test_no_letter_of_a_known_kind_does_worse_than_be_refused(kind: str, fields: Letter) -> None:
    assert complaint(json.dumps({"type": kind, **fields})) in ("", "a frame cannot be read")


@given(st.text(st.characters() | st.characters(categories=["Cs"])), st.text(max_size=3))
def test_half_a_letter_never_passes(text: str, item: str) -> None:
    delta = read("response.output_text.delta", response_id="r", item_id=f"i{item}", delta=text)
    assert isinstance(delta, TextCame)
    assert (delta.item + delta.text).encode() == f"i{item}{plain(text)}".encode()
    called = {**call(arguments=text), "name": text}
    done = read("response.done", response={"id": "r", "status": "completed", "output": [called]})
    assert isinstance(done, ResponseDone)
    assert done.calls == (Call(call="call-1", name=plain(text), arguments=plain(text)),)


@given(st.text())
def test_no_text_does_worse_than_be_refused(text: str) -> None:
    assert complaint(text) in ("", "a frame cannot be read")


def test_our_letters_name_themselves_and_what_they_are_about() -> None:
    assert json.loads(letters.respond("e1", "t1", "address")) == {
        "type": "response.create",
        "event_id": "e1",
        "response": {"metadata": {"turn": "t1", "trigger": "address"}},
    }
    assert json.loads(letters.cancel("e2", "r1")) == {
        "type": "response.cancel",
        "event_id": "e2",
        "response_id": "r1",
    }
    assert json.loads(letters.delete("e3", "a1")) == {
        "type": "conversation.item.delete",
        "event_id": "e3",
        "item_id": "a1",
    }
    assert json.loads(letters.call_output("o1", "c1", "out")) == {
        "type": "conversation.item.create",
        "event_id": "o1",
        "item": {"id": "o1", "type": "function_call_output", "call_id": "c1", "output": "out"},
    }
    assert json.loads(letters.message("m1", Entry("assistant", "Hi"), behind="a0")) == {
        "type": "conversation.item.create",
        "event_id": "m1",
        "previous_item_id": "a0",
        "item": {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Hi"}],
        },
    }
