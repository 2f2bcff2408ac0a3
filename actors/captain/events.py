"""What may happen to the captain, beside his door plate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.captain import CaptainMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainCloses:
    """The captain ends: nobody may go on waiting for him."""


Event: TypeAlias = CaptainMessage | CaptainCloses
