"""The tree of the house as lines, with what has changed since the last look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from messages.lifecycle import LifeState, TreeNode
from supervisors.terminal.ink import Piece, Row, Tone

NEWS_LOOKS = 4
"""For so many looks, a second apart, a change stays marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """One line of the tree."""

    path: str
    depth: int
    kind: str
    state: LifeState
    restarts: int
    waiting: int

    @property
    def name(self) -> str:
        """Its own part of the path."""
        return self.path.rsplit("/", 1)[-1]


def actors(tree: TreeNode | None, depth: int = 0) -> Iterator[Actor]:
    """Every actor from the root down, a parent before its children."""
    if tree is None:
        return
    yield Actor(
        path=tree.path,
        depth=depth,
        kind=tree.kind,
        state=tree.state,
        restarts=tree.restarts,
        waiting=tree.mailbox_depth,
    )
    for child in tree.children:
        yield from actors(child, depth + 1)


def news(before: TreeNode | None, now: TreeNode | None, old: Mapping[str, int]) -> dict[str, int]:
    """For how many looks each path is still to be marked; the first look is no news."""
    left = {path: looks - 1 for path, looks in old.items() if looks > 1}
    if before is None:
        return left
    known = {actor.path: (actor.state, actor.restarts) for actor in actors(before)}
    for actor in actors(now):
        if known.get(actor.path) != (actor.state, actor.restarts):
            left[actor.path] = NEWS_LOOKS
    return left


def row(actor: Actor, *, new: bool) -> Row:
    """The actor's line: its name, and only as much of the rest as is worth a look."""
    return tuple(_pieces(actor, new))


def _pieces(actor: Actor, new: bool) -> Iterator[Piece]:
    is_open = actor.state is LifeState.OPEN
    yield "  " * actor.depth, Tone.PLAIN
    yield ("● " if is_open else "✗ "), Tone.GOOD if is_open else Tone.BAD
    yield actor.name, Tone.NEW if new else Tone.STRONG if actor.depth == 0 else Tone.PLAIN
    if not is_open:
        yield f" {actor.state.value}", Tone.BAD
    if actor.restarts:
        yield f" ↻{actor.restarts}", Tone.WARN
    if actor.waiting:
        yield f" ✉{actor.waiting}", Tone.WARN if actor.waiting > 10 else Tone.DIM
