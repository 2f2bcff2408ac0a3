"""Actors crash: one of them, two at once, or one nearly as often as his supervisor puts up with."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from supervisors.rehearsal.scenario import BadScenario
from tests.reliability.chaos.faults.effect import Effect, Ending, at_once, chance, shows
from tests.reliability.chaos.trouble import ROOMS

if TYPE_CHECKING:
    from messages.lifecycle import TreeNode
    from tests.reliability.chaos.plan import Happening
    from tests.reliability.night import Evening

BURST: Final = 3
"""So often: the mouth puts up with three falls a minute, which are shared by three actors."""


def crashes(happening: Happening, evening: Evening) -> Ending:
    """One of them, who is somebody else afterwards, or gone with his stay."""
    node = named(happening, evening)
    return at_once(0, f"there is no {happening.target}") if node is None else _crashed(evening, node)


def two_crash(happening: Happening, evening: Evening) -> Ending:
    """He and somebody beside him."""
    others = [room for room in ROOMS if room != happening.target]
    first = named(happening, evening)
    second = named(happening, evening, chance(happening).choice(others))
    if first is None or second is None:
        return at_once(0, "one of the two is not there")
    ends = _crashed(evening, first), _crashed(evening, second)

    def end() -> Effect:
        effects = [one() for one in ends]
        return Effect(hits=min(one.hits for one in effects), why="only one of the two fell")

    return end


def nearly_too_often(happening: Happening, evening: Evening) -> Ending:
    """He comes back each time, and falls again."""
    hits = 0
    for _ in range(BURST):
        node = named(happening, evening)
        if node is None or not _crashed(evening, node)().hits:
            break
        hits += 1
    return at_once(hits if hits > 1 else 0, "he did not come back in time to fall again")


def named(happening: Happening, evening: Evening, name: str = "") -> TreeNode | None:
    """Whoever is called so now; one of the ears by chance, the captain of the house."""
    name = name or happening.target
    with suppress(BadScenario):
        nodes = sorted(evening.program.tree().every(), key=lambda node: node.path)
        found = [
            node
            for node in nodes
            if (f"/{name}/" in node.path if name == "ears" else node.path.endswith(f"/{name}"))
        ]
        return chance(happening).choice(found) if found else None
    return None


def _crashed(evening: Evening, node: TreeNode) -> Ending:
    try:
        evening.program.crash(node.path)
    except (LookupError, BadScenario) as error:
        return at_once(0, str(error))

    def seen() -> bool:
        with suppress(BadScenario):
            now = {one.path: one.restarts for one in evening.program.tree().every()}
            return now.get(node.path, -1) != node.restarts
        return False

    return lambda: Effect(hits=int(shows(seen)), why=f"{node.path} did not fall")
