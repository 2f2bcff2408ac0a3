"""All that is ever written to OpenAI's Realtime; `name` is what it calls a letter that it does not like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from actors.net.line import Target
from actors.net.service import Service
from actors.realtime.live.wording import Entry, tools
from actors.realtime.settings import RealtimeSettings

MODEL: Final = "gpt-realtime-2.1"
FIRST: Final = "root"
"""What an item lies behind that is the first."""

RETAINED = 0.7
"""How much of a conversation that has grown too long the model goes on reading."""

_CONTENT = {"system": "input_text", "user": "input_text", "assistant": "output_text"}


def target(service: Service, model: str) -> Target:
    """Where the socket is; the model is part of the address."""
    url = service.socket("/realtime", {"model": model})
    return Target(url=url, headers={"Authorization": f"Bearer {service.key}"})


def session_update(name: str, instructions: str, settings: RealtimeSettings) -> str:
    """How the session is to be: asked in text, answering in text, and only when it is asked."""
    session: dict[str, object] = {
        "type": "realtime",
        "output_modalities": ["text"],
        "instructions": instructions,
        "audio": {"input": _DEAF},
        "tools": [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            }
            for tool in tools()
        ],
        "tool_choice": "auto",
        "parallel_tool_calls": False,
        "max_output_tokens": settings.max_output_tokens,
        "truncation": {
            "type": "retention_ratio",
            "retention_ratio": RETAINED,
            "token_limits": {"post_instructions": settings.context_tokens},
        },
        "tracing": None,
    }
    if settings.reasoning_effort:
        session["reasoning"] = {"effort": settings.reasoning_effort}
    return _letter("session.update", name, session=session)


def message(item: str, entry: Entry, behind: str | None = None) -> str:
    """Put a message into the conversation, at its end or behind another item; `item` names both."""
    content = [{"type": _CONTENT[entry.role], "text": entry.text}]
    return _item(item, {"type": "message", "role": entry.role, "content": content}, behind)


def call_output(item: str, call: str, output: str) -> str:
    """What came of a call; `item` names the letter too."""
    return _item(item, {"type": "function_call_output", "call_id": call, "output": output}, None)


def delete(name: str, item: str) -> str:
    """Take an item out of the conversation."""
    return _letter("conversation.item.delete", name, item_id=item)


def respond(name: str, turn: str, trigger: str) -> str:
    """Ask for a response, which will say what turn it is for."""
    return _letter("response.create", name, response={"metadata": {"turn": turn, "trigger": trigger}})


def cancel(name: str, response: str) -> str:
    """End a response."""
    return _letter("response.cancel", name, response_id=response)


_DEAF: Final = {
    "format": {"type": "audio/pcm", "rate": 24_000},
    "turn_detection": None,
    "transcription": None,
    "noise_reduction": None,
}


def _item(name: str, item: Mapping[str, object], behind: str | None) -> str:
    place = {} if behind is None else {"previous_item_id": behind}
    return _letter("conversation.item.create", name, **place, item={"id": name, **item})


def _letter(kind: str, name: str, **fields: object) -> str:
    return json.dumps({"type": kind, "event_id": name, **fields})
