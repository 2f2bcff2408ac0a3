"""Chat completions as OpenAI checks, answers and streams them; sans I/O, the rules in one place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from tests.loopback.discord.body import Body, Json
from tests.loopback.openai.refusals import Refused, wrong

ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
# fmt: off
KNOWN = frozenset({
    "messages", "model", "stream", "stream_options", "tools", "tool_choice", "parallel_tool_calls",
    "max_tokens", "max_completion_tokens", "temperature", "top_p", "n", "stop", "seed", "user", "metadata",
    "store", "reasoning_effort", "response_format", "presence_penalty", "frequency_penalty", "logit_bias",
    "logprobs", "prompt_cache_key", "safety_identifier", "service_tier", "verbosity",
})
# fmt: on
_FUNCTION_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}", re.ASCII)
_FINGERPRINT = "fp_loopback"
_CREATED = 1_796_000_000
_numbers = count(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A function that the model wants called; `arguments` is JSON, or what it takes for JSON."""

    name: str
    arguments: str = "{}"
    id: str = field(default_factory=lambda: f"call_{next(_numbers):08d}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One answer: the pieces of its text, each of which counts as a token here, then its calls."""

    model: str
    pieces: tuple[str, ...]
    calls: tuple[Call, ...] = ()
    finish: str
    prompt_tokens: int = 0
    id: str = field(default_factory=lambda: f"chatcmpl-{next(_numbers):08d}")


# --- what may be asked ----------------------------------------------------------------------------


def check(body: Body) -> None:
    """Raise Refused for a request that OpenAI would not take."""
    for name in body.fields:
        if name not in KNOWN:
            raise wrong(f"Unrecognized request argument supplied: {name}")
    if not body.text("model"):
        raise wrong("you must provide a model parameter")
    if not body.items("messages"):
        raise wrong("[] is too short - 'messages'", "messages")
    _check_numbers(body)
    _check_tools(body)
    _check_messages(body.bodies("messages"))


def _check_numbers(body: Body) -> None:
    limits = [name for name in ("max_tokens", "max_completion_tokens") if body.fields.get(name) is not None]
    if len(limits) > 1:
        raise wrong("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
    for name in limits:
        if body.number(name) < 1:
            raise wrong(f"Invalid '{name}': expected a value >= 1.", name, "integer_below_min_value")
    if "stream_options" in body and not body.flag("stream"):
        raise wrong(
            "The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options"
        )


def _check_tools(body: Body) -> None:
    if "tools" not in body:
        for name in ("tool_choice", "parallel_tool_calls"):
            if body.fields.get(name) is not None:
                raise wrong(f"'{name}' is only allowed when 'tools' are specified.", name)
        return
    if not body.items("tools"):
        raise wrong("[] is too short - 'tools'", "tools", "empty_array")
    for place, tool in enumerate(body.bodies("tools")):
        function, at = tool.body("function"), f"tools[{place}]"
        if tool.text("type") != "function" or not function.fields:
            raise wrong(f"Missing required parameter: '{at}.function'.", f"{at}.function")
        if not _FUNCTION_NAME.fullmatch(function.text("name")):
            raise wrong(
                f"Invalid '{at}.function.name': string does not match pattern.", f"{at}.function.name"
            )
        if "parameters" in function and function.body("parameters").text("type") != "object":
            raise wrong(f"Invalid schema for function '{function.text('name')}'", f"{at}.function.parameters")


def _check_messages(messages: Sequence[Body]) -> None:
    owed: list[str] = []
    for place, message in enumerate(messages):
        role, at = message.text("role"), f"messages.[{place}]"
        if role not in ROLES:
            raise wrong(f"Invalid value: '{role}'.", f"{at}.role", "invalid_value")
        if role == "tool":
            _settle(owed, message.text("tool_call_id"), at)
        elif owed:
            raise _unanswered(owed, at)
        _check_content(message, at)
        owed += [call.text("id") for call in message.bodies("tool_calls")]
    if owed:
        raise _unanswered(owed, f"messages.[{len(messages)}]")


def _settle(owed: list[str], call: str, at: str) -> None:
    if call not in owed:
        said = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
        raise wrong(f"Invalid parameter: {said}", f"{at}.role")
    owed.remove(call)


def _unanswered(owed: Sequence[str], at: str) -> Refused:
    rule = "An assistant message with 'tool_calls' must be followed by tool messages responding to each"
    missing = f"The following tool_call_ids did not have response messages: {', '.join(owed)}"
    return wrong(f"{rule} 'tool_call_id'. {missing}", f"{at}.role")


def _check_content(message: Body, at: str) -> None:
    content, calls = message.fields.get("content"), message.bodies("tool_calls")
    if calls and message.text("role") != "assistant":
        raise wrong("Only an assistant message may have 'tool_calls'.", f"{at}.tool_calls")
    for call in calls:
        whole = call.text("id") and call.text("type") == "function" and call.body("function").text("name")
        if not whole or not isinstance(call.body("function").fields.get("arguments"), str):
            raise wrong("Missing required parameter in a tool call.", f"{at}.tool_calls")
    if "tool_calls" in message and not calls:
        raise wrong("[] is too short - 'tool_calls'", f"{at}.tool_calls", "empty_array")
    if content is None and not calls:
        raise wrong("Invalid value for 'content': expected a string, got null.", f"{at}.content")
    if content is not None and not isinstance(content, (str, list)):
        raise wrong("Invalid type for 'content'.", f"{at}.content", "invalid_type")


# --- what is answered -----------------------------------------------------------------------------


def completion(body: Body, pieces: Sequence[str], calls: Sequence[Call], incomplete: str = "") -> Completion:
    """Make an answer of as many pieces as were allowed; `incomplete` is what cut it short, if anything."""
    most = body.number("max_tokens") or body.number("max_completion_tokens") or 4_096
    cut = len(pieces) > most or incomplete == "max_output_tokens"
    finish = "length" if cut else incomplete or ("tool_calls" if calls else "stop")
    said = sum(len(str(message)) for message in body.items("messages"))
    return Completion(
        model=body.text("model"),
        pieces=tuple(pieces[:most]),
        calls=() if cut else tuple(calls),
        finish=finish,
        prompt_tokens=said // 4,
    )


def whole(answer: Completion) -> Json:
    """An answer that is not streamed."""
    text = "".join(answer.pieces)
    message: Json = {"role": "assistant", "content": text or None, "refusal": None, "annotations": []}
    if answer.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in answer.calls
        ]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": answer.finish}
    return {**_head(answer, "chat.completion"), "choices": [choice], "usage": usage_of(answer)}


def chunks(answer: Completion, *, usage: bool) -> Iterator[Json]:
    """The events of a streamed answer, without the [DONE] that ends it."""
    first: Json = {"role": "assistant", "content": "" if answer.pieces or not answer.calls else None}
    head = _head(answer, "chat.completion.chunk") | ({"usage": None} if usage else {})

    def chunk(delta: Json, finish: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**head, "choices": [choice]}

    yield chunk({**first, "refusal": None})
    for piece in answer.pieces:
        yield chunk({"content": piece})
    for index, call in enumerate(answer.calls):
        named = {"name": call.name, "arguments": ""}
        yield chunk({"tool_calls": [{"index": index, "id": call.id, "type": "function", "function": named}]})
        for start in range(0, len(call.arguments), 4):
            more = {"arguments": call.arguments[start : start + 4]}
            yield chunk({"tool_calls": [{"index": index, "function": more}]})
    yield chunk({}, answer.finish)
    if usage:
        yield {**head, "choices": [], "usage": usage_of(answer)}


def _head(answer: Completion, kind: str) -> Json:
    return {
        "id": answer.id,
        "object": kind,
        "created": _CREATED,
        "model": answer.model,
        "service_tier": "default",
        "system_fingerprint": _FINGERPRINT,
    }


def usage_of(answer: Completion) -> Json:
    """What it has used."""
    completion_tokens = len(answer.pieces) + sum(len(call.arguments) // 4 + 4 for call in answer.calls)
    return {
        "prompt_tokens": answer.prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": answer.prompt_tokens + completion_tokens,
        "prompt_tokens_details": {"cached_tokens": answer.prompt_tokens // 2},
    }
