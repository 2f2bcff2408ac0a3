"""A stream of a response as it comes in: what is at work, what it came to, and never a provider's prose."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from actors.captain.live.wording import answer
from actors.net.plain import plain, plain_json
from actors.net.reasons import UNNAMED, of_code
from actors.net.usage import Tokens, tokens_of

_ENDS: Final = frozenset(f"response.{end}" for end in ("completed", "incomplete", "failed", "cancelled"))
MOST_CALLS: Final = 16
"""In one step."""
MOST_EVENTS: Final = 100_000
MOST_ITEM_BYTES: Final = 1 << 20
"""All that one step leaves behind, as JSON."""
TOO_LONG: Final = "answer_too_long"
TOO_MANY_CALLS: Final = "too_many_calls"


class NoAnswer(Exception):
    """The step came to nothing; `reason` is a bounded code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A function that a model calls, in its own words; `item` says where in the step it stands."""

    call: str
    name: str
    arguments: str = field(repr=False)
    item: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped:
    """A whole step: what the server must be shown again, as JSON texts, and what it means."""

    items: tuple[str, ...] = field(repr=False)
    text: str = field(repr=False)
    calls: tuple[Called, ...] = ()


_Plain: TypeAlias = Annotated[str, AfterValidator(plain)]
_Json: TypeAlias = dict[str, object]


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)


class _Error(_Lenient):
    code: object = None
    type: object = None


class _Details(_Lenient):
    reason: object = None


class _Response(_Lenient):
    status: str | None = None
    output: list[_Json] | None = None
    error: _Error | None = None
    incomplete_details: _Details | None = None


class _Event(_Lenient):
    type: str = ""
    code: object = None
    output_index: int | None = None
    item: _Json | None = None
    response: _Response | None = None


class _Part(_Lenient):
    type: str = ""
    text: _Plain | None = None
    refusal: _Plain | None = None


class _Item(_Lenient):
    type: str = ""
    call_id: _Plain | None = None
    name: _Plain | None = None
    arguments: _Plain | _Json | None = None
    content: list[_Part] | _Plain | None = None
    phase: str | None = None
    encrypted_content: str | None = None


def used(event: object) -> Tokens | None:
    """What the whole step has used, if this is the event that ends it and says so."""
    match event:
        case {"type": str(kind), "response": {"usage": usage}} if kind in _ENDS:
            return tokens_of(usage)
        case _:
            return None


class Reading:
    """One stream from its first event to the one that ends it."""

    def __init__(self) -> None:
        self.began = False
        """Whether anything came that is an event."""
        self._count = 0
        self._done: dict[int, _Json] = {}

    def take(self, event: object) -> Stepped | None:
        """What the step came to, once it is whole; raises NoAnswer if it failed, ValueError for nonsense."""
        self._count += 1
        if self._count > MOST_EVENTS:
            raise NoAnswer(TOO_LONG)
        read = _Event.model_validate(event)
        self.began = self.began or bool(read.type)
        match read.type:
            case "response.output_item.done" if read.item is not None:
                self._done[self._count if read.output_index is None else read.output_index] = read.item
            case "error":
                raise NoAnswer(_code(read.code))
            case kind if kind in _ENDS:
                return self._ended(kind, read.response or _Response())
            case _:
                pass
        return None

    def _ended(self, kind: str, response: _Response) -> Stepped:
        status = response.status if kind == "response.completed" else kind.removeprefix("response.")
        if status == "failed" or response.error is not None:
            error = response.error or _Error()
            raise NoAnswer(_code(error.code, error.type))
        if status == "incomplete":
            details = response.incomplete_details or _Details()
            raise NoAnswer(_code(details.reason, "incomplete"))
        if status == "cancelled":
            raise NoAnswer("cancelled")
        return _stepped(self._whole(response.output or ()))

    def _whole(self, output: Sequence[_Json]) -> list[_Json]:
        """All items of the step: some servers list none at the end, and thoughts are whole when done."""
        done = [self._done[place] for place in sorted(self._done)]
        whole = {_id(item): item for item in done if item.get("type") == "reasoning" and _id(item)}
        return [whole.get(_id(item), item) for item in output] or done


def _id(item: _Json) -> str:
    name = item.get("id")
    return name if isinstance(name, str) else ""


def _code(*codes: object) -> str:
    named = next((code for code in codes if isinstance(code, str) and code), None)
    return of_code(named) if named else UNNAMED


def _stepped(output: Sequence[_Json]) -> Stepped:
    """Raises NoAnswer for more than anybody could mean, ValueError for items that are none."""
    items: list[str] = []
    kinds: list[str] = []
    texts: list[tuple[str | None, str]] = []
    calls: list[Called] = []
    for one in output:
        item = _Item.model_validate(one)
        if item.type == "reasoning" and not (item.encrypted_content or item.content):
            continue  # the name of a thought that nobody has kept
        if item.type == "function_call":
            calls.append(_called(item, len(items)))
        elif item.type == "message":
            texts.append((item.phase, _text(item)))
        items.append(
            _kept(one if item.type != "function_call" else {**one, "arguments": calls[-1].arguments})
        )
        kinds.append(item.type)
    while items and kinds[len(items) - 1] == "reasoning":
        items.pop()  # a thought that led to nothing is not taken back
    if len(calls) > MOST_CALLS:
        raise NoAnswer(TOO_MANY_CALLS)
    if sum(map(len, items)) > MOST_ITEM_BYTES:
        raise NoAnswer(TOO_LONG)
    last = [text for phase, text in texts if phase != "commentary"] or [text for _, text in texts]
    return Stepped(items=tuple(items), text=answer("\n".join(filter(None, last))), calls=tuple(calls))


def _called(item: _Item, place: int) -> Called:
    written = json.dumps(item.arguments) if isinstance(item.arguments, dict) else item.arguments or "{}"
    return Called(call=item.call_id or "", name=item.name or "", arguments=written, item=place)


def _text(item: _Item) -> str:
    if isinstance(item.content, str):
        return item.content
    return "".join(part.text or part.refusal or "" for part in item.content or ())


def _kept(item: _Json) -> str:
    """As it came, but for what is null, which no server takes back everywhere."""
    return plain_json(json.dumps({name: value for name, value in item.items() if value is not None}))


class _Refusal(_Lenient):
    code: object = None
    param: object = None
    message: object = None
    error: _Refusal | None = None


def refused(body: object) -> tuple[str, str]:
    """The code of a refusal in JSON, and what it is about, in which only words of ours are looked for."""
    try:
        read = _Refusal.model_validate(body)
    except ValidationError:
        return "", ""
    read = read.error or read
    code, param, message = (
        one if isinstance(one, str) else "" for one in (read.code, read.param, read.message)
    )
    return code, (param or message).lower()
