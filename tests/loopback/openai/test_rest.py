"""The real SDK speaks to the HTTP side of this OpenAI, and is answered as the real one answers."""

from __future__ import annotations

import io
import json
import threading
import wave
from collections.abc import Iterator

import pytest
from openai import (
    APIConnectionError,
    APIError,
    APIStatusError,
    APITimeoutError,
    AuthenticationError,
    BadRequestError,
    DefaultHttpxClient,
    NotFoundError,
    OpenAI,
)
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam

from actors.realtime.live import wording
from messages.floor import Trigger
from tests.loopback.openai.chat import Call
from tests.loopback.openai.faults import Fault
from tests.loopback.openai.fixtures import KEY
from tests.loopback.openai.mind import Asked, Reply, Said
from tests.loopback.openai.rest import MODELS, Rest
from tests.loopback.providers import Ground

MODEL = "gpt-6-luna"
HELLO: list[ChatCompletionMessageParam] = [{"role": "user", "content": "hello"}]
LEAVE: ChatCompletionToolParam = {
    "type": "function",
    "function": {"name": "voice_leave", "parameters": {"type": "object", "properties": {}}},
}


@pytest.fixture
def client(rest: Rest) -> Iterator[OpenAI]:
    with client_of(rest, KEY) as client:
        yield client


def client_of(rest: Rest, key: str) -> OpenAI:
    return OpenAI(
        api_key=key,
        base_url=rest.base_url,
        max_retries=0,
        http_client=DefaultHttpxClient(trust_env=False),
    )


def streamed(client: OpenAI, model: str = MODEL) -> str:
    stream = client.chat.completions.create(model=model, messages=HELLO, stream=True)
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream)


# --- models and keys ------------------------------------------------------------------------------


def test_the_models_are_listed_and_one_that_is_none_is_told(client: OpenAI, rest: Rest) -> None:
    assert [model.id for model in client.models.list()] == list(MODELS)
    assert client.models.retrieve(MODEL).id == MODEL
    with pytest.raises(NotFoundError) as missing:
        client.models.retrieve("gpt-none")
    assert missing.value.code == "model_not_found"
    assert [one.status for one in rest.exchanges] == [200, 200, 404]


def test_a_server_may_have_no_list_of_models(client: OpenAI, rest: Rest) -> None:
    rest.lists_models = False
    with pytest.raises(NotFoundError) as missing:
        client.models.list()
    assert missing.value.code is None


def test_a_wrong_key_is_refused_as_openai_refuses_it(rest: Rest) -> None:
    with client_of(rest, "sk-wrong") as client, pytest.raises(AuthenticationError) as refused:
        client.models.list()
    assert (refused.value.code, refused.value.type) == ("invalid_api_key", "invalid_request_error")
    assert "sk-wrong" in refused.value.message


def test_a_refusal_is_for_the_next_request_alone(client: OpenAI, ground: Ground) -> None:
    ground.refuse_next(429, {"error": {"message": "m", "type": "t", "code": "insufficient_quota"}})
    with pytest.raises(APIStatusError) as refused:
        client.models.list()
    assert (refused.value.status_code, refused.value.code) == (429, "insufficient_quota")
    assert client.models.retrieve(MODEL).id == MODEL


# --- chat -----------------------------------------------------------------------------------------


def test_an_answer_is_whole_or_comes_in_pieces(client: OpenAI, rest: Rest) -> None:
    whole = client.chat.completions.create(model=MODEL, messages=HELLO)
    text = whole.choices[0].message.content
    assert (text, whole.choices[0].finish_reason) == ("Hello there. How are you?", "stop")
    stream = client.chat.completions.create(
        model=MODEL, messages=HELLO, stream=True, stream_options={"include_usage": True}
    )
    first, *pieces, last, usage = list(stream)
    assert (first.choices[0].delta.role, first.choices[0].delta.content) == ("assistant", "")
    assert "".join(piece.choices[0].delta.content or "" for piece in pieces) == text
    assert (last.choices[0].finish_reason, last.choices[0].delta.content) == ("stop", None)
    assert (usage.choices, usage.usage and usage.usage.completion_tokens) == ([], len(pieces))
    assert rest.chats[0] == {"model": MODEL, "messages": HELLO}


def test_calls_come_in_pieces_and_are_answered_by_their_ids(
    client: OpenAI, ground: Ground, rest: Rest
) -> None:
    wanted = (Call(name="ask_clankie", arguments='{"request": "the time"}'), Call(name="voice_leave"))
    rest.brains.think = lambda _: Reply(calls=wanted)
    arguments: dict[int, str] = {}
    ids: list[str] = []
    chunks = list(client.chat.completions.create(model=MODEL, messages=HELLO, tools=[LEAVE], stream=True))
    for chunk in chunks:
        for piece in chunk.choices[0].delta.tool_calls or ():
            assert piece.function
            ids += [piece.id] if piece.id else []
            arguments[piece.index] = arguments.get(piece.index, "") + (piece.function.arguments or "")
    assert chunks[-1].choices[0].finish_reason == "tool_calls"
    assert [json.loads(one) for one in arguments.values()] == [{"request": "the time"}, {}]
    assert ids == [call.id for call in wanted]
    asked: ChatCompletionMessageParam = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in wanted
        ],
    }
    told: list[ChatCompletionMessageParam] = [
        {"role": "tool", "tool_call_id": call, "content": "{}"} for call in ids
    ]
    client.chat.completions.create(model=MODEL, messages=[*HELLO, asked, *told], tools=[LEAVE])
    assert ground.violations == []
    for wrong in ([*HELLO, asked, told[0]], [*HELLO, asked, *HELLO], [*HELLO, told[0]]):
        with pytest.raises(BadRequestError):
            client.chat.completions.create(model=MODEL, messages=wrong, tools=[LEAVE])
    assert len(ground.violations) == 3


def test_an_answer_is_cut_at_the_tokens_that_it_may_have(client: OpenAI) -> None:
    short = client.chat.completions.create(model=MODEL, messages=HELLO, max_tokens=2).choices[0]
    assert (short.message.content, short.finish_reason) == ("Hello there. ", "length")


@pytest.mark.parametrize(
    "wrong",
    [
        {"messages": []},
        {"max_tokens": 0},
        {"max_tokens": 5, "max_completion_tokens": 5},
        {"tools": []},
        {"tool_choice": "auto"},
        {"stream_options": {"include_usage": True}},
        {"tools": [{"type": "function", "function": {"name": "not a name"}}]},
        {"messages": [{"role": "robot", "content": "x"}]},
        {"messages": [{"role": "user", "content": None}]},
        {"messages": [{"role": "assistant", "content": "x", "tool_calls": []}]},
        {"colour": "red"},
    ],
)
def test_a_request_that_openai_would_not_take_is_not_taken(
    client: OpenAI, ground: Ground, wrong: dict[str, object]
) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.chat.completions.create(model=MODEL, messages=HELLO, extra_body=wrong)
    assert refused.value.type == "invalid_request_error"
    assert len(ground.violations) == 1


def test_a_model_that_nobody_has_is_told(client: OpenAI) -> None:
    with pytest.raises(NotFoundError) as missing:
        streamed(client, "gpt-none")
    assert missing.value.code == "model_not_found"


# --- faults ---------------------------------------------------------------------------------------


def test_a_stream_may_be_cut_or_garbled_or_end_too_soon(client: OpenAI, ground: Ground, rest: Rest) -> None:
    rest.next(Fault(cut_after=2), Fault(garbage_after=2), Fault(end_after=2), Fault(first_seconds=0.02))
    with pytest.raises((APIConnectionError, OSError)):
        streamed(client)
    with pytest.raises(json.JSONDecodeError):
        streamed(client)
    assert streamed(client) == "Hello "
    assert streamed(client) == "Hello there. How are you?"
    ground.until(lambda: rest.exchanges[0].dropped, what="a cut connection")
    assert not rest.exchanges[3].dropped


def test_a_stream_that_stalls_is_left_by_its_client(client: OpenAI, ground: Ground, rest: Rest) -> None:
    rest.next(Fault(stall_after=2))
    with pytest.raises((APITimeoutError, APIConnectionError)):
        streamed(client.with_options(timeout=0.1))
    ground.until(lambda: rest.exchanges[0].dropped, what="a client's leaving")


def test_a_trickle_takes_its_time_and_a_client_may_leave_it(
    client: OpenAI, ground: Ground, rest: Rest
) -> None:
    rest.next(Fault(between_seconds=30.0))
    stream = client.chat.completions.create(model=MODEL, messages=HELLO, stream=True)
    assert next(stream).choices[0].delta.role == "assistant"
    stream.close()
    ground.until(lambda: rest.exchanges[0].dropped, what="a client's leaving")


def test_a_mind_may_fail_in_the_midst_of_its_answer(client: OpenAI, rest: Rest) -> None:
    rest.brains.think = lambda _: Reply(pieces=("Well, ",), failure="server_error")
    with pytest.raises(APIError) as failure:
        streamed(client)
    assert failure.value.code == "server_error"
    rest.brains.think = lambda _: Reply(pieces=("Well, ",), incomplete="content_filter")
    whole = client.chat.completions.create(model=MODEL, messages=HELLO)
    assert whole.choices[0].finish_reason == "content_filter"


def test_a_mind_reads_a_chat_as_it_reads_a_conversation(client: OpenAI, rest: Rest) -> None:
    seen: list[Asked] = []

    def think(asked: Asked) -> Reply:
        seen.append(asked)
        return Reply()

    rest.brains.think = think
    why = f"TURN: {wording._WHY[Trigger.GREETING]}"
    client.chat.completions.create(
        model=MODEL,
        messages=[
            {"role": "system", "content": "You are he."},
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": "Hi."},
            {"role": "user", "content": f'{{"speaker": "A"}}\n{why}'},
        ],
        tools=[LEAVE],
    )
    (asked,) = seen
    assert (asked.instructions, asked.trigger, asked.tools) == ("You are he.", "greeting", ("voice_leave",))
    assert asked.new == (Said("user", '{"speaker": "A"}'), Said("system", why))
    assert [said.role for said in asked.context] == ["user", "assistant", "user", "system"]
    client.chat.completions.create(model=MODEL, messages=HELLO)
    assert seen[1].trigger == "address"


# --- speech ---------------------------------------------------------------------------------------


def test_a_text_becomes_sound_in_pieces_as_they_are_made(client: OpenAI, rest: Rest) -> None:
    go_on = threading.Event()

    def speak(_: str) -> Iterator[bytes]:
        yield b"\x01\x00" * 4_096
        go_on.wait(5.0)
        yield b"\x02\x00" * 4_096

    rest.brains.speak = speak
    speech = client.audio.speech.with_streaming_response
    with speech.create(
        model="gpt-4o-mini-tts", voice="marin", input="Hello.", response_format="pcm"
    ) as answer:
        sound = answer.iter_bytes()
        first = next(sound)
        assert not go_on.is_set()
        go_on.set()
        assert first + b"".join(sound) == b"\x01\x00" * 4_096 + b"\x02\x00" * 4_096
    assert rest.speeches[0]["input"] == "Hello."


@pytest.mark.parametrize(
    "wrong",
    [{"voice": "nobody"}, {"input": ""}, {"input": "x" * 4_097}, {"speed": 9}, {"response_format": "aac"}],
)
def test_a_text_that_openai_would_not_speak_is_not_spoken(client: OpenAI, wrong: dict[str, object]) -> None:
    with pytest.raises(BadRequestError):
        client.audio.speech.create(model="gpt-4o-mini-tts", voice="marin", input="Hello.", extra_body=wrong)


def wav(seconds: float, rate: int = 24_000) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setparams((1, 2, rate, 0, "NONE", ""))
        writer.writeframes(b"\x01\x00" * int(seconds * rate))
    return file.getvalue()


def test_a_file_is_written_down(client: OpenAI, rest: Rest) -> None:
    rest.brains.hear = lambda pcm: f"{len(pcm)} bytes"
    ear = client.audio.transcriptions
    assert ear.create(model="gpt-transcribe", file=("a.wav", wav(0.5))).text == "24000 bytes"
    said = ear.create(
        model="gpt-transcribe", file=("a.wav", wav(0.5, 48_000)), response_format="text", keywords=["Clankie"]
    )
    assert str(said).strip() == "24000 bytes"
    assert rest.recordings[1].fields["keywords"] == ["Clankie"]
    with pytest.raises(BadRequestError) as refused:
        ear.create(model="gpt-transcribe", file=("a.wav", wav(0.05)))
    assert refused.value.code == "audio_too_short"
    with pytest.raises(BadRequestError):
        ear.create(model="gpt-live-transcribe", file=("a.wav", wav(0.5)))
    with pytest.raises(BadRequestError):
        ear.create(model="gpt-transcribe", file=("a.flac", wav(0.5)))
