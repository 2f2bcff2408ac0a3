"""The real SDK meets a session of this OpenAI: how it begins, what it may be told to be, and how it ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.loopback.discord.body import Body, Json
from tests.loopback.openai.clients import Client, beside, connected, talk
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.server import NO_SUCH_MODEL, OpenAi
from tests.loopback.providers import Parting

DEAF: Json = {"format": {"type": "audio/pcm", "rate": 24_000}, "turn_detection": None, "transcription": None}
TOOL: Json = {
    "type": "function",
    "name": "voice_leave",
    "description": "Leave.",
    "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
}
TEXT: Json = {
    "type": "realtime",
    "output_modalities": ["text"],
    "instructions": "Be brief.",
    "audio": {"input": DEAF},
    "tools": [TOOL],
    "tool_choice": "auto",
    "parallel_tool_calls": False,
    "reasoning": {"effort": "low"},
    "max_output_tokens": 600,
    "truncation": {
        "type": "retention_ratio",
        "retention_ratio": 0.7,
        "token_limits": {"post_instructions": 12_000},
    },
    "tracing": None,
}


@pytest.fixture
def server() -> Iterator[OpenAi]:
    with OpenAi() as server:
        yield server


def transcription(
    model: str = "gpt-live-transcribe", turn_detection: Json | None = None, **hints: object
) -> Json:
    heard = {"transcription": {"model": model, **hints}, "turn_detection": turn_detection}
    return {"type": "transcription", "audio": {"input": heard}}


async def end_of(client: Client) -> tuple[int | None, str]:
    """The close code and the reason with which the server ends it."""
    try:
        while True:
            await client.until("never")
    except ConnectionClosed as closed:
        return (None, "") if closed.rcvd is None else (closed.rcvd.code, closed.rcvd.reason)


def test_a_session_begins_with_its_id_and_its_end(server: OpenAi) -> None:
    async def run() -> None:
        async with connected(server) as client:
            session = (await client.until("session.created")).body("session")
            assert session.text("id").startswith("sess_")
            assert session.number("expires_at") == server.conversation().expires_at
            assert session.fields["output_modalities"] == ["audio"]

    asyncio.run(run())
    assert server.conversation().query == {"model": "gpt-realtime-2.1"}
    assert server.conversation().wait_closed_by_client() == 1000
    assert server.violations == []


def test_an_update_is_answered_with_all_that_holds_now(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        await client.send("session.update", session=TEXT)
        session = (await client.until("session.updated")).body("session")
        assert {name: session.fields[name] for name in TEXT if name != "audio"} == {
            name: value for name, value in TEXT.items() if name != "audio"
        }
        heard = session.body("audio").body("input").fields
        assert heard == {**DEAF, "noise_reduction": None}

    talk(server, do)
    assert server.violations == []


@pytest.mark.parametrize(
    ("wrong", "param"),
    [
        ({"type": None}, "session.type"),
        ({"type": "transcription"}, "session.type"),
        ({"output_modalities": ["text", "audio"]}, "session.output_modalities"),
        ({"voice": "marin"}, "session.voice"),
        ({"audio": {"output": {"voice": "cedar"}}}, "session.audio.output.voice"),
        ({"model": "gpt-realtime-2"}, "session.model"),
        ({"temperature": 0.8}, "session.temperature"),
        ({"max_output_tokens": 0}, "session.max_output_tokens"),
        ({"tools": [{**TOOL, "strict": True}]}, "session.tools[0].strict"),
        ({"tools": [{"type": "function"}]}, "session.tools[0].name"),
        ({"tool_choice": "sometimes"}, "session.tool_choice"),
        (
            {"truncation": {"type": "retention_ratio", "retention_ratio": 2}},
            "session.truncation.retention_ratio",
        ),
        ({"reasoning": {"effort": "none"}}, "session.reasoning.effort"),
        (
            {"audio": {"input": {"turn_detection": {"type": "none"}}}},
            "session.audio.input.turn_detection.type",
        ),
        (
            {"audio": {"input": {"format": {"type": "audio/pcm", "rate": 48_000}}}},
            "session.audio.input.format.rate",
        ),
        ({"audio": None}, "session.audio"),
    ],
)
def test_an_update_that_is_wrong_is_refused_by_name(server: OpenAi, wrong: Json, param: str) -> None:
    async def do(client: Client) -> None:
        error = await client.refused("session.update", session={"type": "realtime", **wrong})
        assert error.text("param") == param
        assert PROSE in error.text("message")

    talk(server, do)
    assert len(server.violations) == 1


@pytest.mark.parametrize(
    "session",
    [
        transcription(languages=["en"], keywords=["Clankie"]),
        transcription("gpt-realtime-whisper", language="en", delay="low"),
        transcription("gpt-transcribe", {"type": "server_vad"}, languages=["en", "de"]),
    ],
)
def test_a_transcription_takes_what_its_model_takes(server: OpenAi, session: Json) -> None:
    async def do(client: Client) -> None:
        await client.send("session.update", session=session)
        await client.until("session.updated")

    talk(server, do, None)
    assert server.listener().query == {"intent": "transcription"}
    assert server.violations == []


@pytest.mark.parametrize(
    ("session", "param"),
    [
        (transcription(turn_detection={"type": "server_vad"}), "turn_detection"),
        (transcription("gpt-realtime-whisper", {"type": "semantic_vad"}), "turn_detection"),
        (transcription("gpt-realtime-whisper", prompt="names"), "transcription.prompt"),
        (transcription("gpt-realtime-whisper", keywords=["a"]), "transcription.keywords"),
        (transcription(delay="low"), "transcription.delay"),
        (transcription(language="en", languages=["en"]), "transcription.languages"),
        (transcription("gpt-4"), "transcription.model"),
        (transcription(language="english"), "transcription.language"),
    ],
)
def test_a_transcription_refuses_what_its_model_refuses(server: OpenAi, session: Json, param: str) -> None:
    async def do(client: Client) -> None:
        error = await client.refused("session.update", session=session)
        assert error.text("param") == f"session.audio.input.{param}"

    talk(server, do, None)


def test_without_the_right_key_there_is_no_handshake(server: OpenAi) -> None:
    async def run() -> None:
        async with connected(server, key="sk-other"):
            pass

    with pytest.raises(InvalidStatus) as caught:
        asyncio.run(run())
    assert caught.value.response.status_code == 401
    error = Body.of(json.loads(caught.value.response.body or b"")).body("error")
    assert error.text("code") == "invalid_api_key"


def test_a_handshake_is_refused_on_demand(server: OpenAi) -> None:
    server.ground.refuse_next(429, {"error": {"code": "insufficient_quota", "message": PROSE}})

    async def nothing(_: Client) -> None: ...

    with pytest.raises(InvalidStatus) as caught:
        talk(server, nothing)
    assert caught.value.response.status_code == 429
    talk(server, nothing)


def test_a_model_that_does_not_exist_is_an_error_and_a_close(server: OpenAi) -> None:
    async def run() -> None:
        async with connected(server, "gpt-realtime-9") as client:
            error = (await client.until("error")).body("error")
            assert error.text("code") == "model_not_found"
            assert (await end_of(client))[0] == NO_SUCH_MODEL

    asyncio.run(run())
    assert server.conversations == []


def test_a_session_expires_with_an_error_and_with_1001(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        await beside(server.conversation().expire)
        assert (await client.until("error")).body("error").text("code") == "session_expired"
        code, reason = await end_of(client)
        assert code == 1001
        assert PROSE in reason

    talk(server, do)
    assert server.violations == []


def test_a_session_expires_by_itself(server: OpenAi) -> None:
    server.habits.session_seconds, server.habits.expiry_says_so = 0.05, False

    async def do(client: Client) -> None:
        assert (await end_of(client))[0] == 1001
        assert [event.text("type") for event in client.came] == ["session.created"]

    talk(server, do)


def test_an_order_may_be_swallowed_refused_or_late(server: OpenAi) -> None:
    server.habits.unanswered = {"response.create"}
    server.habits.refuse("session.update", "rate_limit_exceeded")
    server.habits.lag = 0.02

    async def do(client: Client) -> None:
        await client.send("response.create")
        error = await client.refused("session.update", session=TEXT)
        assert error.text("code") == "rate_limit_exceeded"
        await client.send("session.update", session=TEXT)
        await client.until("session.updated")
        kinds = [event.text("type") for event in client.came]
        assert kinds == ["session.created", "error", "session.updated"]

    talk(server, do)
    assert server.conversation().wait_for("response.create")["type"] == "response.create"


def test_what_is_no_event_is_an_error(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        for raw in ("no json", "[]", "{}", '{"type": "response.brand_new"}'):
            await client.connection.send_raw(raw)
            await client.until("error")

    talk(server, do)
    assert len(server.violations) == 4


def test_whatever_a_server_may_utter_reaches_the_client_as_it_is(server: OpenAi) -> None:
    async def do(client: Client) -> None:
        session, line = server.conversation(), client.connection
        for raw in ("{bad json", "[1, 2]", "null", '{"type": "response.brand_new"}'):
            session.send_text(raw)
            assert await line.recv_bytes() == raw.encode()
        session.send_binary(b"\x00\xff")
        assert await line.recv_bytes() == b"\x00\xff"
        session.complain_of("server_error")
        assert (await client.until("error")).body("error").text("message") == PROSE

    talk(server, do)


@pytest.mark.parametrize("code", [1008, 1011])
def test_a_session_may_end_after_it_was_closed(server: OpenAi, code: int) -> None:
    late = json.dumps(
        {"type": "error", "event_id": "event_late", "error": {"message": PROSE, "type": "quota"}}
    )
    server.ground.parting = Parting(frames=(late,), code=code, reason=PROSE)

    async def do(client: Client) -> None:
        closing = asyncio.create_task(client.connection.close(code=1000))
        await client.until("error")
        await closing

    talk(server, do)
    server.conversation().wait_over()
