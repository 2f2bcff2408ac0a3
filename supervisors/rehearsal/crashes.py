"""Who was crashed by order of the scenario, and whether he came back: the tree of the house knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final, Protocol

from messages.lifecycle import TreeNode
from supervisors.rehearsal.lanes import Bar, Lane

PATIENCE_SECONDS: Final = 5.0
"""So long after a crash somebody may come back; the tree is looked at every now and then meanwhile."""
LOOK_SECONDS: Final = 0.2


class Grown(Protocol):
    """Whatever can say who is in it."""

    def tree(self) -> TreeNode:
        """Everybody as he stands."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """One crash that was ordered at second `at`; `outcome` is what had come of it when last looked at."""

    at: float
    name: str
    outcome: str = "unanswered"


class Crashes:
    """The crashes of one play, for the director's thread alone."""

    def __init__(self) -> None:
        self._found: list[tuple[Crash, TreeNode | None]] = []

    @property
    def found(self) -> tuple[Crash, ...]:
        """Every crash so far, in the order of its time."""
        return tuple(crash for crash, _ in self._found)

    def ordered(self, at: float, name: str, house: Grown) -> None:
        """To be called right before the house is told to crash him."""
        self._found.append((Crash(at=at, name=name), _named(house, name)))

    def next_look(self, now: float) -> float:
        """When to look again; never while nobody is waited for."""
        return now + (LOOK_SECONDS if any(_is_awaited(crash, now) for crash, _ in self._found) else inf)

    def look(self, now: float, house: Grown) -> None:
        """See who has come back since."""
        for index, (crash, before) in enumerate(self._found):
            if _is_awaited(crash, now):
                outcome = _outcome(crash, before, _named(house, crash.name))
                self._found[index] = (replace(crash, outcome=outcome), before)


def crash_lanes(crashes: Sequence[Crash], end: float) -> tuple[Lane, ...]:
    """One lane with a bar for each crash, from its second to the next or to `end`; none without a crash."""
    ends = [*(crash.at for crash in crashes[1:]), end]
    bars = tuple(
        Bar(
            began=crash.at,
            ended=min(until, crash.at + PATIENCE_SECONDS),
            look="crash",
            label=f"✗ {crash.name} → {crash.outcome}",
            title=f"{crash.name} crashed by order at {crash.at:.1f} s: {crash.outcome}",
        )
        for crash, until in zip(crashes, ends, strict=False)
    )
    return (Lane(name="crashes", bars=bars),) if bars else ()


def _is_awaited(crash: Crash, now: float) -> bool:
    return crash.outcome != "restarted" and now <= crash.at + PATIENCE_SECONDS


def _outcome(crash: Crash, before: TreeNode | None, after: TreeNode | None) -> str:
    """A new one in the place of one who is gone is not he."""
    if after is None:
        return "gone"
    return "restarted" if before is not None and after.restarts > before.restarts else crash.outcome


def _named(house: Grown, name: str) -> TreeNode | None:
    return next((node for node in house.tree().every() if f"/{node.path}".endswith(f"/{name}")), None)
