"""What his captain wants done in a chat is done once, in time, or it is said why not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias, assert_never

import discord
from loguru import logger

from actors.gateway.live import facts, refusals
from actors.gateway.live.errands import Errands
from actors.gateway.live.trouble import FAILURES
from actors.gateway.live.writing import Writing
from messages.gateway import DeedDone, RolesKnown
from messages.ids import DeedId, GuildId, MessageId, PersonId, RoomId
from messages.tools import CreateThread, Deed, JoinThread, React, SendUpdate, Unreact

MOST_AT_WORK = 64
"""So many deeds and questions may wait for Discord; what comes on top is answered at once."""
DEED_SECONDS = 10.0
ROLE_SECONDS = 2.5

Done: TypeAlias = Callable[[DeedDone | RolesKnown], None]
Channel: TypeAlias = discord.abc.GuildChannel | discord.abc.PrivateChannel | discord.Thread


class Hands:
    """Deeds and look-ups through whichever client there is; everything is called on the loop.

    Each is answered exactly once, also when the client is lost on the way.
    """

    def __init__(self, tell: Done) -> None:
        self._tell = tell
        self._errands = Errands()
        self._client: discord.Client | None = None
        self._writing: Writing | None = None

    def use(self, client: discord.Client | None, writing: Writing | None) -> None:
        """Work through this client from now on."""
        self._client, self._writing = client, writing

    async def let_go(self) -> None:
        """Give up what is under way, and say so."""
        await self._errands.let_go()

    # --- deeds ------------------------------------------------------------------------------------

    def do(self, name: DeedId, deed: Deed, room: RoomId, message: MessageId | None) -> None:
        """Do this, and answer with DeedDone."""
        if self._client is None:
            self._tell(DeedDone(deed=name, failed="gateway_lost"))
        elif len(self._errands) >= MOST_AT_WORK:
            self._tell(DeedDone(deed=name, failed="busy"))
        else:
            self._errands.run(self._do(self._client, name, deed, room, message))

    async def _do(
        self, client: discord.Client, name: DeedId, deed: Deed, room: RoomId, message: MessageId | None
    ) -> None:
        failed = "gateway_lost"  # unless there is time to learn more
        try:
            async with asyncio.timeout(DEED_SECONDS):
                failed = await self._done(client, name, deed, room, message)
        except FAILURES as failure:
            failed = refusals.code(failure)
            logger.info("{} in room {} failed: {}", type(deed).__name__, room, refusals.words(failure))
        finally:
            self._tell(DeedDone(deed=name, failed=failed))

    async def _done(
        self, client: discord.Client, name: DeedId, deed: Deed, room: RoomId, message: MessageId | None
    ) -> str:
        """Return why it could not be done, or nothing; what Discord refuses is raised."""
        match deed:
            case SendUpdate():
                if self._writing is None:
                    return "gateway_lost"
                await self._writing.send(room, deed.text, message, once=name)
                return ""
            case React() | Unreact():
                return await _react(client, deed, room, message) if message else "unsupported"
            case CreateThread():
                return await _thread(client, deed.name, room, message) if message else "unsupported"
            case JoinThread():
                channel = await _channel(client, room)
                if not isinstance(channel, discord.Thread):
                    return "no_thread"
                await channel.join()
                return ""
            case _:
                assert_never(deed)

    # --- roles ------------------------------------------------------------------------------------

    def look_up(self, guild: GuildId, person: PersonId) -> None:
        """Ask Discord for the roles of somebody, and answer with RolesKnown."""
        found = None if self._client is None else self._client.get_guild(int(guild))
        if found is None or len(self._errands) >= MOST_AT_WORK:
            self._tell(RolesKnown(guild=guild, person=person, roles=None))
        else:
            self._errands.run(self._look_up(found, guild, person))

    async def _look_up(self, found: discord.Guild, guild: GuildId, person: PersonId) -> None:
        roles = None
        try:
            async with asyncio.timeout(ROLE_SECONDS):
                roles = facts.roles_of(await found.fetch_member(int(person)))
        except FAILURES as failure:
            logger.debug("the roles of {} stay unknown: {}", person, type(failure).__name__)
        finally:
            self._tell(RolesKnown(guild=guild, person=person, roles=roles))


async def _react(client: discord.Client, deed: React | Unreact, room: RoomId, message: MessageId) -> str:
    emoji = await _emoji(client, deed.emoji, room)
    if emoji is None:
        return "unknown_emoji"
    marked = client.get_partial_messageable(int(room)).get_partial_message(int(message))
    if isinstance(deed, React):
        await marked.add_reaction(emoji)
    elif client.user is not None:
        await marked.remove_reaction(emoji, client.user)
    return ""


async def _thread(client: discord.Client, name: str, room: RoomId, message: MessageId) -> str:
    channel = await _channel(client, room)
    if not isinstance(channel, discord.TextChannel):
        return "unsupported"
    try:
        await channel.get_partial_message(int(message)).create_thread(name=name)
    except discord.HTTPException as failure:
        if failure.code != refusals.THREAD_EXISTS:
            raise
        there = await client.fetch_channel(int(message))  # a thread has the id of its first message
        if isinstance(there, discord.Thread):
            await there.join()
    return ""


async def _channel(client: discord.Client, room: RoomId) -> Channel:
    """A thread in which nobody has written yet is not known by heart."""
    return client.get_channel(int(room)) or await client.fetch_channel(int(room))


async def _emoji(client: discord.Client, emoji: str, room: RoomId) -> discord.Emoji | str | None:
    """Return what to put under a message: `:name:` is one of the guild, anything else has to be Unicode's."""
    name = emoji.strip(":")
    if emoji != f":{name}:":
        return emoji if not emoji.isascii() and ":" not in emoji else None
    channel = await _channel(client, room)
    if isinstance(channel, discord.abc.PrivateChannel):
        return None
    # Asked for each time: to be told of new ones takes an intent that he needs for nothing else.
    found = {one.name.lower(): one for one in await channel.guild.fetch_emojis()}
    return found.get(name.lower())
