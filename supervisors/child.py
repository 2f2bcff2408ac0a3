"""What a supervisor knows of a child: how to start it, what its end means, and which life it lives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from actors.base import Life, Worker
from messages.lifecycle import RestartType
from supervisors.address import Address


# Any: a supervisor holds children of every message type, and writes to none of them.
@dataclass(frozen=True, slots=True, kw_only=True)
class ChildSpec:
    """How to start one child, where its letters go, and what its end means. Deadlines in seconds."""

    name: str
    make: Callable[[Life], Worker[Any]]
    restart: RestartType
    address: Address[Any] | None = None
    significant: bool = False
    """When this child ends and is not restarted, a static supervisor stops the others and finishes."""
    open_deadline: float = 5.0
    stop_deadline: float = 5.0

    def __post_init__(self) -> None:
        """A name is one step of a path."""
        if not self.name or "/" in self.name:
            raise ValueError(f"not a name for a child: {self.name!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A child and its present, or last, life."""

    spec: ChildSpec
    life: Life
    restarts: int
    running: bool
    """False from the moment that its end is known and dealt with: what it still writes is an old letter."""
