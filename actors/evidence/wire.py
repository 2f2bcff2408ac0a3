"""One receipt, one line of JSON, and a schema that has no room for a word that somebody said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from datetime import UTC, datetime
from functools import cache
from types import NoneType
from typing import Annotated, Final, Literal, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, create_model
from pydantic.alias_generators import to_camel

from actors.chronicle.kinds import kind_of
from actors.evidence.closed import CLOSED
from messages.evidence import HeardWords, HouseReceipt, Receipt
from messages.lifecycle import Scalar

PREFIX = "discord."
VOICE = "voice."
MAX_FIELDS = 24
MAX_STRING = 512
MAX_PLACE = 64
"""Characters of a field's name; whoever wrote the line may have called it anything."""
MAX_NUMBER = 2**53 - 1
"""Larger ones are no counts and no milliseconds, and not every reader of JSON tells them apart."""
STRICT = ConfigDict(
    strict=True, extra="forbid", str_max_length=MAX_STRING, allow_inf_nan=False, alias_generator=to_camel
)
MOMENT = r"^(19[7-9]|2\d\d)\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One receipt as it stands on record; `occurred_at` is aware, in UTC, with whole milliseconds.

    Of another program's receipt, `extra` are the facts that ours would not have, and `origin` may be empty.
    """

    id: str
    occurred_at: datetime
    origin: str
    receipt: Receipt
    extra: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """What is wrong with a line or a receipt, by field; it never quotes a value."""

    reason: str


class _Envelope(BaseModel):
    model_config = STRICT

    schema_version: Literal[1]
    id: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    occurred_at: Annotated[str, StringConstraints(pattern=MOMENT)]
    type: str
    data: Annotated[dict[str, str | int | float | bool], Field(max_length=MAX_FIELDS)]


class Facts(BaseModel):
    """Fields that every receipt has; those of its kind are added to a subclass of this."""

    model_config = STRICT

    type: str
    origin: str


def said_of(kind: str) -> str:
    """What its door plate says of it, in one line."""
    return " ".join((KINDS[kind].__doc__ or "").split())


KINDS: dict[str, type[Receipt]] = {kind_of(each): each for each in get_args(Receipt)}
"""Every kind that may be on record."""
_WRONG: Final[Mapping[str, str]] = {
    "json_invalid": "no JSON",
    "model_type": "no object of JSON",
    "dict_type": "no object of JSON",
    "string_pattern_mismatch": "not written as it should be",
    "string_too_short": "empty",
    "string_too_long": "too long",
    "too_long": "more than fits",
    "extra_forbidden": "nothing that belongs there",
    "literal_error": "none of the words that may stand there",
    "string_type": "no text",
    "int_type": "no whole number",
    "int_from_float": "no whole number",
    "float_type": "no number",
    "bool_type": "neither true nor false",
    "greater_than_equal": "too small",
    "less_than_equal": "too large",
    "finite_number": "no number",
}
"""What is wrong, by the name that pydantic has for it."""
_HOUSE = frozenset(kind_of(each) for each in get_args(HouseReceipt))


def type_of(kind: str) -> str:
    """floor_decision -> discord.voice.floor_decision, bridge_ready -> discord.bridge.ready."""
    return PREFIX + (kind.replace("_", ".", 1) if kind in _HOUSE else VOICE + kind)


def to_line(receipt: Receipt, *, entry_id: str, occurred_at: datetime, origin: str) -> str | Malformed:
    """One receipt as one line of JSON, without a line end; Malformed if it does not fit the schema."""
    kind = kind_of(type(receipt))
    known = {to_camel(name): value for name, value in _values(receipt) if value is not None}
    stay = {"stayId": known.pop("stayId")} if "stayId" in known else {}
    data = {"type": kind, "origin": origin, **known, **stay}
    try:
        model_of(kind).model_validate(data)
    except ValidationError as failure:
        return Malformed(reason=blame(failure))
    return _dump(
        {
            "schemaVersion": 1,
            "id": entry_id,
            "occurredAt": stamp(occurred_at),
            "type": type_of(kind),
            "data": data,
        }
    )


def parse_line(text: str) -> Entry | Malformed:
    """One line as it was written; Malformed says what is wrong with any other."""
    try:
        envelope = _Envelope.model_validate_json(text)
        kind = str(envelope.data.get("type"))
        if kind not in KINDS:
            return Malformed(reason="data.type: no such kind of receipt")
        if envelope.type != type_of(kind):
            return Malformed(reason="type: does not agree with data.type")
        facts = model_of(kind).model_validate(envelope.data)
        occurred_at = datetime.fromisoformat(envelope.occurred_at)
    except ValidationError as failure:
        return Malformed(reason=blame(failure))
    except ValueError:
        return Malformed(reason="occurredAt: no such moment")
    receipt = KINDS[kind](**facts.model_dump(exclude={"type", "origin"}))
    return Entry(id=envelope.id, occurred_at=occurred_at, origin=facts.origin, receipt=receipt)


def words_line(words: HeardWords, *, occurred_at: datetime) -> str:
    """One final of a person who consented, for the private transcript."""
    known = {to_camel(name): value for name, value in asdict(words).items()}
    return _dump({"schemaVersion": 1, "occurredAt": stamp(occurred_at), **known})


def stamp(moment: datetime) -> str:
    """2026-01-01T12:00:00.000Z"""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _values(receipt: Receipt) -> Iterator[tuple[str, Scalar]]:
    for each in fields(receipt):
        yield each.name, getattr(receipt, each.name)


@cache
def model_of(kind: str) -> type[Facts]:
    """The strict schema of one kind, from the fields of its dataclass."""
    receipt = KINDS[kind]
    hints = get_type_hints(receipt)
    shape: dict[str, tuple[object, object]] = {}
    for each in fields(receipt):
        # What may be None is left out then, also where the dataclass wants it said.
        absent = None if NoneType in get_args(hints[each.name]) else each.default
        hint, words = hints[each.name], CLOSED.get((kind, each.name))
        if int in (hint, *get_args(hint)):
            hint = Annotated[hint, Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]
        if words is not None:
            hint = Literal[(*words, None) if NoneType in get_args(hint) else words]
        shape[each.name] = (hint, ... if absent is MISSING else absent)
    model: type[Facts] = create_model(kind, __base__=Facts, **shape)  # type: ignore[call-overload]
    return model


def blame(failure: ValidationError) -> str:
    first = failure.errors(include_input=False, include_url=False, include_context=False)[0]
    # Beyond the field, pydantic names the members of a union that it tried.
    place = ".".join(str(step)[:MAX_PLACE] for step in first["loc"][:2]) or "line"
    return f"{place}: {_WRONG.get(first['type'], first['type'].replace('_', ' '))}"


def _dump(content: dict[str, object]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
