"""What is done to his voice is told when it changes, and on a stage he raises his hand."""

from __future__ import annotations

from collections.abc import Callable

import discord
from loguru import logger

from actors.gateway.live import facts
from actors.gateway.live.errands import Errands
from actors.gateway.live.trouble import FAILURES
from messages.gateway import OwnVoiceHindered


class Hindrances:
    """What was told last, by guild."""

    def __init__(self, tell: Callable[[OwnVoiceHindered], None], errands: Errands) -> None:
        self._tell, self._errands = tell, errands
        self._told: dict[int, str] = {}

    def forget(self) -> None:
        """Nothing that was told counts any more."""
        self._told.clear()

    def tell(self, guild: discord.Guild, voice: discord.VoiceState | None) -> None:
        """Tell what is in his way now, unless that was told last."""
        hindrance = facts.hindrance_of(voice)
        if hindrance == self._told.get(guild.id, ""):
            return
        self._told[guild.id] = hindrance
        self._tell(OwnVoiceHindered(guild=facts.guild_id(guild.id), hindrance=hindrance))
        if hindrance == "suppressed":
            self._errands.run(_ask_to_speak(guild))


async def _ask_to_speak(guild: discord.Guild) -> None:
    logger.info("he is in the audience of a stage in guild {} and raises his hand", guild.id)
    try:
        await guild.me.request_to_speak()
    except FAILURES as failure:
        logger.warning(
            "he cannot ask to speak in guild {}: {}; somebody has to invite him on the stage",
            guild.id,
            type(failure).__name__,
        )
