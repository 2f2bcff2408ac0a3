"""He may speak without having been asked, but seldom, and never because nobody else did."""

from __future__ import annotations

from dataclasses import dataclass, replace

from actors.floor.settings import Talkativeness

HOUR = 3600.0
_CAPS = {
    Talkativeness.QUIET: (600.0, 2),
    Talkativeness.BALANCED: (240.0, 6),
    Talkativeness.CHATTY: (90.0, 15),
}
"""Seconds of his own silence before, and offers in any hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Volition:
    """When unasked words were offered to him, and when he last spoke (or came in)."""

    offers: tuple[float, ...] = ()
    spoke: float = 0.0

    def shut_by(self, mood: Talkativeness, now: float) -> str | None:
        """The rule that keeps the gate shut for a new transcript, or None where it is open."""
        if mood is Talkativeness.OFF:
            return "volition_off"
        silence, per_hour = _CAPS[mood]
        if now - max((self.spoke, *self.offers)) < silence:
            return "volition_silence"
        return "volition_cap" if sum(now - at < HOUR for at in self.offers) >= per_hour else None

    def offered(self, now: float) -> Volition:
        """One more; those older than an hour are forgotten."""
        return replace(self, offers=(*(at for at in self.offers if now - at < HOUR), now))
