"""Somebody writes to him and somebody has him speak, so that what goes wrong meets one who is at work."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from actors.console.knock import ClientError

if TYPE_CHECKING:
    from tests.reliability.night import Evening

QUESTION: Final = "Clankie, are you still there?"
SENTENCE: Final = "Somebody at the console wants this to be heard."
LONG: Final = 10
"""So many of them fit into one order, and take half a minute."""
TALKS_SECONDS: Final = 2.0


def stir(evening: Evening, sentences: int = 1) -> None:
    """His mind has a turn to take, and his voice has something to say."""
    there = [guest for guest in evening.guests.values() if guest.member.room == evening.guild.bot.room]
    if evening.guild.bot.room is None or not there:
        return
    there[0].write(QUESTION)
    with suppress(ClientError, OSError):
        evening.program.order("POST", "/say", {"text": " ".join([SENTENCE] * sentences)})


def set_talking(evening: Evening) -> None:
    """Have him begin to speak at length, and wait a little for his first words."""
    began = time.monotonic()
    stir(evening, LONG)
    evening.ears.wait(
        lambda sounds: next((one.at for one in sounds if one.tone is not None), None), began, TALKS_SECONDS
    )
