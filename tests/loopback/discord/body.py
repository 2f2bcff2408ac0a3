"""What a client sent, read field by field; whatever has the wrong shape is as good as absent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

Json: TypeAlias = dict[str, object]


def encode(value: object) -> bytes:
    """As compact as Discord writes it."""
    return json.dumps(value, separators=(",", ":")).encode()


def decode(text: str | bytes) -> Body:
    """An object, or an empty one if the text is something else."""
    try:
        value: object = json.loads(text) if text else None
    except ValueError:
        value = None
    return Body.of(value)


class Body:
    """A JSON object of which nothing is known yet."""

    def __init__(self, fields: Mapping[str, object]) -> None:
        self.fields = fields

    @classmethod
    def of(cls, value: object) -> Body:
        """Read any value as an object."""
        return cls({str(key): item for key, item in value.items()} if isinstance(value, dict) else {})

    def __contains__(self, name: str) -> bool:
        return name in self.fields

    def text(self, name: str) -> str:
        """A string, or the empty one."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> int:
        """A whole number, also one that is written as a string as ids are; 0 if it is none."""
        value = self.fields.get(name)
        if isinstance(value, str) and value.isdecimal():
            return int(value)
        return value if isinstance(value, int) else 0

    def flag(self, name: str) -> bool:
        """Whether the field is true."""
        return self.fields.get(name) is True

    def body(self, name: str) -> Body:
        """An object inside this one."""
        return Body.of(self.fields.get(name))

    def items(self, name: str) -> list[object]:
        """A list inside this object."""
        value = self.fields.get(name)
        return list(value) if isinstance(value, list) else []

    def bodies(self, name: str) -> list[Body]:
        """A list of objects inside this one."""
        return [Body.of(item) for item in self.items(name)]
