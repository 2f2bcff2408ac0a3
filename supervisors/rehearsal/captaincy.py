"""What the scripted captain can be made to do: what is wrong with that is said before the play."""

from __future__ import annotations

import json
from collections.abc import Sequence

from actors.captain.tools import HOUSE_TOOLS
from actors.captain.wire import parse
from messages.tools import Mistaken
from supervisors.rehearsal.faults import Found, instead, no_words
from supervisors.rehearsal.minds import CaptainReplyEntry

_OF_A_SERVER = "__"
"""Stands between the name of a server and that of its tool."""
_PLACEHOLDERS = ("{outcome}", "{result}")


def in_captain_reply(reply: CaptainReplyEntry, limit: float, servers: Sequence[str]) -> Found:
    """What is wrong with a `[[captain.reply]]` of a play with these servers and `limit` seconds at most."""
    yield from no_words(heard=reply.heard, text=reply.text)
    if reply.tool is not None and reply.tools:
        yield "tools", "`tool` is one tool and `tools` are several; write one of them"
    if reply.text is None and not reply.used:
        yield None, "a [[captain.reply]] needs `text`, `tool` or `tools`; write one of them"
    if reply.arguments and reply.tool is None:
        yield "arguments", "`arguments` are those of one `tool`; write a reply for each tool that has some"
    for tool in reply.used:
        yield from _in_tool(reply, tool, servers)
    if not reply.used and any(one in (reply.text or "") for one in _PLACEHOLDERS):
        yield "text", "{outcome} and {result} are what came of a tool; name one, or take them out"
    if reply.delay is not None and reply.delay > limit:
        yield "delay", f"delay = {reply.delay:g}: is beyond `limit` ({limit:g} s); shorten it"


def _in_tool(reply: CaptainReplyEntry, tool: str, servers: Sequence[str]) -> Found:
    key = "tools" if reply.tool is None else "tool"
    if _OF_A_SERVER in tool:
        server = tool.partition(_OF_A_SERVER)[0]
        if server not in servers:
            known = instead(server, servers) if servers else f"; write a [settings.captain.mcp.{server}]"
            yield key, f"{key} = {tool!r}: this play has no server {server!r}{known}"
        return
    if tool not in HOUSE_TOOLS:
        yield key, f"{key} = {tool!r}: there is no such tool{instead(tool, HOUSE_TOOLS)}"
        return
    request = parse(tool, json.dumps(reply.arguments), ())
    if isinstance(request, Mistaken):
        yield "arguments" if reply.arguments else key, f"{tool}: {request.problem}"
