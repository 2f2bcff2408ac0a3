"""A response as OpenAI composes and streams it, event by event in its own order; sans I/O."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from tests.loopback.discord.body import Body, Json
from tests.loopback.openai.mind import pieces_of
from tests.loopback.openai.refusals import PROSE
from tests.loopback.openai.responses_asked import CaptainReply
from tests.loopback.openai.responses_rules import encrypted

PIECE: Final = 8
"""How many characters of a call's arguments come at once."""
_CREATED: Final = 1_796_000_000
_numbers = count(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One response: its items, each done, and how it ends."""

    head: Json
    output: tuple[Json, ...]
    pieces: tuple[str, ...]
    ending: str
    """completed | failed | incomplete | error."""
    code: str = ""


def made(body: Body, reply: CaptainReply, *, thinks: bool) -> Made:
    """What comes of a request that was checked; a model that `thinks` shows it as a sealed item."""
    number = next(_numbers)
    pieces = pieces_of(reply.text) if reply.text else ()
    most = body.number("max_output_tokens") or 4_096
    cut = "max_output_tokens" if len(pieces) > most else reply.incomplete
    pieces = pieces[:most]
    thought = thinks and body.body("reasoning").fields.get("effort") != "none"
    mark = f"r{number}" if thought and _is_sealed(body) else f"n{number}"
    output: list[Json] = [_thought(number, sealed=_is_sealed(body))] if thought else []
    if pieces:
        text: Json = {"type": "output_text", "annotations": [], "logprobs": [], "text": "".join(pieces)}
        status = "incomplete" if cut else "completed"
        message: Json = {"id": f"msg_{mark}_0", "type": "message", "status": status, "role": "assistant"}
        output.append({**message, "content": [text]})
    for place, (name, arguments) in enumerate(() if cut else reply.calls):
        call = reply.ids[place] if reply.ids else f"call_{number:06d}_{place}"
        start: Json = {"id": f"fc_{mark}_{place}", "type": "function_call", "status": "completed"}
        output.append({**start, "arguments": arguments, "call_id": call, "name": name})
    troubles = {"failed": reply.failure, "error": reply.complaint, "incomplete": cut}
    ending = next((how for how, code in troubles.items() if code), "completed")
    return Made(
        head=_head(body, number),
        output=tuple(output),
        pieces=pieces,
        ending=ending,
        code=troubles.get(ending, ""),
    )


def _is_sealed(body: Body) -> bool:
    return "reasoning.encrypted_content" in body.items("include")


def _thought(number: int, *, sealed: bool) -> Json:
    thought: Json = {"id": f"rs_{number}", "type": "reasoning", "summary": []}
    return {**thought, "encrypted_content": encrypted(f"rs_{number}")} if sealed else thought


def whole(answer: Made) -> Json:
    """A response that is not streamed, or the end of one that is."""
    ended: Json = {**answer.head, "status": answer.ending, "output": list(answer.output)}
    if answer.ending == "failed":
        ended["error"] = {"code": answer.code, "message": PROSE}
    elif answer.ending == "incomplete":
        ended["incomplete_details"] = {"reason": answer.code}
    else:
        ended["completed_at"] = _CREATED + 1
    return {**ended, "usage": usage_of(answer)}


def usage_of(answer: Made) -> Json:
    """What it has used."""
    said = len(answer.pieces) + sum(len(json.dumps(item)) // 4 for item in answer.output)
    usage: Json = {"input_tokens": 100, "output_tokens": said, "total_tokens": 100 + said}
    details = {
        "input_tokens_details": {"cached_tokens": 40},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return usage | details


def stream(answer: Made) -> list[bytes]:
    """Its events, numbered, as server-sent events."""
    return [_event(number, one) for number, one in enumerate(_events(answer))]


def _event(number: int, event: Mapping[str, object]) -> bytes:
    data = json.dumps({**event, "sequence_number": number})
    return f"event: {event['type']}\ndata: {data}\n\n".encode()


def _events(answer: Made) -> Iterator[Json]:
    begun: Json = {**answer.head, "status": "in_progress", "output": [], "usage": None}
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(answer.output):
        yield from _item(item, index, answer.pieces)
    if answer.ending == "error":
        yield {"type": "error", "code": answer.code, "message": PROSE, "param": None}
    else:
        yield {"type": f"response.{answer.ending}", "response": whole(answer)}


def _item(item: Json, index: int, pieces: Sequence[str]) -> Iterator[Json]:
    begun = dict(item)
    between: list[Json] = []
    where: Json = {"item_id": item["id"], "output_index": index}
    if item["type"] == "message":
        begun |= {"status": "in_progress", "content": []}
        between = list(_text({**where, "content_index": 0}, pieces))
    elif item["type"] == "function_call":
        begun |= {"status": "in_progress", "arguments": ""}
        between = list(_arguments(where, str(item["arguments"]), str(item["name"])))
    elif "encrypted_content" in item:
        begun |= {"encrypted_content": "gAAAAA"}
    yield {"type": "response.output_item.added", "output_index": index, "item": begun}
    yield from between
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def _text(where: Json, pieces: Sequence[str]) -> Iterator[Json]:
    empty: Json = {"type": "output_text", "annotations": [], "logprobs": [], "text": ""}
    yield {"type": "response.content_part.added", **where, "part": empty}
    for piece in pieces:
        yield {"type": "response.output_text.delta", **where, "delta": piece, "logprobs": []}
    text = "".join(pieces)
    yield {"type": "response.output_text.done", **where, "text": text, "logprobs": []}
    yield {"type": "response.content_part.done", **where, "part": {**empty, "text": text}}


def _arguments(where: Json, arguments: str, name: str) -> Iterator[Json]:
    for start in range(0, len(arguments), PIECE):
        piece = arguments[start : start + PIECE]
        yield {"type": "response.function_call_arguments.delta", **where, "delta": piece}
    done: Json = {"type": "response.function_call_arguments.done", **where}
    yield {**done, "arguments": arguments, "name": name}


def _head(body: Body, number: int) -> Json:
    reasoning = {"effort": body.body("reasoning").fields.get("effort"), "summary": None}
    said: Json = {
        "id": f"resp_{number:08d}",
        "object": "response",
        "created_at": _CREATED,
        "background": False,
        "error": None,
        "incomplete_details": None,
        "instructions": body.fields.get("instructions"),
        "max_output_tokens": body.fields.get("max_output_tokens"),
        "max_tool_calls": None,
        "metadata": {},
        "model": body.text("model"),
        "parallel_tool_calls": body.fields.get("parallel_tool_calls", True),
        "previous_response_id": None,
    }
    rest: Json = {
        "reasoning": reasoning,
        "service_tier": "default",
        "store": body.fields.get("store", True),
        "temperature": 1.0,
        "text": {"format": {"type": "text"}, "verbosity": "medium"},
        "tool_choice": "auto",
        "tools": body.items("tools"),
        "top_logprobs": 0,
        "top_p": 1.0,
        "truncation": "disabled",
        "user": None,
    }
    return said | rest
