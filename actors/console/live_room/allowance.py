"""So much at once and so much a second is anybody's; who wants more has to wait for it to grow again."""

from __future__ import annotations


class Allowance:
    """Grows by `rate` a second up to `most`, with which it begins."""

    def __init__(self, rate: float, most: float) -> None:
        self._rate, self._most = rate, most
        self._left = most
        self._since = float("-inf")

    def take(self, amount: float, now: float) -> bool:
        """Whether there is so much at monotonic second `now`; if not, nothing is taken."""
        self._left = min(self._most, self._left + self._rate * (now - self._since))
        self._since = now
        if amount > self._left:
            return False
        self._left -= amount
        return True
