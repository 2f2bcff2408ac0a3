"""What the meter remembers: turns that go on, and what each stay has cost so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from actors.chronicle.why import Turn
from actors.costs import Bill, CostSettings
from messages.ids import StayId, Token, TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What one stay has used, and the multiple of `tell_at` that he was last told."""

    bill: Bill = ()
    told: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All that the meter remembers; it is lost with the meter's life, and the totals at the port are not."""

    costs: CostSettings
    token: Token
    """Of the next look around."""
    turns: Mapping[TurnId, Turn] = field(default_factory=dict[TurnId, Turn])
    """Those that go on."""
    accounts: Mapping[StayId, Account] = field(default_factory=dict[StayId, Account])
