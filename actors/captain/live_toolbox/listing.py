"""Other people's tools under names of ours: plain, unlike each other, and not too many."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from actors.net.plain import plain
from messages.captain import MachineTool

if TYPE_CHECKING:
    from mcp_types import Tool

MOST_TOOLS: Final = 64
MOST_SCHEMA_BYTES: Final = 256 << 10
"""Of all tools of one server together, their descriptions included."""
LONGEST_NAME: Final = 64
LONGEST_OWN_NAME: Final = 256
LONGEST_DESCRIPTION: Final = 2_000
_STRANGE: Final = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """What a server offers: `own` has the server's own name for each of ours; so many were left out."""

    tools: tuple[MachineTool, ...]
    own: dict[str, str] = field(repr=False)
    left_out: int


def shelved(server: str, offered: Iterable[Tool]) -> Shelf:
    """Take as many tools as there is room for, in the server's order."""
    tools: dict[str, MachineTool] = {}
    own: dict[str, str] = {}
    room, left_out = MOST_SCHEMA_BYTES, 0
    for tool in offered:
        schema = _as_text(tool)
        description = plain((tool.description or tool.title or "")[:LONGEST_DESCRIPTION])
        size = len(description.encode()) + len(schema.encode())
        if len(tools) >= MOST_TOOLS or size > room or not schema or len(tool.name) > LONGEST_OWN_NAME:
            left_out += 1
            continue
        room -= size
        name = _name(server, tool.name, own)
        own[name] = tool.name
        tools[name] = MachineTool(
            name=name, server=server, description=description, schema=schema, destructive=_destroys(tool)
        )
    return Shelf(tools=tuple(tools.values()), own=own, left_out=left_out)


def _as_text(tool: Tool) -> str:
    try:
        schema = json.dumps(tool.input_schema, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return ""
    return plain(schema) if len(schema) <= MOST_SCHEMA_BYTES else ""


def _name(server: str, own: str, taken: dict[str, str]) -> str:
    """`server__tool`; the second of a name is called `_2`."""
    wanted = f"{server}__{_STRANGE.sub('_', own) or 'tool'}"[:LONGEST_NAME]
    name, number = wanted, 2
    while name in taken:
        ending = f"_{number}"
        name, number = wanted[: LONGEST_NAME - len(ending)] + ending, number + 1
    return name


def _destroys(tool: Tool) -> bool:
    """Nobody is believed to be harmless who does not even say so."""
    hints = tool.annotations
    return hints is None or not (hints.read_only_hint is True or hints.destructive_hint is False)
