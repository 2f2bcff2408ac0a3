"""Every kind of receipt by the name that a scenario calls it, and whether one fits a description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Final, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict

from messages import evidence

Plain: TypeAlias = str | int | float | bool
"""What a receipt's field holds, and what a scenario may compare it with."""
Inner: TypeAlias = Plain | tuple[Plain, ...] | Mapping[str, Plain]
Setting: TypeAlias = Plain | tuple[Plain, ...] | Mapping[str, Mapping[str, Inner]]
"""A setting: a value, a list, or (as in `[settings.captain.mcp.NAME]`) tables of such things."""


class Entry(BaseModel):
    """One table of a scenario, as it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def snake(name: str) -> str:
    """`decisionToSilenceMs`, `FloorDecision` and `floor_decision` alike, in the last of these manners."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


KINDS: Final[Mapping[str, type[evidence.Receipt]]] = {
    snake(kind.__name__): kind for kind in get_args(evidence.Receipt)
}
PEOPLE_FIELDS: Final = frozenset({"person_id", "asker_id", "holder_id"})
"""The fields in which a scenario may write a person's name instead of his id."""


def fields_of(kind: str) -> tuple[str, ...]:
    """The fields of a known kind of receipt, in snake case."""
    return tuple(field.name for field in fields(KINDS[kind]))


def kind_of(receipt: evidence.Receipt) -> str:
    """The name by which a scenario calls this receipt's kind."""
    return snake(type(receipt).__name__)


def value_of(receipt: evidence.Receipt, field: str) -> Plain | None:
    """One field of a receipt (snake or camel case); None where it is left out or unknown."""
    value: Plain | None = getattr(receipt, snake(field), None)
    return value


def fits(receipt: evidence.Receipt, kind: str, where: Mapping[str, Plain]) -> bool:
    """Whether the receipt is of this kind and holds these very values (numbers compare as numbers)."""
    return kind_of(receipt) == kind and all(value_of(receipt, key) == value for key, value in where.items())
