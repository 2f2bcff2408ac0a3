"""What is told on must be such that whoever is told can write it down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Final

from tests.reliability.fuzz.target import Broken

LONGEST_CODE: Final = 64


def writable(*told: object) -> None:
    """Raises Broken where there is half a letter in it, at whatever depth, or a reason that is prose."""
    waiting: list[object] = list(told)
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            _text(one)
        elif is_dataclass(one):
            waiting += (getattr(one, field.name) for field in fields(one))
            reason = getattr(one, "reason", "")
            if isinstance(reason, str) and (len(reason) > LONGEST_CODE or not reason.isprintable()):
                raise Broken(f"the reason of a {type(one).__name__} is no code")
        elif isinstance(one, Mapping):
            waiting += (*one, *one.values())
        elif isinstance(one, Iterable) and not isinstance(one, bytes | bytearray):
            waiting += one


def _text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Broken("half a letter was told on") from None
