"""What he writes comes out in the order in which he wrote it, notifies nobody, and never twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import aiohttp
import discord
from loguru import logger

from actors.gateway.live import facts
from actors.gateway.live.errands import Errands
from actors.gateway.live.trouble import FAILURES
from messages.gateway import WatchOpened
from messages.ids import MessageId, RoomId, new_id

MOST_CHARACTERS = 2_000
MOST_WAITING = 64
"""So many posts may wait for Discord; what comes on top is dropped, counted and logged."""
POST_SECONDS = 30.0
TYPING_SECONDS = 600.0
"""Whoever asked for it also says when it is over; this is for him who forgets."""
INVITE_SECONDS = 10.0
PLAY_SECONDS = 86_400
"""How long an invitation holds if nobody takes it back: as long as a play surface may be open at most."""
NOBODY = discord.AllowedMentions.none()

REFUSALS = {
    10003: "the channel is gone",
    50001: "he may not see the channel (View Channel)",
    50013: "he may not write there (Send Messages, and Read Message History for answers)",
    160002: "he may not answer there (Read Message History)",
}
"""Discord's numbers for why it refuses a request, in words."""


class Writing:
    """Posts, typing and invitations through one client; everything is called on the loop."""

    def __init__(
        self, client: discord.Client, opened: Callable[[WatchOpened], None], activity: int | None
    ) -> None:
        self._client, self._opened, self._activity = client, opened, activity
        self._errands = Errands()
        self._turns: dict[RoomId, asyncio.Lock] = {}
        self._typing: dict[RoomId, asyncio.Event] = {}
        self._invites: dict[RoomId, discord.Invite] = {}
        self._complained: set[tuple[RoomId, str]] = set()
        self.dropped = 0

    async def let_go(self) -> None:
        """Write no more."""
        await self._errands.let_go()

    # --- posts ------------------------------------------------------------------------------------

    def post(self, room: RoomId, text: str, reply_to: MessageId | None) -> None:
        """Write after what was written before in this room; what it answers may be gone by then."""
        if len(self._errands) >= MOST_WAITING:
            self.dropped += 1
            self._complain(room, "Discord takes nothing at the moment")
            return
        self._errands.run(self._post(room, text[:MOST_CHARACTERS], reply_to))

    async def _post(self, room: RoomId, text: str, reply_to: MessageId | None) -> None:
        channel = self._client.get_partial_messageable(int(room))
        turn = self._turns.setdefault(room, asyncio.Lock())
        try:
            async with asyncio.timeout(POST_SECONDS), turn:
                # discord.py tries again after some failures; with a nonce Discord writes it once.
                if reply_to is None:
                    await channel.send(text, allowed_mentions=NOBODY, nonce=new_id())
                else:
                    answer = _answer(room, reply_to)
                    await channel.send(text, allowed_mentions=NOBODY, nonce=new_id(), reference=answer)
        except FAILURES as failure:
            self._complain(room, _why(failure))

    def _complain(self, room: RoomId, why: str) -> None:
        """Once for each room and reason: it will be the same tomorrow."""
        if (room, why) not in self._complained:
            self._complained.add((room, why))
            logger.warning("he could not write in room {}: {}", room, why)

    # --- typing -----------------------------------------------------------------------------------

    def typing(self, room: RoomId, on: bool) -> None:
        """Show that he writes until he is told to stop: others may wait for an answer after a post."""
        stop = self._typing.pop(room, None)
        if stop is not None:
            stop.set()
        if on and len(self._errands) < MOST_WAITING:
            stop = self._typing[room] = asyncio.Event()
            self._errands.run(self._type(room, stop))

    async def _type(self, room: RoomId, stop: asyncio.Event) -> None:
        channel = self._client.get_partial_messageable(int(room))
        try:
            async with asyncio.timeout(TYPING_SECONDS), channel.typing():
                await stop.wait()
        except FAILURES as failure:
            logger.debug("room {} does not see him type: {}", room, type(failure).__name__)

    # --- the play surface -------------------------------------------------------------------------

    def watch(self, room: RoomId, start: bool) -> None:
        """Invite to the activity in this voice channel, or take the invitation back."""
        self._errands.run(self._open(room) if start else self._close(room))

    async def _open(self, room: RoomId) -> None:
        channel = self._client.get_channel(int(room))
        if self._activity is None:
            self._opened(WatchOpened(room=room, url="", failed="no_activity"))
            return
        if not isinstance(channel, facts.VoiceRoom):
            self._opened(WatchOpened(room=room, url="", failed="no_such_room"))
            return
        try:
            async with asyncio.timeout(INVITE_SECONDS):
                invite = await channel.create_invite(
                    max_age=PLAY_SECONDS,
                    target_type=discord.InviteTarget.embedded_application,
                    target_application_id=self._activity,
                )
        except discord.Forbidden:
            logger.warning("he may not invite to an activity in room {} (Create Invite)", room)
            self._opened(WatchOpened(room=room, url="", failed="forbidden"))
        except FAILURES as failure:
            logger.warning("no invitation to an activity in room {}: {}", room, _why(failure))
            self._opened(WatchOpened(room=room, url="", failed="refused"))
        else:
            self._invites[room] = invite
            self._opened(WatchOpened(room=room, url=invite.url))

    async def _close(self, room: RoomId) -> None:
        invite = self._invites.pop(room, None)
        if invite is None:
            return
        try:
            async with asyncio.timeout(INVITE_SECONDS):
                await invite.delete()
        except FAILURES as failure:
            logger.debug("the invitation in room {} stays: {}", room, type(failure).__name__)


def _answer(room: RoomId, message: MessageId) -> discord.MessageReference:
    return discord.MessageReference(message_id=int(message), channel_id=int(room), fail_if_not_exists=False)


def _why(failure: Exception) -> str:
    if isinstance(failure, discord.HTTPException):
        return REFUSALS.get(failure.code, f"Discord says {failure.status} {failure.text}".rstrip())
    unanswered = isinstance(failure, aiohttp.ClientError | OSError)
    return "Discord does not answer" if unanswered else type(failure).__name__
