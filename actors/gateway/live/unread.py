"""What Discord says and nobody can read is one line in the log, and the next event is read again."""

from __future__ import annotations

import sys

import discord
from loguru import logger

from actors.life import blame


class UnruffledClient(discord.Client):
    """A client of whose faults discord.py does not write down the traceback, which may quote people."""

    async def on_error(self, event_method: str, /, *_: object, **__: object) -> None:
        """Say where it broke."""
        failure = sys.exc_info()[1]
        where = "" if failure is None else f": {blame(failure)}"
        logger.error("an event of Discord's was passed over, {} broke{}", event_method, where)
