"""One promise that was not kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from tests.reliability.chaos.history import History


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """`promise` is the name of the invariant, `at` when it was broken, `what` how."""

    at: float
    promise: str
    what: str


Invariant: TypeAlias = Callable[[History], tuple[Violation, ...]]
