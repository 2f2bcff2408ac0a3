"""What another program put on record in the same envelope: shown as it stands, not refused for being new."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints, ValidationError
from pydantic.alias_generators import to_camel

from actors.evidence.wire import (
    KINDS,
    MAX_FIELDS,
    MOMENT,
    STRICT,
    Entry,
    Malformed,
    blame,
    model_of,
    type_of,
)
from messages.lifecycle import Scalar

_COMMON = frozenset({"type", "origin"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A receipt that is none of ours; `data` is what it says beside its kind and origin, as it stands there.

    `misfit` says which of its facts are not what we mean by that kind; empty where we have no such kind.
    """

    id: str
    occurred_at: datetime
    origin: str
    type: str
    data: Mapping[str, Scalar]
    misfit: str = ""


class _Envelope(BaseModel):
    model_config = STRICT

    schema_version: Literal[1]
    id: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    occurred_at: Annotated[str, StringConstraints(pattern=MOMENT)]
    type: Annotated[str, StringConstraints(min_length=1)]
    data: Annotated[dict[str, str | int | float | bool | None], Field(max_length=MAX_FIELDS)]


def shown(text: str) -> str:
    """What stands in somebody's record, without what a terminal would obey."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def parse_any(text: str | bytes) -> Entry | Foreign | Malformed:
    """One line of whoever keeps receipts in this envelope: ours, ours with more to it, or a foreign one."""
    try:
        envelope = _Envelope.model_validate_json(text)
        occurred_at = datetime.fromisoformat(envelope.occurred_at)
    except ValidationError as failure:
        return Malformed(reason=blame(failure))
    except ValueError:
        return Malformed(reason="occurredAt: no such moment")
    kind = envelope.data.get("type")
    if not isinstance(kind, str) or kind not in KINDS:
        return _foreign(envelope, occurred_at)
    if envelope.type != type_of(kind):
        return _foreign(envelope, occurred_at, misfit="type: does not agree with data.type")
    return _ours(kind, envelope, occurred_at)


def _ours(kind: str, envelope: _Envelope, occurred_at: datetime) -> Entry | Foreign:
    names = _names(kind)
    known = {name: value for name, value in envelope.data.items() if name in names and value is not None}
    known.setdefault("origin", "")
    try:
        facts = dict(model_of(kind).model_validate(known))
    except ValidationError as failure:
        return _foreign(envelope, occurred_at, misfit=blame(failure))
    del facts["type"]
    origin = facts.pop("origin")
    extra = {name: value for name, value in envelope.data.items() if name not in names}
    return Entry(
        id=envelope.id, occurred_at=occurred_at, origin=origin, receipt=KINDS[kind](**facts), extra=extra
    )


def _foreign(envelope: _Envelope, occurred_at: datetime, misfit: str = "") -> Foreign:
    origin = envelope.data.get("origin")
    return Foreign(
        id=envelope.id,
        occurred_at=occurred_at,
        origin=origin if isinstance(origin, str) else "",
        type=envelope.type,
        data={name: value for name, value in envelope.data.items() if name not in _COMMON},
        misfit=misfit,
    )


@cache
def _names(kind: str) -> frozenset[str]:
    return frozenset({*_COMMON, *(to_camel(each.name) for each in fields(KINDS[kind]))})
