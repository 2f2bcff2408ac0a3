"""A model's calls come in as JSON: each becomes one request of ours, or a sentence about its mistake."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from actors.net.plain import plain, plain_json
from messages.captain import MachineTool
from messages.tools import (
    LONGEST_EMOJI,
    LONGEST_NOTE,
    LONGEST_THREAD_NAME,
    LONGEST_UPDATE,
    ComeToVoice,
    CreateThread,
    JoinThread,
    LeaveVoice,
    Mistaken,
    NoteAbout,
    ObserveRoom,
    React,
    Recall,
    Remember,
    SendUpdate,
    StartWatching,
    StopWatching,
    ToolRequest,
    Unreact,
    UseMachine,
)

MOST_ARGUMENTS: Final = 64 << 10
"""Bytes of the arguments of one call."""
LONGEST_DESCRIPTION: Final = 1_000
LARGEST_SCHEMA: Final = 32 << 10
"""A tool whose arguments take more to describe is offered without their description."""
NO_SCHEMA: Final[Mapping[str, object]] = {"type": "object", "properties": {}}
LONGEST_NAME: Final = 64
_NAME: Final = re.compile(rf"[a-zA-Z0-9_-]{{1,{LONGEST_NAME}}}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A tool as a model is offered it; `parameters` is a JSON schema, of which `strict` ones are held to."""

    name: str
    description: str = field(repr=False)
    parameters: Mapping[str, object] = field(repr=False)
    strict: bool


def _said(text: str) -> str:
    """Words on one line, of which there are some; raises ValueError where there are none."""
    line = " ".join(text.split())
    if not line:
        raise ValueError("there is nothing in it")
    return line


def _something(text: str) -> str:
    """Words on any number of lines; raises ValueError where there are none."""
    _said(text)
    return text.strip()


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class _Nothing(_Arguments):
    pass


class _Emoji(_Arguments):
    emoji: Annotated[str, Field(max_length=LONGEST_EMOJI), AfterValidator(_said)] = Field(
        description="One emoji, or the name of one of this server's own, such as :wave:."
    )


class _Thread(_Arguments):
    name: Annotated[str, Field(max_length=LONGEST_THREAD_NAME), AfterValidator(_said)] = Field(
        description=f"What the thread is to be called, at most {LONGEST_THREAD_NAME} characters."
    )


class _Update(_Arguments):
    text: Annotated[str, Field(max_length=LONGEST_UPDATE), AfterValidator(_something)] = Field(
        description=f"What to write, at most {LONGEST_UPDATE} characters."
    )


class _Note(_Arguments):
    note: Annotated[str, Field(max_length=LONGEST_NOTE), AfterValidator(_said)] = Field(
        description=f"One sentence that can be understood later, at most {LONGEST_NOTE} characters."
    )
    about: NoteAbout = Field(description="Whether it is about whoever asks, or about this room.")


_Shape = type[_Arguments]
_HOUSE: Final[Mapping[str, tuple[_Shape, str]]] = {
    "voice_join": (_Nothing, "Come to the voice channel that whoever asks is in now."),
    "voice_leave": (_Nothing, "Leave the voice channel."),
    "react": (_Emoji, "Put an emoji on the message that asked."),
    "unreact": (_Emoji, "Take your emoji off the message that asked."),
    "create_thread": (_Thread, "Begin a thread on the message that asked."),
    "join_thread": (_Nothing, "Become a member of the thread that the message that asked stands in."),
    "send_text_update": (_Update, "Write something short meanwhile, when the work takes a while."),
    "watch_start": (_Nothing, "Open the play surface in the voice channel of whoever asks."),
    "watch_stop": (_Nothing, "Close the play surface."),
    "observe_room": (_Nothing, "See who is here, whom you hear, whose turn it is and what happened last."),
    "remember": (_Note, "Keep a note for later."),
    "recall": (_Nothing, "Read your notes about whoever asks, and about this room."),
}


def functions(house: Sequence[str], machines: Sequence[MachineTool]) -> tuple[Function, ...]:
    """What a model is offered: those of the house's tools by name, then those of others' servers."""
    own = [
        Function(name=name, description=_HOUSE[name][1], parameters=_strict(_HOUSE[name][0]), strict=True)
        for name in house
        if name in _HOUSE
    ]
    return (*own, *(_machine(tool) for tool in machines if _NAME.fullmatch(tool.name)))


def parse(name: str, arguments: str, machines: Sequence[MachineTool]) -> ToolRequest:
    """What a call of that name asks for; never raises, whatever a model wrote."""
    if len(arguments.encode(errors="replace")) > MOST_ARGUMENTS:
        return _mistaken(name, f"The arguments are longer than {MOST_ARGUMENTS} bytes.")
    written = plain_json(arguments).strip() or "{}"
    if any(tool.name == name for tool in machines):
        if _object(written) is None:
            return _mistaken(name, "The arguments are not one JSON object.")
        return UseMachine(tool=name, arguments=written)
    if name not in _HOUSE:
        return _mistaken(name, "There is no such tool; use those that you are offered.")
    shape = _HOUSE[name][0]
    try:
        return _request(name, shape.model_validate_json(written))
    except ValidationError as error:
        return _mistaken(name, _problem(shape, error))


def _request(name: str, arguments: _Arguments) -> ToolRequest:
    match arguments:
        case _Emoji():
            return (React if name == "react" else Unreact)(emoji=arguments.emoji)
        case _Thread():
            return CreateThread(name=arguments.name)
        case _Update():
            return SendUpdate(text=arguments.text)
        case _Note():
            return Remember(note=arguments.note, about=arguments.about)
        case _:
            return _BARE[name]


_BARE: Final[Mapping[str, ToolRequest]] = {
    "voice_join": ComeToVoice(),
    "voice_leave": LeaveVoice(),
    "join_thread": JoinThread(),
    "watch_start": StartWatching(),
    "watch_stop": StopWatching(),
    "observe_room": ObserveRoom(),
    "recall": Recall(),
}


def _problem(shape: _Shape, error: ValidationError) -> str:
    """Which field is wrong and what it takes; nothing of what was written is in it."""
    fields = shape.model_fields
    if not fields:
        return "It takes no arguments: call it with {}."
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    named = str(first["loc"][0]) if first["loc"] else ""
    wanted = "; ".join(f"{name}: {one.description}" for name, one in fields.items())
    about = f"Something is wrong with {named}" if named in fields else "The arguments are not what it takes"
    return f"{about}. It takes a JSON object with just this: {wanted}"


def _mistaken(name: str, problem: str) -> Mistaken:
    return Mistaken(tool=name if _NAME.fullmatch(name) else "unknown", problem=problem)


# --- schemas ---------------------------------------------------------------------------------------


def _strict(shape: _Shape) -> Mapping[str, object]:
    """As strict functions must be described: every field required, and no other allowed."""
    properties = {
        name: _property(one.annotation, one.description) for name, one in shape.model_fields.items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _property(kind: object, description: str | None) -> Mapping[str, object]:
    shape: Mapping[str, object] = {"type": "string", "description": description or ""}
    return {**shape, "enum": [one.value for one in NoteAbout]} if kind is NoteAbout else shape


def _machine(tool: MachineTool) -> Function:
    shown = "".join(sign if sign.isprintable() else " " for sign in plain(tool.description))
    said = " ".join(shown.split())[:LONGEST_DESCRIPTION]
    schema = _object(plain_json(tool.schema)) if len(tool.schema) <= LARGEST_SCHEMA else None
    if schema is None or schema.get("type") != "object":
        schema = NO_SCHEMA
    return Function(
        name=tool.name,
        description=f"A tool of the server {tool.server}, which says of it: {said}",
        parameters={**NO_SCHEMA, **schema},
        strict=False,
    )


def _object(written: str) -> Mapping[str, object] | None:
    """A JSON object, or None for anything else."""
    try:
        value: object = json.loads(written, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return {str(key): one for key, one in value.items()} if isinstance(value, dict) else None


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
