"""Before the play he comes in, and everybody who consents says so; on a network that takes a moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from messages.evidence import Consent, Receipt
from messages.ids import PersonId

PATIENCE_SECONDS: Final = 5.0
"""The play begins so long after he came, even if somebody's consent is not on record."""


class Overture:
    """Knows whether the play can begin; told the time, never asking."""

    def __init__(self) -> None:
        self._joined_at: float | None = None
        self._unheard: set[PersonId] = set()
        self._answered: set[PersonId] = set()

    def joined(self, consenting: Sequence[PersonId], now: float) -> None:
        """He has come, and these people are about to consent."""
        self._joined_at = now
        self._unheard = set(consenting)

    def saw(self, receipt: Receipt) -> None:
        """A receipt: perhaps of a consent."""
        if isinstance(receipt, Consent):
            self._answered.add(receipt.person_id)

    def is_over(self, now: float) -> bool:
        """Whether he is there and everybody has been answered, or is waited for no longer."""
        if self._joined_at is None:
            return False
        return self._unheard <= self._answered or now >= self._joined_at + PATIENCE_SECONDS
