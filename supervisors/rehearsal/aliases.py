"""A program knows people by ids of its own: here each side's word for somebody becomes the other's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import get_args, get_type_hints

from messages.evidence import Receipt
from messages.ids import PersonId
from messages.lifecycle import TreeNode


class Aliases:
    """`names`: the scenario's id of a person by the program's; it may grow while somebody looks at it."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def person(self, theirs: str) -> PersonId:
        """The scenario's id of this person; a stranger keeps his own."""
        return PersonId(self._names.get(theirs, theirs))

    def receipt(self, theirs: Receipt) -> Receipt:
        """The same receipt about the scenario's people; no other field can be taken for a person."""
        fields = asdict(theirs)
        for name in _people_in(theirs):
            if fields[name] is not None:
                fields[name] = self.person(fields[name])
        return type(theirs)(**fields)

    def tree(self, node: TreeNode) -> TreeNode:
        """The same tree, with everybody's ear under the scenario's id."""
        path = "/".join(self.person(part) for part in node.path.split("/"))
        return replace(node, path=path, children=tuple(self.tree(child) for child in node.children))

    def theirs(self, path: str) -> str:
        """A path of the scenario's as the program knows it."""
        ours = {name: theirs for theirs, name in self._names.items()}
        return "/".join(ours.get(part, part) for part in path.split("/"))


def _people_in(receipt: Receipt) -> Iterator[str]:
    for name, hint in get_type_hints(type(receipt)).items():
        if PersonId in (hint, *get_args(hint)):
            yield name
