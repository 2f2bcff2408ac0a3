"""A window that the test knocks at, and a house to look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from actors.console.port import ConsoleEvent, View
from messages.lifecycle import LifeState, Scalar, TreeNode


class FakeServer:
    """A ConsolePort without a socket."""

    def __init__(self) -> None:
        self.told: Callable[[ConsoleEvent], None] | None = None
        self.closed = False
        self.shown: list[tuple[View, str]] = []

    def open(self, events: Callable[[ConsoleEvent], None]) -> None:
        self.told = events

    def publish(self, view: View, body: str) -> None:
        self.shown.append((view, body))

    def close(self) -> None:
        self.closed = True


def node(
    path: str,
    *children: TreeNode,
    kind: str = "Supervisor",
    state: LifeState = LifeState.OPEN,
    facts: Mapping[str, Scalar] | None = None,
) -> TreeNode:
    """One actor of a house that is not there."""
    return TreeNode(
        path=path,
        kind=kind,
        state=state,
        restarts=0,
        mailbox_depth=0,
        facts=facts or {},
        children=children,
    )


def a_house(lost: Scalar = 0) -> TreeNode:
    return node("root", node("root/evidence", kind="Evidence", facts={"lost": lost, "failing": None}))
