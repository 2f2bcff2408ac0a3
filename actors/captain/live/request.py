"""One request for a step: what every server of this dialect takes, and what some of them must be spared."""

from __future__ import annotations

import email.utils
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from actors.captain.live.wire import NoAnswer, refused
from actors.captain.settings import MODEL, CaptainSettings
from actors.captain.wire import NO_SCHEMA, Function
from actors.net.sdk import reason_of

CONTEXT_FULL: Final = "context_length_exceeded"
LONGEST_PAUSE: Final = 120.0
"""Nobody is left alone for longer, whatever he asks for."""
_SPARED: Final[Mapping[str, tuple[str, ...]]] = {
    "include": ("include", "encrypted content is not supported", "encrypted_content is not supported"),
    "parallel_tool_calls": ("parallel_tool_calls",),
    "reasoning": ("reasoning", "effort"),
}
"""What a server may do without, and by which words its refusal names it; the first that fits is it."""
_TOOL: Final = re.compile(r"tools\[(\d{1,4})\]", re.ASCII)
_UNREADABLE: Final = frozenset({400, 422})


def body(
    settings: CaptainSettings,
    *,
    instructions: str,
    items: Sequence[str],
    tools: Sequence[Function],
    spared: frozenset[str],
) -> Mapping[str, object]:
    """The JSON of one request; `items` are JSON objects as texts, `spared` what this server has refused."""
    wanted: dict[str, object] = {
        "model": settings.model or MODEL,
        "instructions": instructions,
        "input": [json.loads(item) for item in items],
        "max_output_tokens": settings.max_output_tokens,
        "include": ["reasoning.encrypted_content"],
        "store": False,
        "stream": True,
    }
    if settings.reasoning_effort:
        wanted["reasoning"] = {"effort": settings.reasoning_effort}
    if tools:
        offered = [_tool(tool, bare=tool.name in spared) for tool in tools]
        wanted |= {"tools": offered, "parallel_tool_calls": True}
    return {name: value for name, value in wanted.items() if name not in spared}


def message(text: str) -> str:
    """Words of others, as an item."""
    content = [{"type": "input_text", "text": text}]
    return json.dumps({"type": "message", "role": "user", "content": content})


def output(call: str, text: str) -> str:
    """What a call came to, as an item."""
    return json.dumps({"type": "function_call_output", "call_id": call, "output": text})


def _tool(tool: Function, *, bare: bool) -> Mapping[str, object]:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": NO_SCHEMA if bare else tool.parameters,
        "strict": tool.strict,
    }


# --- what came of it ----------------------------------------------------------------------------------


def unwanted(error: Exception, asked: Mapping[str, object], tools: Sequence[Function]) -> str:
    """What of this request the server does not know, by its refusal; empty where that is not the matter.

    It is a parameter, or somebody else's tool, whose arguments it does not like to have described so.
    """
    if _status(error) not in _UNREADABLE:
        return ""
    code, said = refused(getattr(error, "body", None))
    if code in {CONTEXT_FULL, "invalid_encrypted_content"}:
        return ""
    if found := _TOOL.match(said):
        place = int(found[1])
        return "" if place >= len(tools) or tools[place].strict else tools[place].name
    named = (name for name, words in _SPARED.items() if any(word in said for word in words))
    return next((name for name in named if name in asked), "")


def why(error: Exception) -> tuple[str, float | None]:
    """A bounded code, and for how many seconds the server wants to be left alone, if it said so."""
    if isinstance(error, NoAnswer):
        return error.reason, None
    status = _status(error)
    if status in _UNREADABLE and refused(getattr(error, "body", None))[0] == CONTEXT_FULL:
        return CONTEXT_FULL, None
    reason = reason_of(error)
    return reason, _pause(error) if status == 429 or status >= 500 else None


def _status(error: Exception) -> int:
    """The HTTP status of a refusal; 0 where there was none."""
    status: object = getattr(error, "status_code", 0)
    return status if isinstance(status, int) else 0


def _pause(error: Exception) -> float | None:
    headers: object = getattr(getattr(error, "response", None), "headers", None)
    if not isinstance(headers, Mapping):
        return None
    return pause({name.lower(): str(value) for name, value in headers.items()})


def pause(headers: Mapping[str, str]) -> float | None:
    """How long the headers of a refusal ask to wait: in milliseconds, in seconds, or until a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if math.isfinite(seconds):
            return min(max(seconds, 0.0), LONGEST_PAUSE)
    return _until(headers.get("retry-after", ""), headers.get("date", ""))


def _until(due: str, now: str) -> float | None:
    """From one of the server's dates to another, so that nobody's clock has to be right."""
    try:
        seconds = email.utils.parsedate_to_datetime(due) - email.utils.parsedate_to_datetime(now)
    except (TypeError, ValueError, OverflowError):
        return None
    return min(max(seconds.total_seconds(), 0.0), LONGEST_PAUSE)
