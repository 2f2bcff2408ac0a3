"""A complaint without a line number is a riddle: this finds the line on which each key of a file stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TABLE = re.compile(r"\s*\[(\[)?\s*([\w.\-]+)\s*\]")
_KEY = re.compile(r"\s*[\"']?([\w\-]+)[\"']?\s*(?:\.\s*[\w\-]+\s*)*=")
_QUOTES = ('"""', "'''")


@dataclass(slots=True)
class Lines:
    """Line numbers from 1: of a table (`("do", 2)` is the third `[[do]]`) and of a key in it."""

    tables: dict[tuple[str, int], int] = field(default_factory=dict)
    keys: dict[tuple[str, int, str], int] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Lines:
        """Read the outline of a TOML text, correct or not; keys before any table are of `("", 0)`."""
        found, table, many = cls(tables={("", 0): 1}), ("", 0), dict[str, int]()
        inside: str | None = None
        for number, line in enumerate(text.splitlines(), 1):
            if inside is None:
                if header := _TABLE.match(line):
                    table = (header[2], many.get(header[2], 0) if header[1] else 0)
                    many[header[2]] = table[1] + 1
                    found.tables.setdefault(table, number)
                elif key := _KEY.match(line):
                    found.keys.setdefault((table[0], table[1], str(key[1])), number)
            inside = _still_inside(line, inside)
        return found

    def at(self, table: str, index: int = 0, key: str | None = None) -> int:
        """The line of a key, or of the table it is, or of the one it belongs to (or its parts), or line 1."""
        if key is not None and (table, index, key) in self.keys:
            return self.keys[table, index, key]
        inner = (f"{table}.{key}" if table else str(key), index)
        if inner in self.tables:
            return self.tables[inner]
        return self.tables.get((table, index)) or min(self._inside(table), default=1)

    def has(self, table: str) -> bool:
        """Whether this table, or one inside it, has a header of its own."""
        return (table, 0) in self.tables or bool(self._inside(table))

    def _inside(self, table: str) -> list[int]:
        return [line for (name, _), line in self.tables.items() if name.startswith(f"{table}.")]


def _still_inside(line: str, inside: str | None) -> str | None:
    """The kind of long quotation that is open after this line."""
    for quote in _QUOTES if inside is None else (inside,):
        if line.count(quote) % 2:
            return quote if inside is None else None
    return inside
