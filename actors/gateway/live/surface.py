"""The play surface is an invitation to an activity, and whoever hands one out takes it back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import discord
from loguru import logger

from actors.gateway.live import refusals
from actors.gateway.live.errands import Errands
from actors.gateway.live.trouble import FAILURES
from messages.gateway import WatchOpened
from messages.ids import RoomId

INVITE_SECONDS = 10.0
PLAY_SECONDS = 86_400
"""How long an invitation holds if nobody takes it back: as long as a play surface may be open at most."""


class Surface:
    """Invitations through whichever client there is; everything is called on the loop."""

    def __init__(self, opened: Callable[[WatchOpened], None], activity: int | None) -> None:
        self._opened, self._activity = opened, activity
        self._client: discord.Client | None = None
        self._errands = Errands()
        self._invites: dict[RoomId, str] = {}
        self._orders: dict[RoomId, int] = {}
        """How many orders there were for a room: what an earlier one brings, nobody wants any more."""

    def use(self, client: discord.Client | None) -> None:
        """Ask through this client from now on."""
        self._client = client

    def watch(self, room: RoomId, start: bool) -> None:
        """Invite to the activity in this voice channel, or take the invitation back."""
        if self._client is None:
            if start:
                self._opened(WatchOpened(room=room, url="", failed="gateway_lost"))
            return
        order = self._orders[room] = self._orders.get(room, 0) + 1
        client = self._client
        self._errands.run(self._open(client, room, order) if start else self._close(client, room))

    async def let_go(self) -> None:
        """End what is under way."""
        await self._errands.let_go()

    async def close(self) -> None:
        """Take back all that is open."""
        client = self._client
        if client is not None:
            await asyncio.gather(*(self._close(client, room) for room in tuple(self._invites)))

    async def _open(self, client: discord.Client, room: RoomId, order: int) -> None:
        await self._close(client, room)  # of two invitations to one room only the later could be taken back
        url, failed = "", "gateway_lost"
        try:
            async with asyncio.timeout(INVITE_SECONDS):
                url, failed = await self._invited(client, room)
        except FAILURES as failure:
            failed = refusals.watch_code(failure)
            logger.warning("no invitation to an activity in room {}: {}", room, refusals.words(failure))
        finally:
            wanted = order == self._orders[room]
            if wanted:
                self._invites[room] = url
                self._opened(WatchOpened(room=room, url=url, failed=failed))
        if not wanted:
            await self._take_back(client, room, url)

    async def _invited(self, client: discord.Client, room: RoomId) -> tuple[str, str]:
        """Return the address, or why there is none."""
        channel = client.get_channel(int(room))
        if self._activity is None:
            return "", "no_activity"
        if isinstance(channel, discord.StageChannel):
            return "", "unsupported"
        if not isinstance(channel, discord.VoiceChannel):
            return "", "no_such_room"
        invite = await channel.create_invite(
            max_age=PLAY_SECONDS,
            target_type=discord.InviteTarget.embedded_application,
            target_application_id=self._activity,
        )
        return invite.url, ""

    async def _close(self, client: discord.Client, room: RoomId) -> None:
        await self._take_back(client, room, self._invites.pop(room, ""))

    async def _take_back(self, client: discord.Client, room: RoomId, url: str) -> None:
        if not url:
            return
        try:
            async with asyncio.timeout(INVITE_SECONDS):
                await client.delete_invite(url)
        except discord.Forbidden:
            logger.warning("he may not take back the invitation in room {} (Manage Channels)", room)
        except FAILURES as failure:
            logger.debug("the invitation in room {} stays: {}", room, type(failure).__name__)
