"""An operator looks after him: whoever is out of the room is asked in again, and is heard by consent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reliability.chaos.faults.link import consent_anew, in_voice

if TYPE_CHECKING:
    from tests.reliability.night import Evening


def recalled(evening: Evening) -> bool:
    """Have him come if he sits nowhere, or elsewhere; whether that had to be done."""
    if evening.guild.bot.room == evening.rooms[0].id and in_voice(evening):
        consent_anew(evening)
        return False
    evening.come()
    return True
