"""What OpenAI takes as a request for a response, and in which words it refuses the rest; sans I/O."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from tests.loopback.discord.body import Body
from tests.loopback.openai.refusals import Refused, wrong

# fmt: off
KNOWN: Final = frozenset({
    "model", "input", "instructions", "tools", "tool_choice", "parallel_tool_calls", "max_output_tokens",
    "max_tool_calls", "reasoning", "store", "include", "stream", "stream_options", "metadata", "temperature",
    "top_p", "truncation", "previous_response_id", "prompt_cache_key", "safety_identifier", "service_tier",
    "text", "user", "background", "conversation",
})
INCLUDES: Final = frozenset({
    "reasoning.encrypted_content", "message.output_text.logprobs", "message.input_image.image_url",
    "file_search_call.results", "web_search_call.action.sources", "code_interpreter_call.outputs",
})
# fmt: on
EFFORTS: Final = frozenset({"none", "minimal", "low", "medium", "high", "xhigh", "max"})
LEAST_TOKENS: Final = 16
_ITEM_FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "message": frozenset({"type", "role", "content", "id", "status", "phase"}),
    "reasoning": frozenset({"type", "id", "summary", "encrypted_content", "content"}),
    "function_call": frozenset({"type", "id", "call_id", "name", "arguments", "status"}),
    "function_call_output": frozenset({"type", "id", "call_id", "output", "status"}),
}
_PARTS: Final = {
    "user": ("input_text", "input_image", "input_file"),
    "system": ("input_text",),
    "developer": ("input_text",),
    "assistant": ("output_text", "refusal"),
}
_NOT_ON_TOP: Final = frozenset({"oneOf", "anyOf", "allOf", "enum", "not"})
_FUNCTION_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}", re.ASCII)
_NUMBER: Final = re.compile(r"(?:fc|msg)_r(\d+)_")


def encrypted(name: str) -> str:
    """What a thought of that name looks like from outside; nobody but this server can make it."""
    return "gAAAAA" + hashlib.sha256(f"loopback:{name}".encode()).hexdigest()


def check(body: Body, models: Collection[str], unsupported: Collection[str]) -> None:
    """Raise Refused for a request that OpenAI, or a model that knows less, would not take."""
    for name in body.fields:
        if name not in KNOWN:
            raise wrong(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
        if name in unsupported:
            raise _unsupported(name)
    if not body.text("model"):
        raise wrong("Missing required parameter: 'model'.", "model", "missing_required_parameter")
    if body.text("model") not in models:
        said = f"The requested model '{body.text('model')}' does not exist."
        raise wrong(said, "model", "model_not_found")
    _check_settings(body)
    for place, tool in enumerate(body.bodies("tools")):
        _check_tool(tool, f"tools[{place}]")
    if not isinstance(body.fields.get("input"), str):
        _check_input(body.items("input"))


def _unsupported(name: str) -> Refused:
    if name == "include":
        return wrong("Encrypted content is not supported with this model.", "include")
    param = "reasoning.effort" if name == "reasoning" else name
    said = f"Unsupported parameter: '{param}' is not supported with this model."
    return wrong(said, param, "unsupported_parameter")


def _check_settings(body: Body) -> None:
    if not body.fields.get("input"):
        raise wrong("Missing required parameter: 'input'.", "input", "missing_required_parameter")
    if "max_output_tokens" in body and body.number("max_output_tokens") < LEAST_TOKENS:
        said = (
            f"Invalid 'max_output_tokens': integer below minimum value. Expected a value >= {LEAST_TOKENS}."
        )
        raise wrong(said, "max_output_tokens", "integer_below_min_value")
    for one in body.items("include"):
        if one not in INCLUDES:
            raise wrong(f"Invalid value: '{one}'.", "include[0]", "invalid_value")
    effort = body.body("reasoning").fields.get("effort", "medium")
    if effort not in EFFORTS:
        raise wrong(f"Invalid value: '{effort}'.", "reasoning.effort", "invalid_value")
    if "previous_response_id" in body:
        said = f"Previous response with id '{body.text('previous_response_id')}' not found."
        raise wrong(said, "previous_response_id", "previous_response_not_found")
    for name in ("store", "stream", "parallel_tool_calls", "background"):
        if name in body and not isinstance(body.fields[name], bool):
            raise wrong(f"Invalid type for '{name}': expected a boolean.", name, "invalid_type")


# --- tools ------------------------------------------------------------------------------------------


def _check_tool(tool: Body, at: str) -> None:
    if tool.text("type") != "function":
        raise wrong(f"Invalid value: '{tool.text('type')}'.", f"{at}.type", "invalid_value")
    if not _FUNCTION_NAME.fullmatch(tool.text("name")):
        said = f"Invalid '{at}.name': string does not match pattern."
        raise wrong(said, f"{at}.name", "invalid_value")
    parameters = tool.body("parameters")
    if parameters.text("type") != "object":
        raise _bad_schema(tool, at, "schema must be a JSON Schema of 'type: \"object\"'")
    if not isinstance(parameters.fields.get("properties"), dict):
        raise _bad_schema(tool, at, "In context=(), object schema missing properties.")
    if unwelcome := parameters.fields.keys() & _NOT_ON_TOP:
        raise _bad_schema(tool, at, f"schema must not have {', '.join(sorted(unwelcome))} at the top level.")
    if tool.fields.get("strict", True) is not False:
        _check_strict(tool, parameters, at)


def _check_strict(tool: Body, schema: Body, at: str) -> None:
    if schema.text("type") == "object" or "properties" in schema:
        properties = schema.body("properties")
        if schema.fields.get("additionalProperties") is not False:
            said = "In context=(), 'additionalProperties' is required to be supplied and to be false."
            raise _bad_schema(tool, at, said)
        missing = [name for name in properties.fields if name not in schema.items("required")]
        if missing:
            said = (
                "In context=(), 'required' is required to be supplied and to be an array including every key"
            )
            raise _bad_schema(tool, at, f"{said} in properties. Missing '{missing[0]}'.")
        for name in properties.fields:
            _check_strict(tool, properties.body(name), at)
    if "items" in schema:
        _check_strict(tool, schema.body("items"), at)


def _bad_schema(tool: Body, at: str, why: str) -> Refused:
    said = f"Invalid schema for function '{tool.text('name')}': {why}"
    return wrong(said, f"{at}.parameters", "invalid_function_parameters")


# --- input ------------------------------------------------------------------------------------------


def _check_input(items: Sequence[object]) -> None:
    open_calls: list[str] = []
    known: set[str] = set()
    ids: list[str] = []
    for place, value in enumerate(items):
        item, at = Body.of(value), f"input[{place}]"
        kind = _checked_kind(item, at)
        if (name := item.text("id")) and name in ids:
            raise wrong(f"Duplicate item found with id {name}.", "input")
        if kind == "reasoning":
            _check_thought(item, items[place + 1 : place + 2])
        elif kind == "function_call_output":
            _settle(item, open_calls, known)
        elif kind == "function_call":
            open_calls.append(item.text("call_id"))
            known.add(item.text("call_id"))
        _check_company(item, ids)
        ids.append(name)
    if open_calls:
        raise wrong(f"No tool output found for function call {open_calls[0]}.", "input")


def _checked_kind(item: Body, at: str) -> str:
    kind = item.text("type") or ("message" if item.text("role") else "")
    if kind not in _ITEM_FIELDS:
        raise wrong(f"Invalid value: '{kind}'.", at, "invalid_value")
    for name, value in item.fields.items():
        if name not in _ITEM_FIELDS[kind]:
            raise wrong(f"Unknown parameter: '{at}.{name}'.", f"{at}.{name}", "unknown_parameter")
        if value is None:
            raise wrong(f"Invalid type for '{at}.{name}': got null.", f"{at}.{name}", "invalid_type")
    wanted = {
        "function_call": ("call_id", "name", "arguments"),
        "function_call_output": ("call_id", "output"),
    }
    for name in wanted.get(kind, ()):
        if not isinstance(item.fields.get(name), str):
            raise wrong(f"Missing required parameter: '{at}.{name}'.", f"{at}.{name}")
    if kind == "message":
        _check_message(item, at)
    return kind


def _check_message(item: Body, at: str) -> None:
    role = item.text("role")
    if role not in _PARTS:
        raise wrong(f"Invalid value: '{role}'.", f"{at}.role", "invalid_value")
    if isinstance(item.fields.get("content"), str):
        return
    if not item.items("content"):
        raise wrong(f"Missing required parameter: '{at}.content'.", f"{at}.content")
    for part in item.bodies("content"):
        if part.text("type") not in _PARTS[role]:
            allowed = " and ".join(f"'{one}'" for one in _PARTS[role])
            said = f"Invalid value: '{part.text('type')}'. Supported values are: {allowed}."
            raise wrong(said, f"{at}.content[0]", "invalid_value")


def _settle(item: Body, open_calls: list[str], known: Collection[str]) -> None:
    call = item.text("call_id")
    if call not in known:
        raise wrong(f"No tool call found for function call output with call_id {call}.", "input")
    if call not in open_calls:
        raise wrong(f"Duplicate function call output for call_id {call}.", "input")
    open_calls.remove(call)


def _check_thought(item: Body, following: Sequence[object]) -> None:
    name = item.text("id")
    if not isinstance(item.fields.get("summary"), list):
        raise wrong("Missing required parameter: 'input[0].summary'.", "input")
    if not item.text("encrypted_content"):
        said = f"Item with id '{name}' not found. Items are not persisted when `store` is set to false."
        raise Refused(404, None, said, "input")
    if item.text("encrypted_content") != encrypted(name):
        said = f"The encrypted content for item {name} could not be verified."
        raise wrong(said, None, "invalid_encrypted_content")
    if not any(_thought_of(Body.of(one)) == name for one in following):
        raise wrong(f"Item '{name}' of type 'reasoning' was provided without its required following item.")


def _check_company(item: Body, ids: Collection[str]) -> None:
    """What a thought led to must not come without it."""
    thought = _thought_of(item)
    if thought and thought not in ids:
        kind, name = item.text("type"), item.text("id")
        said = (
            f"Item '{name}' of type '{kind}' was provided without its required 'reasoning' item: '{thought}'."
        )
        raise wrong(said, "input")


def _thought_of(item: Body) -> str:
    """The name of the thought that led to an item, which its own name tells; empty if none did."""
    found = _NUMBER.match(item.text("id"))
    return f"rs_{found[1]}" if found else ""
