"""Nobody may switch keys before everybody can: who still has to say so, for each transition."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(slots=True)
class _Open:
    told: set[int]
    missing: set[int]


class Transitions:
    """The transitions that were described and not yet executed. Ids run from 1 to 65,535 and begin again."""

    def __init__(self) -> None:
        self._open: dict[int, _Open] = {}
        self._last = 0

    @property
    def open(self) -> tuple[int, ...]:
        return tuple(self._open)

    def begin(self, users: Iterable[int]) -> int:
        self._last = self._last % 0xFFFF + 1
        self._open[self._last] = _Open(told=set(users), missing=set(users))
        return self._last

    def ready(self, user: int, transition: int) -> dict[int, set[int]]:
        """What is complete now: the transitions, each with those to tell."""
        if transition in self._open:
            self._open[transition].missing.discard(user)
        return self._complete()

    def forget(self, user: int) -> dict[int, set[int]]:
        """He will not answer any more, and need not be told."""
        for one in self._open.values():
            one.told.discard(user)
            one.missing.discard(user)
        return self._complete()

    def expire(self, transition: int) -> dict[int, set[int]]:
        """Whoever has not answered is waited for no longer."""
        if transition in self._open:
            self._open[transition].missing.clear()
        return self._complete()

    def drop(self) -> None:
        """None of them will be executed."""
        self._open.clear()

    def _complete(self) -> dict[int, set[int]]:
        done = [transition for transition, one in self._open.items() if not one.missing]
        return {transition: self._open.pop(transition).told for transition in done}
