"""What every line may look like, as one JSON Schema for whoever reads or writes such a record elsewhere."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from types import NoneType
from typing import Final, TypeAlias, get_args, get_type_hints

from pydantic.alias_generators import to_camel

from actors.evidence.closed import CLOSED
from actors.evidence.settings import DISCORD, LOCAL, LOOPBACK
from actors.evidence.wire import KINDS, MAX_FIELDS, MAX_NUMBER, MAX_STRING, MOMENT, said_of, type_of

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_ABOUT: Final = (
    "One line of Clankie's record, content-free: what happened, in ids, counts, durations and bounded words. "
    "The kind stands in type and again in data.type."
)
_SORTS: Final[dict[object, str]] = {str: "string", int: "integer", float: "number", bool: "boolean"}
Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
_BOUNDS: Final[dict[str, dict[str, Json]]] = {
    "string": {"maxLength": MAX_STRING},
    "integer": {"minimum": -MAX_NUMBER, "maximum": MAX_NUMBER},
}


def schema() -> dict[str, Json]:
    """The whole of it; `oneOf` the kinds, each a definition of its own."""
    return {
        "$schema": DIALECT,
        "title": "Receipt",
        "description": _ABOUT,
        "type": "object",
        "required": ["type"],
        "discriminator": {
            "propertyName": "type",
            "mapping": {type_of(kind): f"#/$defs/{kind}" for kind in KINDS},
        },
        "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in KINDS],
        "$defs": {kind: _line(kind) for kind in KINDS},
    }


def schema_page() -> str:
    """The same as a file has it."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def _line(kind: str) -> dict[str, Json]:
    envelope: dict[str, Json] = {
        "schemaVersion": {"const": 1},
        "id": {"type": "string", "minLength": 1, "maxLength": 64},
        "occurredAt": {"type": "string", "pattern": MOMENT},
        "type": {"const": type_of(kind)},
        "data": _data(kind),
    }
    return {
        "type": "object",
        "description": said_of(kind),
        "properties": envelope,
        "required": list(envelope),
        "additionalProperties": False,
    }


def _data(kind: str) -> dict[str, Json]:
    common: dict[str, Json] = {"type": {"const": kind}, "origin": {"enum": [DISCORD, LOCAL, LOOPBACK]}}
    hints = get_type_hints(KINDS[kind])
    own: dict[str, Json] = {to_camel(name): _fact(kind, name, hint) for name, hint in hints.items()}
    # A fact with a default is written all the same, but older lines lack it.
    needed = [
        to_camel(each.name)
        for each in fields(KINDS[kind])
        if each.default is MISSING and NoneType not in get_args(hints[each.name])
    ]
    return {
        "type": "object",
        "properties": {**common, **own},
        "required": [*common, *needed],
        "maxProperties": MAX_FIELDS,
        "additionalProperties": False,
    }


def _fact(kind: str, name: str, hint: object) -> dict[str, Json]:
    """What may be None is left out of a line, and is never null there."""
    if (words := CLOSED.get((kind, name))) is not None:
        return {"enum": [*words]}
    members = [getattr(each, "__supertype__", each) for each in get_args(hint) or (hint,)]
    sort = next(_SORTS[each] for each in members if each is not NoneType)
    return {"type": sort, **_BOUNDS.get(sort, {})}
