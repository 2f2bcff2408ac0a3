"""A server of tools whose one tool does something that cannot be undone, and writes down that it did."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.stdio import stdio_server

BOOK: Final = "DEEDS"
"""The variable that names the file in which every deed is a line."""
TOOL: Final = "pay"
SECONDS: Final = 0.5
"""How long a deed takes after it is done, and before anybody hears of it."""
ROOT: Final = Path(__file__).parents[3]
Context = ServerRequestContext[Any, Any]


def table(book: Path) -> dict[str, Any]:
    """What stands in `[captain.mcp]` for it."""
    return {
        "command": sys.executable,
        "args": ["-m", "tests.reliability.sigkill.deeds"],
        "env": {BOOK: str(book), "PYTHONPATH": str(ROOT)},
    }


def done(book: Path) -> list[str]:
    """Everything that was done, in order."""
    return book.read_text("utf-8").split() if book.exists() else []


def _note(what: str) -> None:
    with Path(os.environ[BOOK]).open("a", encoding="utf-8") as file:
        file.write(f"{what}\n")


async def list_tools(_: Context, __: Any) -> types.ListToolsResult:
    """There is one."""
    schema = {"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]}
    tool = types.Tool(name=TOOL, description="Pay for something.", input_schema=schema)
    return types.ListToolsResult(tools=[tool])


async def call_tool(_: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
    """Do it, once for each time it is asked for."""
    what = str((asked.arguments or {})["what"])
    _note(what)
    with suppress(TimeoutError):
        async with asyncio.timeout(SECONDS):
            await asyncio.Event().wait()
    return types.CallToolResult(content=[types.TextContent(type="text", text=f"paid for {what}")])


async def serve() -> None:
    """Until whoever started it is gone."""
    server: Server[Any] = Server("deeds", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options(NotificationOptions()))


if __name__ == "__main__":
    asyncio.run(serve())
