"""The items of one conversation in their order, each there once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.loopback.discord.body import Body, Json
from tests.loopback.openai.refusals import Refused, wrong

LONGEST_ID: Final = 32
_CONTENT: Final = {"system": ("input_text",), "user": ("input_text",), "assistant": ("output_text",)}
_TYPES: Final = ("message", "function_call", "function_call_output")


@dataclass(frozen=True, slots=True)
class Seen:
    """One item, to assert on: `role` is also "call" or "output", `text` the arguments or the output then."""

    id: str
    role: str
    text: str


def seen(item: Json) -> Seen:
    """An item as a test sees it."""
    body = Body(item)
    match body.text("type"):
        case "function_call":
            return Seen(body.text("id"), "call", f"{body.text('name')} {body.text('arguments')}")
        case "function_call_output":
            return Seen(body.text("id"), "output", body.text("output"))
        case _:
            parts = (part.text("text") or part.text("transcript") for part in body.bodies("content"))
            return Seen(body.text("id"), body.text("role"), "".join(parts))


def created(item: Body, new_id: str) -> Json:
    """The item of a `conversation.item.create`; raises Refused for one that OpenAI would not take."""
    kind = item.text("type")
    if kind not in _TYPES:
        raise _invalid("item.type")
    for name in ("id", "call_id"):
        if len(item.text(name)) > LONGEST_ID:
            said = (
                f"Invalid 'item.{name}': string too long. Expected a string with maximum length {LONGEST_ID}."
            )
            raise wrong(said, f"item.{name}", "string_above_max_length")
    known = {"message": {"role", "content"}, "function_call": {"call_id", "name", "arguments"}}
    fields = known.get(kind, {"call_id", "output"})
    for name in item.fields:
        if name not in {*fields, "id", "type", "object", "status"}:
            raise wrong(f"Unknown parameter: 'item.{name}'.", f"item.{name}", "unknown_parameter")
    if kind == "message":
        _check_message(item)
    else:
        _check_texts(item, fields)
    return {"object": "realtime.item", "status": "completed", **item.fields, "id": item.text("id") or new_id}


def _check_message(item: Body) -> None:
    role = item.text("role")
    if role not in _CONTENT:
        raise _invalid("item.role")
    if not item.bodies("content"):
        raise wrong(
            "Missing required parameter: 'item.content'.", "item.content", "missing_required_parameter"
        )
    for place, part in enumerate(item.bodies("content")):
        if part.text("type") not in _CONTENT[role]:
            raise _invalid(f"item.content[{place}].type")
        if not isinstance(part.fields.get("text"), str) or len(part.fields) != 2:
            raise _invalid(f"item.content[{place}].text")


def _check_texts(item: Body, fields: set[str]) -> None:
    for name in sorted(fields):
        if name not in item:
            raise wrong(
                f"Missing required parameter: 'item.{name}'.", f"item.{name}", "missing_required_parameter"
            )
        if not isinstance(item.fields[name], str):
            raise wrong(f"Invalid type for 'item.{name}': expected a string.", f"item.{name}", "invalid_type")


def _invalid(at: str) -> Refused:
    return wrong(f"Invalid value for '{at}'.", at, "invalid_value")


class Items:
    """What a conversation consists of; every method raises Refused for what is against the rules."""

    def __init__(self) -> None:
        self.ever: set[str] = set()
        """The ids of all that were ever in it."""
        self.answered: set[str] = set()
        """The calls that have an output."""
        self._items: list[Json] = []

    @property
    def all(self) -> tuple[Json, ...]:
        """Every item, in order."""
        return tuple(self._items)

    def add(self, item: Json, previous: str | None) -> str | None:
        """Put it behind `previous` ("root" is the very beginning, None the end); return what it is behind."""
        name = str(item["id"])
        if name in {one["id"] for one in self._items}:
            raise wrong(
                f"Error adding item: an item with id '{name}' already exists.",
                "item.id",
                "item_create_duplicate_item_id",
            )
        place = self._place(previous)
        if item["type"] == "function_call_output":
            self._answer(str(item["call_id"]))
        self._items.insert(place, item)
        self.ever.add(name)
        return str(self._items[place - 1]["id"]) if place else None

    def get(self, name: str, verb: str) -> Json:
        """The item of this id, for something that is called `verb`."""
        for item in self._items:
            if item["id"] == name:
                return item
        said = f"Error {verb}: the item with id '{name}' does not exist."
        raise wrong(said, "item_id", f"item_{verb}_invalid_item_id")

    def delete(self, name: str) -> None:
        """Take it out."""
        self._items.remove(self.get(name, "delete"))

    def _place(self, previous: str | None) -> int:
        if previous == "root":
            return 0
        if previous is None:
            return len(self._items)
        for place, item in enumerate(self._items):
            if item["id"] == previous:
                return place + 1
        raise wrong(
            f"Error adding item: the previous item with id '{previous}' does not exist.",
            "previous_item_id",
            "item_create_invalid_previous_item_id",
        )

    def _answer(self, call: str) -> None:
        if not any(item.get("call_id") == call and item["type"] == "function_call" for item in self._items):
            raise wrong(
                f"Error adding item: no tool call found for call_id '{call}'.",
                "item.call_id",
                "item_create_invalid_call_id",
            )
        if call in self.answered:
            raise wrong(
                f"Error adding item: the call '{call}' has its output already.",
                "item.call_id",
                "item_create_duplicate_call_id",
            )
        self.answered.add(call)
