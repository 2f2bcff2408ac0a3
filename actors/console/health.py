"""Whether all is well, for whoever only restarts what is not: without a name, an id or a number."""

from __future__ import annotations

from collections.abc import Iterator

from actors.console.report import Health, StatusReport
from messages.lifecycle import LifeState, TreeNode

STALE_SECONDS = 5.0
"""A house that has not described itself for so long does not do it any more."""


def health(report: StatusReport) -> Health:
    """What the report comes to: every actor open, the account online, every link up, the record written."""
    because = tuple(dict.fromkeys(_troubles(report)))
    return Health(healthy=not because, because=because)


def _troubles(report: StatusReport) -> Iterator[str]:
    if report.tree is None or (report.tree_age_s or 0.0) > STALE_SECONDS:
        yield "the house does not describe itself"
    if report.tree is not None:
        for node in report.tree.every():
            yield from _of_node(node)
    if any(stay.link_lost is not None for stay in report.stays):
        yield "a voice link is lost"


def _of_node(node: TreeNode) -> Iterator[str]:
    if node.state is not LifeState.OPEN:
        yield f"{node.kind} is {node.state}"
    if node.kind == "Gateway" and not node.facts.get("ready", True):
        yield "the account is not online"
    if node.kind == "Evidence" and node.facts.get("failing"):
        yield "the record cannot be written"
