"""Fields that hold one of a few codes: which ones, taken from where the codes are defined."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final

from actors.floor.addressing import HeardAs
from actors.floor.engagement import Verdict
from messages.floor import Outcome, Trigger
from messages.stay import LeftReason
from supervisors.rehearsal.kinds import KINDS

_LISTED: Final = re.compile(r"(\w+)`?(?::| is)\s+(\w+(?:\s*\|\s*\w+)+)")
"""`phase: lost | restored` in the sentence that describes a receipt."""
_ASIDE: Final = re.compile(r"\s*\([^)]*\)")
_ENUMS: Final[Mapping[tuple[str, str], type[StrEnum]]] = {
    ("floor_decision", "heard_as"): HeardAs,
    ("floor_decision", "decision"): Verdict,
    ("model_response", "trigger"): Trigger,
    ("model_response", "outcome"): Outcome,
    ("response", "trigger"): Trigger,
    ("left", "reason"): LeftReason,
}


@cache
def values_of(kind: str, field: str) -> tuple[str, ...]:
    """The codes that this field of a known kind of receipt can hold; none where it may hold anything."""
    if (codes := _ENUMS.get((kind, field))) is not None:
        return tuple(code.value for code in codes)
    listed = dict(_LISTED.findall(_ASIDE.sub("", inspect.getdoc(KINDS[kind]) or "")))
    return tuple(code.strip() for code in listed[field].split("|")) if field in listed else ()
