"""A question to a server of chat completions, in the words that this one server takes."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from actors.net.sdk import LazyClient
from actors.net.service import Service
from actors.realtime.live import wording
from actors.realtime.settings import RealtimeSettings

if TYPE_CHECKING:
    import asyncio

    from openai import AsyncStream
    from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam
    from openai.types.chat import ChatCompletionFunctionToolParam as ToolParam

READ_SECONDS: Final = 60.0
"""So long may a server be silent; the conversation itself is less patient."""
_COUNTED: Final = {"stream_options": {"include_usage": True}}
_UNREADABLE: Final = frozenset((400, 422))
"""How a server refuses what it does not know."""


class Completions:
    """One server and one model; all of it is for the I/O thread."""

    def __init__(self, service: Service, settings: RealtimeSettings) -> None:
        self._client = LazyClient(service, READ_SECONDS)
        self._settings, self._limit = settings, _limit(service)
        self._counted: Mapping[str, object] = _COUNTED

    def prepare(self) -> None:
        """Something will be asked soon."""
        self._client.prepare()

    def run(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Begin something that ends with this at the latest."""
        return self._client.run(work)

    def close(self) -> None:
        """Hang up, and let go of every connection."""
        self._client.close()

    async def ask(self, messages: Iterable[ChatCompletionMessageParam]) -> AsyncStream[ChatCompletionChunk]:
        """Ask; a server that may not know how to say what it has used is asked once more, without."""
        asked = list(messages)
        try:
            return await self._ask(asked, self._counted)
        except Exception as error:  # the library's own; what is no refusal goes on as it came
            refused = getattr(error, "status_code", 0) in _UNREADABLE
            if not (refused and self._counted):
                raise
        stream = await self._ask(asked, {})
        self._counted = {}
        return stream

    async def _ask(
        self, messages: list[ChatCompletionMessageParam], more: Mapping[str, object]
    ) -> AsyncStream[ChatCompletionChunk]:
        client = await self._client.get()
        return await client.chat.completions.create(
            model=self._settings.model or "",
            messages=messages,
            tools=_tools(),
            stream=True,
            extra_body={self._limit: self._settings.max_output_tokens, **more},
        )


def _tools() -> list[ToolParam]:
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in wording.tools()
    ]


def _limit(service: Service) -> str:
    """How a server calls the most tokens of an answer: OpenAI's newer models refuse what all others know."""
    ours = urlsplit(service.base_url).hostname == "api.openai.com"
    return "max_completion_tokens" if ours else "max_tokens"
