"""Every target by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final

from tests.reliability.fuzz.target import Target

FOLDERS: Final = ("packets", "calls", "account", "minds", "streams", "tools", "papers", "doors", "words")


def target(name: str) -> Target:
    """The one of that name, with no more libraries than it takes to find it."""
    return next(one for folder in FOLDERS for one in _in(folder) if one.name == name)


def targets() -> Mapping[str, Target]:
    """All of them, in the order of their kinds."""
    return {one.name: one for folder in FOLDERS for one in _in(folder)}


def _in(folder: str) -> Sequence[Target]:
    found: Sequence[Target] = import_module(f"tests.reliability.fuzz.targets.{folder}").TARGETS
    return found
