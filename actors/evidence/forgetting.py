"""How a line looks once a person has been taken out of it; whatever else it says stays as it was."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cache

from pydantic.alias_generators import to_camel

from actors.evidence.recent import NAMING
from actors.evidence.wire import KINDS
from messages.lifecycle import Scalar

_NAMING = frozenset(to_camel(name) for name in NAMING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """Whom to take out, and the pseudonym that stands in receipts from now on."""

    person: str
    pseudonym: str

    def is_in(self, line: bytes) -> bool:
        """Whether this line may name him at all; in doubt it may."""
        return any(spelling in line for spelling in _spellings(self.person))

    def out_of_receipt(self, line: bytes) -> bytes:
        """The same receipt under the pseudonym. A line that is none loses the name all the same."""
        try:
            content = json.loads(line)
        except (ValueError, RecursionError):
            return self._out_of_torn(line)
        if not isinstance(content, dict) or not isinstance(data := content.get("data"), dict):
            return self._out_of_torn(line)
        facts = {name: self._fact(str(data.get("type")), name, value) for name, value in data.items()}
        if facts == data:
            return line
        end = b"\n" if line.endswith(b"\n") else b""
        text = json.dumps({**content, "data": facts}, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace") + end

    def is_whose_words(self, line: bytes) -> bool:
        """Whether a line of a transcript is his; one that cannot be read and may be, is."""
        try:
            content = json.loads(line)
        except (ValueError, RecursionError):
            return True
        return not isinstance(content, dict) or content.get("personId") == self.person

    def _fact(self, kind: str, name: str, value: Scalar) -> Scalar:
        # Other facts of ours may look like a name and are none: a stay, a line, a word of a closed set.
        means_him = name in _NAMING or name not in _facts_of(kind)
        return self.pseudonym if means_him and value == self.person else value

    def _out_of_torn(self, line: bytes) -> bytes:
        for spelling in _spellings(self.person):
            line = line.replace(spelling, self.pseudonym.encode())
        return line


def _spellings(person: str) -> frozenset[bytes]:
    """As JSON may write it, ASCII only or not."""
    return frozenset(json.dumps(person, ensure_ascii=only)[1:-1].encode() for only in (True, False))


@cache
def _facts_of(kind: str) -> frozenset[str]:
    known = fields(KINDS[kind]) if kind in KINDS else ()
    return frozenset({"type", "origin", "stayId", *(to_camel(each.name) for each in known)})
