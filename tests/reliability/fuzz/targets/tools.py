"""What servers of tools answer: lists, results, and whatever else they think of."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from mcp.client.session import ClientSession
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from actors.captain.live_toolbox.gate import Gate, Watch
from actors.captain.live_toolbox.gauge import Gauge
from actors.captain.live_toolbox.listing import LONGEST_NAME, MOST_TOOLS, Shelf
from actors.captain.live_toolbox.outcome import LONGEST_TEXT, Outcome
from actors.captain.live_toolbox.pipes import CHUNK, Lines
from actors.captain.live_toolbox.session import Session
from actors.captain.wire import functions
from tests.reliability.fuzz.target import Broken, Form, Target, pack, unpack
from tests.reliability.fuzz.told import writable

SECONDS: Final = 0.1
"""So long an answer is waited for that never comes."""
_NAME: Final = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST_NAME}}}")
_TOOLBOX: Final = "actors/captain/live_toolbox/"


class _Pen:
    """Whoever is asked something says the next thing that is to be said."""

    def __init__(self, reader: asyncio.StreamReader, parts: list[bytes]) -> None:
        self._reader, self._parts = reader, parts

    async def send(self, item: SessionMessage) -> None:
        """Heard."""
        if isinstance(item.message, JSONRPCRequest):
            if self._parts:
                self._reader.feed_data(self._parts.pop(0).replace(b"\n", b" ") + b"\n")
            else:
                self._reader.feed_eof()

    async def aclose(self) -> None:
        """Nothing to close."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


async def _talked(parts: list[bytes]) -> tuple[list[Shelf], list[Outcome]]:
    shelves, outcomes = list[Shelf](), list[Outcome]()
    watch, gauge, reader = Watch(), Gauge(), asyncio.StreamReader(CHUNK)
    # What the library raises where it is greeted, or lists, its caller calls a loss.
    with suppress(Exception):
        async with (
            asyncio.timeout(SECONDS),
            ClientSession(Gate(Lines(reader, watch, gauge), watch, gauge), _Pen(reader, parts)) as library,
        ):
            session = Session("music", library)
            await session.greet()
            shelves.append(await session.list())
            outcomes.append(await session.use("play", "{}"))
            outcomes.append(await session.use("play", "[" * 3_000))
            outcomes.append(await session.use("play", "{}"))
    return shelves, outcomes


def _server(data: bytes) -> None:
    shelves, outcomes = asyncio.run(_talked(unpack(data)))
    for shelf in shelves:
        if len(shelf.tools) > MOST_TOOLS or not all(_NAME.fullmatch(tool.name) for tool in shelf.tools):
            raise Broken("tools that nobody can be offered")
        json.dumps([one.parameters for one in functions((), shelf.tools)], allow_nan=False)
        writable(shelf.tools)
    for outcome in outcomes:
        if len(outcome.text.encode()) > LONGEST_TEXT + 1_000:
            raise Broken("an outcome without a bound")
        if any(not file.name.isprintable() or "/" in file.name for file in outcome.attachments):
            raise Broken("a file that is called as no file may be called")
        writable(outcome.text, outcome.failed, [file.kind for file in outcome.attachments])


def _answer(number: int, **result: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1 + number, "result": result}).encode()


def _seeds() -> list[bytes]:
    hello = _answer(
        0,
        protocolVersion="2025-06-18",
        capabilities={"tools": {"listChanged": True}},
        serverInfo={"name": "music", "version": "1"},
    )
    schema = {"type": "object", "properties": {"song": {"type": "string"}}}
    tools = [
        {
            "name": "play",
            "description": "Plays.",
            "inputSchema": schema,
            "annotations": {"readOnlyHint": True},
        },
        {"name": "do it", "inputSchema": schema},
    ]
    listed, paged = _answer(1, tools=tools), _answer(1, tools=tools[:1], nextCursor="more")
    blob = {"uri": "file:///a/b.png", "mimeType": "image/png", "blob": "AAAA"}
    content = [
        {"type": "text", "text": "Done."},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
        {"type": "resource", "resource": blob},
        {"type": "resource", "resource": {"uri": "x:y", "text": "words"}},
        {"type": "resource_link", "name": "n", "uri": "https://example.com/a"},
    ]
    done = _answer(2, content=content, isError=False)
    error = json.dumps({"jsonrpc": "2.0", "id": 3, "error": {"code": -32602, "message": "no"}}).encode()
    return [
        pack([hello, listed, done, _answer(3, content=[], structuredContent={"tide": "low"})]),
        pack([hello, paged, _answer(2, tools=tools[1:]), error]),
        pack([hello, listed, error, done]),
    ]


TARGETS: Final = (
    Target(
        name="tools",
        of="provider frames",
        feed=_server,
        seeds=_seeds,
        readers=tuple(
            f"{_TOOLBOX}{one}.py" for one in ("session", "listing", "outcome", "pipes", "gate", "gauge")
        ),
        form=Form.JSON,
        sequence=True,
        seconds=2.0,
        times=400,
        few=10,
    ),
)
