"""What OpenAI, or a server that speaks like it, says of its models, and a try of each kind of them."""

from __future__ import annotations

import io
import time
import wave
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import httpx2
import openai
from openai.types.chat import ChatCompletionToolParam
from openai.types.responses import FunctionToolParam, ResponseCompletedEvent

from actors.net import sdk
from actors.net.checkup.answers import Completed, LookedUp, Sound
from actors.net.checkup.asking import collected
from actors.net.reasons import FORBIDDEN
from actors.net.service import Service
from actors.net.ways import NoWay

RATE: Final = 24_000
READY: Final[ChatCompletionToolParam] = {
    "type": "function",
    "function": {
        "name": "report_ready",
        "description": "Report that you are ready.",
        "parameters": {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
    },
}
READY_TOO: Final[FunctionToolParam] = {
    "type": "function",
    "name": "report_ready",
    "description": "Report that you are ready.",
    "parameters": {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
    "strict": True,
}
CALL: Final = "Call the tool report_ready now."
SAY: Final = "Say: ready."
_NO_SUCH_ADDRESS: Final = (404, 405, 501)
_MISSING_SCOPES: Final = ("missing scopes", "insufficient permissions")


def reason_of(error: Exception) -> str:
    """The reason that a refusal stands for; a key that may do other things is `forbidden`."""
    if not isinstance(error, openai.APIStatusError) or error.status_code != 401:
        return sdk.reason_of(error)
    # OpenAI has no code for this, so its words are read here, and go no further.
    lacking = any(words in error.message.lower() for words in _MISSING_SCOPES)
    return FORBIDDEN if lacking else sdk.reason_of(error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be spoken, and how; `is_sound` judges the content type of what comes."""

    model: str
    voice: str
    text: str = field(repr=False)
    manner: Mapping[str, object]
    is_sound: Callable[[str], bool]


class OpenAiDesk:
    """One client; its coroutines are questions for `Asking.ask`, with its `reason_of`.

    Raises NoWay for an address that the library does not take.
    """

    reason_of = staticmethod(reason_of)

    def __init__(self, service: Service, seconds: float) -> None:
        try:
            self._client = sdk.openai_client(service, seconds)
        except httpx2.InvalidURL:
            raise NoWay("base_url is no address that can be asked") from None

    async def close(self) -> None:
        """Let go of every connection."""
        await self._client.close()

    async def look_up(self, model: str) -> LookedUp:
        """Ask for one model, and for all of them where nobody answers that."""
        try:
            one = await self._client.models.retrieve(model)
            return LookedUp(has=bool(one.id))
        except openai.APIStatusError as error:
            if error.code == "model_not_found":
                return LookedUp(has=False)
            if error.status_code not in _NO_SUCH_ADDRESS:
                raise
        try:
            names = [one.id async for one in self._client.models.list()]
        except openai.APIStatusError as error:
            if error.status_code not in _NO_SUCH_ADDRESS:
                raise
            return LookedUp(has=None)
        return LookedUp(has=model in names, others=tuple(names))

    async def complete(self, model: str, *, with_tool: bool) -> Completed:
        """Have it call a tool, or say a word."""
        began, first, called = time.monotonic(), 0.0, False
        stream = await self._client.chat.completions.create(
            model=model,
            messages=[{"role": "user", "content": CALL if with_tool else SAY}],
            tools=[READY] if with_tool else openai.omit,
            stream=True,
        )
        ended = False
        async with stream:
            async for chunk in stream:
                first = first or time.monotonic() - began
                for choice in chunk.choices:
                    called = called or bool(choice.delta.tool_calls)
                    ended = ended or choice.finish_reason is not None
        if not ended:
            raise ValueError("the answer does not end")
        return Completed(first_seconds=first, called=called)

    async def respond(self, model: str, *, with_tool: bool) -> Completed:
        """Have it do the same over Responses, of which nothing is kept."""
        began, first, called, ended = time.monotonic(), 0.0, False, False
        stream = await self._client.responses.create(
            model=model,
            input=CALL if with_tool else SAY,
            tools=[READY_TOO] if with_tool else openai.omit,
            store=False,
            stream=True,
        )
        async with stream:
            async for event in stream:
                first = first or time.monotonic() - began
                if isinstance(event, ResponseCompletedEvent):
                    ended = True
                    called = any(item.type == "function_call" for item in event.response.output)
        if not ended:
            raise ValueError("the answer does not end")
        return Completed(first_seconds=first, called=called)

    async def speak(self, wish: Wish) -> Sound:
        """Have a short text spoken; raises ValueError for what is no bare sound."""
        return await collected(self._spoken(wish))

    async def _spoken(self, wish: Wish) -> AsyncIterator[bytes]:
        asking = self._client.audio.speech.with_streaming_response.create(
            model=wish.model,
            voice=wish.voice,
            input=wish.text,
            response_format="pcm",
            extra_body=dict(wish.manner),
        )
        async with asking as response:
            if not wish.is_sound(response.headers.get("content-type", "")):
                raise ValueError("an answer, but no sound")
            async for piece in response.iter_bytes():
                yield piece

    async def write_down(self, model: str, pcm: bytes) -> str:
        """Have 24 kHz mono 16-bit samples written down."""
        answer = await self._client.audio.transcriptions.create(
            model=model, file=("sample.wav", _wav(pcm), "audio/wav")
        )
        return answer.text


def _wav(pcm: bytes) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setparams((1, 2, RATE, 0, "NONE", ""))
        writer.writeframes(pcm)
    return file.getvalue()
