"""One conversation with one server, from greeting to end, in the words of the protocol's own library."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
    ListToolsRequest,
    ListToolsResult,
    PaginatedRequestParams,
    Tool,
)

from actors.captain.live_toolbox.address import posted
from actors.captain.live_toolbox.gate import BAD_FRAME, SERVER_GONE, Gate, Watch
from actors.captain.live_toolbox.gauge import LONGEST_MESSAGE, TOO_LARGE, Gauge
from actors.captain.live_toolbox.listing import MOST_TOOLS, Shelf, shelved
from actors.captain.live_toolbox.outcome import TOOL_ERROR, Outcome, bounded, read
from actors.captain.live_toolbox.pipes import piped
from actors.captain.settings import McpServer

MOST_PAGES: Final = 16
BAD_ARGUMENTS: Final = "bad_arguments"
_TALKATIVE: Final = ("mcp", "client")
"""The library's loggers, which would write down what is said."""
_OVERFULL: Final = (TOO_LARGE, f"exceeded the {LONGEST_MESSAGE} byte limit.")
"""How what we and the library say ends where there was too much."""
_BROKEN_OFF: Final = f"Failed to parse JSON response: {SERVER_GONE}"
"""What the library makes of an answer over HTTP that ends too early."""
_SILENT: Final = logging.CRITICAL + 1


class Session:
    """What may be asked of a server that was greeted; each question raises what the library raises."""

    def __init__(self, name: str, session: ClientSession) -> None:
        self._name, self._session = name, session

    async def greet(self) -> None:
        """Agree on a version."""
        await self._session.initialize()

    async def list(self) -> Shelf:
        """All its tools, so far as there is room for them."""
        capabilities = self._session.server_capabilities
        if capabilities is None or capabilities.tools is None:
            return shelved(self._name, ())
        tools: list[Tool] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            asked = ListToolsRequest(params=PaginatedRequestParams(cursor=cursor))
            page = await self._session.send_request(asked, ListToolsResult)
            tools += page.tools
            cursor = page.next_cursor
            if cursor is None or len(tools) > MOST_TOOLS:
                break
        return shelved(self._name, tools)

    async def use(self, tool: str, arguments: str) -> Outcome:
        """Use a tool under the server's own name for it; never raises for what the server does.

        Its answer is not held against the schema that it promised: that schema is the server's as well,
        and may hold patterns over which a regular expression thinks for years.
        """
        try:
            given = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            return Outcome(failed=BAD_ARGUMENTS)
        asked = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=given))
        try:
            asked.model_dump_json()
        except ValueError:  # too deep
            return Outcome(failed=BAD_ARGUMENTS)
        try:
            return read(await self._session.send_request(asked, CallToolResult))
        except MCPError as refusal:
            return _refused(refusal)
        except Exception:  # whatever the library makes of what the server makes of the protocol
            return Outcome(failed=BAD_FRAME)


def _refused(refusal: MCPError) -> Outcome:
    words = refusal.error.message
    if words.endswith(_OVERFULL):
        return Outcome(failed=TOO_LARGE)
    if refusal.error.code == CONNECTION_CLOSED or words.endswith(_BROKEN_OFF):
        return Outcome(failed=SERVER_GONE)
    return Outcome(text=bounded(words), failed=TOOL_ERROR)


@asynccontextmanager
async def conversing(
    name: str, server: McpServer, token: str, watch: Watch, *, seconds: float
) -> AsyncGenerator[Session]:
    """Reach a server, and let go of it at the end: a program is ended, an address is told goodbye."""
    for talkative in _TALKATIVE:
        logging.getLogger(talkative).setLevel(_SILENT)
    for other in ("httpx2", "httpcore2"):
        logging.getLogger(other).setLevel(logging.WARNING)
    gauge = Gauge()
    reached = (
        posted(server, token, watch, gauge, seconds=seconds) if server.url else piped(server, watch, gauge)
    )
    async with (
        reached as (said, heard),
        ClientSession(
            Gate(said, watch, gauge), heard, client_info=Implementation(name="clankie", version="1")
        ) as session,
    ):
        yield Session(name, session)
