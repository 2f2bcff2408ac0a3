"""The report, put together from the last look around and from what the record said."""

from __future__ import annotations

from dataclasses import replace

from actors.console.report import Counts, StatusReport, StayStatus, WhyReport
from actors.console.silence import why_silent
from actors.console.state import State
from actors.console.stays import Known
from messages.console import WhyAsked
from messages.ids import StayId
from messages.lifecycle import TreeNode


def report(state: State, now: float) -> StatusReport:
    """How things are."""
    tree = state.tree
    nodes = () if tree is None else tuple(tree.every())
    known = StatusReport(
        version=state.version,
        uptime_s=round(now - state.opened_at, 3),
        tree=tree,
        tree_age_s=None if tree is None else round(now - state.tree_at, 3),
        stays=tuple(_status(state, stay, nodes) for stay in state.stays),
        reasons=state.reasons,
        evidence_lost=_lost(nodes),
        counts=Counts(
            actors=len(nodes),
            restarts=sum(node.restarts for node in nodes),
            waiting=sum(node.mailbox_depth for node in nodes),
            joined=state.joined,
            receipts=state.receipts,
            orders=state.orders,
            viewers=state.viewers,
        ),
        room=state.home,
    )
    return replace(known, silent=why_silent(known))


def why(state: State, asked: WhyAsked) -> WhyReport | None:
    """The latest lines and turns that were asked for, the latest last; None of a stay that nobody knows."""
    lines = [line for line in state.lines if asked.stay in {None, line.stay_id}]
    turns = [turn for turn in state.turns if asked.stay in {None, turn.stay_id}]
    if asked.stay is not None and not (lines or turns or _is_known(state, asked.stay)):
        return None
    most = max(0, asked.most)
    return WhyReport(
        lines=tuple(lines[max(0, len(lines) - most) :]), turns=tuple(turns[max(0, len(turns) - most) :])
    )


def _is_known(state: State, stay: StayId) -> bool:
    """Whether it goes on, or has ended lately; the tree knows it where this life has not seen it begin."""
    nodes = () if state.tree is None else state.tree.every()
    lives = any(f"{node.path}/".endswith(f"/stays/{stay}/") for node in nodes)
    return lives or stay in state.left or any(one.stay_id == stay for one in state.stays)


def _status(state: State, stay: Known, nodes: tuple[TreeNode, ...]) -> StayStatus:
    family = [node for node in nodes if f"/{stay.stay_id}/" in node.path]
    return stay.status(sum(node.restarts for node in family), _hushed(family), state.costs)


def _hushed(family: list[TreeNode]) -> float | None:
    """What the floor says of itself: it alone knows, whoever of the house began again meanwhile."""
    told = [node.facts.get("hushed_s") for node in family if node.kind == "Floor"]
    return next(
        (float(seconds) for seconds in told if isinstance(seconds, int | float) and seconds > 0), None
    )


def _lost(nodes: tuple[TreeNode, ...]) -> int | None:
    """What the record says of itself."""
    counts = [node.facts.get("lost") for node in nodes if node.kind == "Evidence"]
    return next((count for count in counts if isinstance(count, int)), None)
