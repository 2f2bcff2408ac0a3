"""What the console knows of the house, from the last look around and from what the record said."""

from __future__ import annotations

from dataclasses import dataclass

from actors.console.report import Reason
from actors.console.stays import Stays
from messages.console import OperatorAsked, StatusAsked
from messages.ids import Token
from messages.lifecycle import TreeNode


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All that the console knows; times are monotonic seconds, those of reasons wall-clock seconds."""

    version: str
    opened_at: float
    token: Token
    """Of the look around that goes on, or of the last one."""
    ask_seconds: float
    asking: tuple[StatusAsked, ...] = ()
    orders: tuple[OperatorAsked, ...] = ()
    """What the captain has not answered yet; the port lets so many in."""
    tree: TreeNode | None = None
    tree_at: float = 0.0
    stays: Stays = ()
    reasons: tuple[Reason, ...] = ()
    server: str = "not listening yet"
    trouble: str = ""
    """Why nobody can ask the captain."""
