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


def await_tools(scenario: Scenario, house: Grown) -> None:
    """Wait until his captain has tools of a server, or knows that he will not get them."""
    if "mcp" not in scenario.settings.get("captain", {}):
        return
    pause = threading.Event()
    for _ in range(round(PATIENCE_SECONDS / LOOK_SECONDS)):
        if any(_is_ready(node) for node in _captains(house.tree())):
            return
        pause.wait(LOOK_SECONDS)


def _is_ready(captain: TreeNode) -> bool:
    return bool(captain.facts.get("machine_tools") or captain.facts.get("servers_in_trouble"))


def _captains(node: TreeNode) -> Iterator[TreeNode]:
    if node.path.rpartition("/")[2] == "captain":
        yield node
    for child in node.children:
        yield from _captains(child)
