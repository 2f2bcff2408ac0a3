"""Every target by its name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from tests.reliability.fuzz.target import Target

FOLDERS: Final = ("packets", "calls", "account", "minds", "streams", "tools", "papers", "doors", "words")


def targets() -> Mapping[str, Target]:
    """All of them, in the order of their kinds."""
    found: list[Target] = []
    for name in FOLDERS:
        module = import_module(f"tests.reliability.fuzz.targets.{name}")
        found += module.TARGETS
    return {target.name: target for target in found}
