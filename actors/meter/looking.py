"""The tree as levels: how many actors of each kind there are; paths, which have ids, stay here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from actors.meter.metrics import Gauge
from messages.lifecycle import LifeState, TreeNode

_JOINED: Final = frozenset({"active", "degraded"})
_DROPPED: Final = {
    "texts_dropped": "texts",
    "lines_shed": "lines",
    "frames_dropped": "heard_frames",
    "pipe_dropped": "pipe_frames",
}
"""What actors call it when they drop something, and what it is."""


def levels(tree: TreeNode) -> Iterator[tuple[Gauge, Mapping[tuple[str, ...], float]]]:
    """Every gauge that a look at the tree can tell."""
    stays = underruns = 0
    actors, restarts, mailbox = defaultdict[tuple[str, ...], float](float), dict[str, int](), dict[str, int]()
    dropped = dict.fromkeys(_DROPPED.values(), 0)
    for node in tree.every():
        if node.state is not LifeState.GONE:
            actors[node.kind, "open" if node.state is LifeState.OPEN else "not_open"] += 1
        restarts[node.kind] = restarts.get(node.kind, 0) + node.restarts
        stays += node.kind == "Stay" and node.state is LifeState.OPEN and node.facts.get("phase") in _JOINED
        mailbox[node.kind] = max(mailbox.get(node.kind, 0), node.mailbox_depth)
        for fact, what in _DROPPED.items():
            dropped[what] += _number(node, fact)
        underruns += _number(node, "underruns")
        yield from _facts(node)
    yield Gauge.DROPPED, {(what,): many for what, many in dropped.items()}
    yield Gauge.UNDERRUNS, {(): underruns}
    yield Gauge.STAYS, {(): stays}
    yield Gauge.ACTORS, dict(actors)
    yield Gauge.RESTARTS, {(kind,): many for kind, many in restarts.items()}
    yield Gauge.MAILBOX, {(kind,): many for kind, many in mailbox.items()}


def _number(node: TreeNode, fact: str) -> int:
    many = node.facts.get(fact)
    return many if isinstance(many, int) else 0


def _facts(node: TreeNode) -> Iterator[tuple[Gauge, Mapping[tuple[str, ...], float]]]:
    """What two of them say of themselves."""
    lost = node.facts.get("lost")
    if node.kind == "Evidence" and isinstance(lost, int):
        yield Gauge.LOST, {(): lost}
    if node.kind == "Gateway":
        yield Gauge.ONLINE, {(): float(bool(node.facts.get("ready", True)))}
