"""What minds in the cloud stream over HTTP, through the vendor's own library, and what voices say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import httpx2
import openai

from actors.captain.live.request import pause
from actors.captain.live.responses import ResponsesMind
from actors.captain.live.wire import refused
from actors.captain.settings import CaptainSettings
from actors.net.sdk import LazyClient
from actors.net.service import Service
from actors.realtime.live.chat import ChatMind
from actors.realtime.settings import RealtimeSettings
from messages.captain import MindEvent, MindFailed, MindStepped
from messages.realtime import RealtimePortEvent, ResponseEnded
from tests.actors.captain.live.asked import BRIEF, H1
from tests.actors.realtime.live.dialogue import ONE, R1, SEED, brief
from tests.actors.tts.live.scene import Scene
from tests.actors.tts.live.talk import DIALOGUE, SPEECH, error, final, sound, turn_over
from tests.reliability.fuzz.target import Broken, Form, Target, pack, unpack
from tests.reliability.fuzz.targets.minds import KEY, frame, text
from tests.reliability.fuzz.told import writable

_SERVICE: Final = Service(base_url="https://api.example.com/v1", key=KEY)


class _Here:
    """An I/O thread that is this one."""

    def call(self, callback: Callable[..., object], *args: object) -> bool:
        """At once."""
        callback(*args)
        return True


def _reach(lazy: LazyClient, status: int, body: bytes, headers: dict[str, str]) -> openai.AsyncOpenAI:
    """Let a port reach a server that answers this to everything."""

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, content=body, headers=headers)

    http = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    client = openai.AsyncOpenAI(
        api_key=KEY, base_url=_SERVICE.base_url, max_retries=0, timeout=5.0, http_client=http
    )

    async def made() -> openai.AsyncOpenAI:
        return client

    lazy._making = asyncio.get_running_loop().create_task(made())
    return client


def _streamed(parts: Sequence[bytes]) -> tuple[int, bytes, dict[str, str]]:
    """A part that is JSON is an event; one that begins with an exclamation mark stands as it is."""
    if parts and parts[0][:1] == b"#":
        status = 400 + int.from_bytes(parts[0][1:2], "big") % 200
        headers = {"content-type": "application/json", "retry-after": "7"}
        return status, b"".join(parts[1:]), headers
    body = b"".join(part[1:] if part[:1] == b"!" else b"data: " + part + b"\n\n" for part in parts)
    return 200, body, {"content-type": "text/event-stream"}


async def _settled(lazy: LazyClient) -> None:
    while lazy._tasks:
        await asyncio.wait(tuple(lazy._tasks))


# --- chat completions ---------------------------------------------------------------------------------


def _chunk(delta: object, finish: str | None = None, **more: object) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return frame(id="c1", object="chat.completion.chunk", model="m", created=1, choices=[choice], **more)


def _chat_seeds() -> list[bytes]:
    function = {"name": "ask_clankie", "arguments": '{"request": "x"}'}
    calls = [{"index": 0, "id": "call_1", "type": "function", "function": function}]
    deep = [{**calls[0], "function": {**function, "arguments": "[" * 3_000}}]
    usage = {"prompt_tokens": 5, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 2}}
    return [
        pack([_chunk({"role": "assistant", "content": ""}), _chunk({"content": "Hello <think>no</think>"}),
              _chunk({"tool_calls": calls}), _chunk({}, "tool_calls"), frame(choices=[], usage=usage),
              b"[DONE]"]),
        pack([_chunk({"tool_calls": deep}), _chunk({}, "tool_calls"), b"[DONE]"]),
        pack([_chunk({"reasoning_content": "hm"}), _chunk({"content": '<tool_call>{"name": "voice_leave"}'}),
              _chunk({"content": "</tool_call>"}), _chunk({}, "stop", usage=usage), b"[DONE]"]),
        pack([b"#\x1d", b'{"error": {"code": "insufficient_quota", "message": "no"}}']),
        pack([b'!: a comment\n\nevent: error\ndata: {"error": {"code": 429}}\n\n']),
    ]  # fmt: skip


async def _chatted(data: bytes) -> list[RealtimePortEvent]:
    told: list[RealtimePortEvent] = []
    settings = RealtimeSettings(provider="chat", model="m", base_url=_SERVICE.base_url)
    mind = ChatMind(_Here(), _SERVICE, settings)  # type: ignore[arg-type]
    lazy = mind._completions._client
    client = _reach(lazy, *_streamed(unpack(data)))
    mind.open(told.append)
    mind.connect(ONE, SEED)
    mind.respond(ONE, R1, brief())
    await _settled(lazy)
    json.dumps(list(mind._talks[ONE].history.messages()), ensure_ascii=False).encode()
    await client.close()
    return told


def _chat(data: bytes) -> None:
    told = asyncio.run(_chatted(data))
    writable(*told)
    ends = [one for one in told if isinstance(one, ResponseEnded)]
    if len(ends) != 1:
        raise Broken(f"an answer has ended {len(ends)} times")


# --- responses ------------------------------------------------------------------------------------------


def _step_seeds() -> list[bytes]:
    thought = {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "xyz"}
    called = {
        "id": "fc_1",
        "type": "function_call",
        "call_id": "call_1",
        "name": "voice_join",
        "arguments": "{}",
    }
    played = {
        **called,
        "id": "fc_2",
        "call_id": "call_2",
        "name": "music__play",
        "arguments": '{"song": "x"}',
    }
    said = {"id": "m_1", "type": "message", "role": "assistant",
            "content": [{"type": "output_text", "text": "Hello."}]}  # fmt: skip
    usage = {"input_tokens": 3, "output_tokens": 4, "input_tokens_details": {"cached_tokens": 1}}

    def done(*output: object, status: str = "completed", **more: object) -> bytes:
        response = {"id": "r", "status": status, "output": output, "usage": usage, **more}
        return frame(type=f"response.{status}", response=response)

    def item(place: int, one: object) -> bytes:
        return frame(type="response.output_item.done", output_index=place, item=one)

    return [
        pack([frame(type="response.created", response={"id": "r"}), item(0, thought), item(1, called),
              item(2, played), done(thought, called, played)]),
        pack([item(0, said), done(said)]),
        pack([done(status="incomplete", incomplete_details={"reason": "max_output_tokens"})]),
        pack([frame(type="error", code="server_error", message="x")]),
        pack([b"#\x1d", frame(error={"code": "rate_limit_exceeded", "param": "tools[0]", "message": "x"})]),
        pack([b"#\x00", frame(error={"code": "x", "param": "reasoning.effort", "message": "no"})]),
    ]  # fmt: skip


async def _stepped(data: bytes) -> list[MindEvent]:
    told: list[MindEvent] = []
    mind = ResponsesMind(_Here(), _SERVICE, CaptainSettings(provider="openai"))  # type: ignore[arg-type]
    client = _reach(mind._client, *_streamed(unpack(data)))
    mind.open(told.append)
    mind.begin(BRIEF)
    for step in (1, 2):
        mind.think(H1, step, ())
        await _settled(mind._client)
    for written in mind._turns[H1].items:
        json.dumps(json.loads(written), ensure_ascii=False).encode()
    await client.close()
    return told


def _step(data: bytes) -> None:
    told = asyncio.run(_stepped(data))
    writable(*told)
    ends = [one.step for one in told if isinstance(one, MindStepped | MindFailed)]
    if ends != [1, 2]:
        raise Broken(f"steps that end: {ends}")


def _refusal(data: bytes) -> None:
    """What a refusal says, and how long its headers ask to wait."""
    try:
        body: Any = json.loads(text(data))
    except (ValueError, RecursionError):
        body = text(data)
    code, about = refused(body)
    writable(code and "x", about and "x")
    seconds = pause({"retry-after": text(data)[:80], "date": "Thu, 01 Jan 2026 00:00:00 GMT"})
    if seconds is not None and not 0 <= seconds <= 120:
        raise Broken("a pause without a bound")


# --- ElevenLabs -----------------------------------------------------------------------------------------


def _voice_seeds(model: str) -> list[bytes]:
    spoken = [
        frame(**sound(model, "c1", "Hello there.")),
        frame(**turn_over("c1")),
        frame(**final(model, "c1")),
        frame(**sound(model, "c2", "Go on.", b"\1\2\3")),
        frame(**error("quota_exceeded")),
    ]
    return [pack(spoken), pack(spoken[3:] + spoken[:3]), *(pack([one]) for one in spoken)]


def _voice(model: str) -> Callable[[bytes], None]:
    def feed(data: bytes) -> None:
        scene = Scene(model)
        scene.speak(last=False)
        scene.line.open()
        for place, part in enumerate(unpack(data)):
            line = scene.line
            if not line.closed and not line.over:
                line.say(text(part))
            if place == 1:
                scene.speak("u1", 1, "Go on.")
            elif place == 2:
                scene.speak("u2", 0, "Something else.")
            elif place == 4:
                scene.forget("u1")
            scene.wait(0.7)
        writable(*scene.events)
        if any(len(getattr(one, "pcm", b"")) % 2 for one in scene.events):
            raise Broken("half a sample")

    return feed


_TTS: Final = tuple(
    f"actors/tts/live/{one}.py" for one in ("wire", "context", "contexts", "timing", "mouth", "elevenlabs")
)
TARGETS: Final = (
    Target(
        name="chat",
        of="provider frames",
        feed=_chat,
        seeds=_chat_seeds,
        readers=tuple(
            f"actors/realtime/live/{one}.py" for one in ("chat", "chunks", "answer", "opening", "history")
        ),
        form=Form.JSON,
        sequence=True,
        secrets=(KEY,),
        times=200,
    ),
    Target(
        name="responses",
        of="provider frames",
        feed=_step,
        seeds=_step_seeds,
        readers=(
            "actors/captain/live/responses.py",
            "actors/captain/live/wire.py",
            "actors/captain/live/naming.py",
            "actors/captain/live/request.py",
            "actors/captain/wire.py",
            "actors/net/sdk.py",
        ),
        form=Form.JSON,
        sequence=True,
        secrets=(KEY,),
        times=200,
    ),
    Target(
        name="refusals",
        of="provider frames",
        feed=_refusal,
        seeds=lambda: [
            frame(error={"code": "x", "param": "tools[0]", "message": "no"}),
            b"7",
            b"1e9",
            b"Thu, 01 Jan 2026 00:00:09 GMT",
        ],
        readers=("actors/captain/live/request.py", "actors/captain/live/wire.py"),
        form=Form.JSON,
    ),
    *(
        Target(
            name=name,
            of="provider frames",
            feed=_voice(model),
            seeds=partial(_voice_seeds, model),
            readers=_TTS,
            form=Form.JSON,
            sequence=True,
            secrets=("secret-key",),
        )
        for name, model in (("elevenlabs-speech", SPEECH), ("elevenlabs-dialogue", DIALOGUE))
    ),
)
