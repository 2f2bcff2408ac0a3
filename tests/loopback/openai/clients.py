"""The real SDK at the sockets of this OpenAI, in few words."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from openai import AsyncOpenAI
from openai.resources.realtime.realtime import AsyncRealtimeConnection

from tests.loopback.discord.body import Body
from tests.loopback.openai.server import OpenAi

SECONDS = 5.0
MODEL = "gpt-realtime-2.1"


class Client:
    """One connection of the SDK; what comes is checked to be what the SDK takes it for."""

    def __init__(self, connection: AsyncRealtimeConnection) -> None:
        self.connection = connection
        self.came: list[Body] = []
        """Every event so far."""

    async def send(self, kind: str, **fields: object) -> None:
        """Send a client event."""
        await self.connection.send_raw(json.dumps({"type": kind, **fields}))

    async def until(self, kind: str) -> Body:
        """Return the next event of this type; whatever comes before it is in `came`."""
        while True:
            event = Body(dict((await self.connection.recv()).to_dict()))
            self.came.append(event)
            if event.text("type") == kind:
                return event

    async def refused(self, kind: str, **fields: object) -> Body:
        """Send an event that is answered with an error which names it, and return the error."""
        await self.send(kind, event_id="mine", **fields)
        error = (await self.until("error")).body("error")
        assert error.text("event_id") == "mine"
        return error

    async def say(self, text: str, **fields: object) -> Body:
        """Put a user's message into the conversation, and return the item."""
        content = [{"type": "input_text", "text": text}]
        item = {"type": "message", "role": "user", "content": content, **fields}
        await self.send("conversation.item.create", item=item)
        return (await self.until("conversation.item.done")).body("item")

    async def append(self, milliseconds: int) -> None:
        """Append so much silence."""
        await self.send(
            "input_audio_buffer.append", audio=base64.b64encode(bytes(48 * milliseconds)).decode()
        )


@asynccontextmanager
async def connected(
    server: OpenAi, model: str | None = MODEL, key: str | None = None
) -> AsyncGenerator[Client]:
    """Connect to a conversation, or to a transcription where there is no model."""
    service = server.service
    query = {} if model else {"intent": "transcription"}
    async with AsyncOpenAI(api_key=key or service.key, base_url=service.base_url) as sdk:
        manager = (
            sdk.realtime.connect(model=model, extra_query=query)
            if model
            else sdk.realtime.connect(extra_query=query)
        )
        async with asyncio.timeout(SECONDS), manager as connection:
            yield Client(connection)


def talk(server: OpenAi, do: Callable[[Client], Awaitable[None]], model: str | None = MODEL) -> None:
    """Connect, be greeted, do something and close."""

    async def run() -> None:
        async with connected(server, model) as client:
            await client.until("session.created")
            await do(client)

    asyncio.run(run())


async def beside(work: Callable[[], object]) -> None:
    """Do what waits, beside the client's loop."""
    await asyncio.to_thread(work)
