"""An operator looks after him: whoever is out of the room is asked in again, and is heard by consent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.reliability.chaos.faults.effect import shows

if TYPE_CHECKING:
    from tests.reliability.night import Evening

RETURNS_SECONDS: Final = 10.0
"""How long it may take until his link is up again by itself."""


def in_voice(evening: Evening) -> bool:
    """Whether the voice server knows him at present."""
    return any(session.line for session in evening.discord.voice.desk.sessions(evening.bot))


def recalled(evening: Evening) -> bool:
    """Have him come if he sits nowhere, or elsewhere; whether that had to be done."""
    sits = evening.guild.bot.room == evening.rooms[0].id
    if sits and shows(lambda: in_voice(evening), RETURNS_SECONDS):
        consent_anew(evening)
        return False
    evening.come()
    return True


def consent_anew(evening: Evening) -> None:
    """Whoever consents in this evening and sits where he is types it again, and is heard."""
    evening.consent(evening.guild.bot.room, seconds=15.0)
