"""There are only so many chairs: who listens to nobody gives his to the next who has somebody to hear."""

from __future__ import annotations

from typing import Protocol


class Sitter(Protocol):
    """An ear with an open line; all of it is for the I/O thread."""

    def idle_since(self) -> float | None:
        """Since when it has had nothing to hear and no words to give; None while it has."""
        ...

    def rest(self) -> None:
        """Close the line, without a word, until it is needed again, and leave the chair."""
        ...


class Listeners:
    """All open lines of the house's ears, at most so many at a time; one for the house."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._sitters: list[Sitter] = []

    @property
    def open(self) -> int:
        """How many lines are open."""
        return len(self._sitters)

    def admit(self, sitter: Sitter) -> bool:
        """Whether this one may open a line; the one that has been idle for longest may have to close his."""
        if len(self._sitters) >= self._most:
            idle = [(since, one) for one in self._sitters if (since := one.idle_since()) is not None]
            if not idle:
                return False
            _, longest = min(idle, key=lambda pair: pair[0])
            longest.rest()
        self._sitters.append(sitter)
        return True

    def leave(self, sitter: Sitter) -> None:
        """This one has closed his line; harmless when he had none."""
        if sitter in self._sitters:
            self._sitters.remove(sitter)
