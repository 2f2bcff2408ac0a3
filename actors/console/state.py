"""What the console knows of the house, from the last look around and from what the record said."""

from __future__ import annotations

from dataclasses import dataclass, field

from actors.chronicle.why import JudgedLine, Turn
from actors.console.report import Reason
from actors.console.stays import Stays
from actors.costs import CostSettings
from messages.console import OperatorAsked, OrderGiven, StatusAsked
from messages.ids import RoomId, StayId, Token
from messages.lifecycle import TreeNode

_NONE = Token(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All that the console knows; times are monotonic seconds, but those of reasons, lines and turns."""

    version: str
    opened_at: float
    ask_seconds: float
    path: str = ""
    """Its own, in the tree."""
    token: Token = _NONE
    """Of the look around that goes on, or of the last one."""
    costs: CostSettings = field(default_factory=CostSettings)
    words: bool = False
    """Whether viewers may see words at all."""
    home: RoomId | None = None
    """The room of this very process."""
    looking: bool = False
    """Whether the house was asked to describe itself, and has not yet."""
    asking: tuple[StatusAsked, ...] = ()
    asks: tuple[OperatorAsked, ...] = ()
    """What the captain has not answered yet; the port lets so many in."""
    given: tuple[OrderGiven, ...] = ()
    """Orders that nobody has answered yet."""
    orders: int = 0
    viewers: int = 0
    wanting_words: int = 0
    view_token: Token = _NONE
    """Of the timer that shows viewers the next status."""
    showing: bool = False
    """Whether viewers get a status as soon as the look around is over."""
    tree: TreeNode | None = None
    tree_at: float = 0.0
    stays: Stays = ()
    left: tuple[StayId, ...] = ()
    """The stays that ended last, of which late receipts tell nothing."""
    joined: int = 0
    receipts: int = 0
    reasons: tuple[Reason, ...] = ()
    lines: tuple[JudgedLine, ...] = ()
    turns: tuple[Turn, ...] = ()
    server: str = "not listening yet"
    trouble: str = ""
    """Why there is no key with which somebody could watch or give orders."""

    @property
    def shows_words(self) -> bool:
        """Whether somebody wants to see words who may."""
        return self.words and self.viewers > 0 and self.wanting_words > 0
