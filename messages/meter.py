"""What may be said to the meter: what happened, how everybody is, and that it is time to look again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.evidence import EvidenceOpened, PrivateWords, Recorded
from messages.ids import Token
from messages.lifecycle import TreeNode


@dataclass(frozen=True, slots=True, kw_only=True)
class LookDue:
    """From the clock: see how the actors are."""

    token: Token


MeterMessage: TypeAlias = EvidenceOpened | Recorded | PrivateWords | TreeNode | LookDue
