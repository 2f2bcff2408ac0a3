"""Somebody writes to him, so that what goes wrong meets somebody who is doing something."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tests.reliability.night import Evening

SHORT: Final = "Clankie, are you still there?"
LONG: Final = "Clankie, tell us a long story."
TALKS_SECONDS: Final = 2.0


def stir(evening: Evening, text: str = SHORT) -> None:
    """In the chat of the room where he is, if anybody is there; he answers aloud."""
    there = [guest for guest in evening.guests.values() if guest.member.room == evening.guild.bot.room]
    if evening.guild.bot.room is not None and there:
        there[0].write(text)


def set_talking(evening: Evening) -> None:
    """Have him begin a long story, and wait a little for its first words."""
    began = time.monotonic()
    stir(evening, LONG)
    evening.ears.wait(
        lambda sounds: next((one.at for one in sounds if one.tone is not None), None), began, TALKS_SECONDS
    )
