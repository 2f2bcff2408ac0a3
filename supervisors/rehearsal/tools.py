"""A server of tools takes a while to start: a play in which there is one does not begin without it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Final

from messages.lifecycle import TreeNode
from supervisors.rehearsal.crashes import Grown
from supervisors.rehearsal.scenario import Scenario

PATIENCE_SECONDS: Final = 15.0
"""Whatever has not started by then is missed in the play."""
LOOK_SECONDS: Final = 0.2


def await_tools(scenario: Scenario, house: Grown) -> str:
    """Wait until his captain has tools of a server, or knows that he gets none; what ails them, and whom."""
    if not (servers := len(scenario.servers)):
        return ""
    pause = threading.Event()
    for _ in range(round(PATIENCE_SECONDS / LOOK_SECONDS)):
        if any(_is_ready(node, servers) for node in _captains(house.tree())):
            break
        pause.wait(LOOK_SECONDS)
    return ", ".join(filter(None, map(_ill, _captains(house.tree()))))


def _is_ready(captain: TreeNode, servers: int) -> bool:
    return bool(captain.facts.get("machine_tools")) or _ill(captain).count(": ") >= servers


def _ill(captain: TreeNode) -> str:
    return str(captain.facts.get("servers_in_trouble") or "")


def _captains(node: TreeNode) -> Iterator[TreeNode]:
    if node.path.rpartition("/")[2] == "captain":
        yield node
    for child in node.children:
        yield from _captains(child)
