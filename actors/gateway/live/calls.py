"""Of Discord's voice this process only orders and overhears: the sound itself is another process's business.

The traps of discord.VoiceProtocol are met here: an object that failed to connect, was put out or is
out of date must not stay registered, and must not unregister a newer one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import discord
from discord.types.voice import GuildVoiceState, VoiceServerUpdate
from loguru import logger

from actors.gateway.live import facts
from actors.gateway.live.errands import Errands
from actors.net.loop import IoLoop
from actors.switchboard import ANSWER_SECONDS, Switchboard
from messages.gateway import OwnVoiceMoved

NULL_SECONDS = 5.0
"""How long a farewell waits for Discord's word that he is out."""
SEND_SECONDS = 3.0

Moved = Callable[[OwnVoiceMoved], None]


class Call(discord.VoiceProtocol):
    """His voice in one guild as discord.py sees it; it passes on what Discord says and does nothing else."""

    def __init__(
        self, client: discord.Client, room: facts.VoiceRoom, *, board: Switchboard, moved: Moved
    ) -> None:
        super().__init__(client, room)
        self._room, self._guild = room, room.guild
        self._board, self._moved = board, moved
        self._out = asyncio.Event()

    async def connect(
        self,
        *,
        timeout: float,  # noqa: ASYNC109 - discord.py calls it so
        reconnect: bool,
        self_deaf: bool = False,
        self_mute: bool = False,
    ) -> None:
        """Send op 4 and be done: whether there is sound is for the link to say."""
        try:
            await self._guild.change_voice_state(channel=self._room, self_mute=self_mute, self_deaf=self_deaf)
        except BaseException:
            # discord.py leaves it registered after anything but a TimeoutError.
            self.cleanup()
            raise

    async def on_voice_state_update(self, data: GuildVoiceState, /) -> None:
        """Pass on where he is. Nothing is awaited: each update has a task, and they must not overtake."""
        if not self._is_registered():
            return
        # Empty when he is out, whatever its type says.
        where = int(data["channel_id"] or 0) or None
        if where is None:
            # Nobody else takes it away after a kick.
            self.cleanup()
            self._out.set()
        hear_state(self._board, self._moved, self._guild.id, data["session_id"], where)

    async def on_voice_server_update(self, data: VoiceServerUpdate, /) -> None:
        """Pass on a voice server."""
        if self._is_registered():
            self._board.heard_server(self._guild.id, data["token"], data["endpoint"])

    async def disconnect(self, *, force: bool) -> None:
        """Leave, and wait until Discord has said so, lest its word reaches the next call of this guild.

        By `force`, as discord.py does it when its connection has ended, nobody is left to say it to.
        """
        if force:
            self.cleanup()
            return
        try:
            async with asyncio.timeout(NULL_SECONDS):
                await self._guild.change_voice_state(channel=None)
                await self._out.wait()
        except TimeoutError:
            logger.debug("Discord has not confirmed that he left guild {}", self._guild.id)
        finally:
            self.cleanup()

    def cleanup(self) -> None:
        """Be forgotten by discord.py, unless a newer call of this guild stands there."""
        if self._is_registered():
            super().cleanup()

    def _is_registered(self) -> bool:
        return any(call is self for call in self.client.voice_clients)


def hear_state(
    board: Switchboard, moved: Moved, guild: int, session: str | None, channel: int | None
) -> None:
    """His own voice state, for the switchboard, and for the gateway where it is news."""
    if board.heard_state(guild, session, channel):
        room = None if channel is None else facts.room_id(channel)
        moved(OwnVoiceMoved(guild=facts.guild_id(guild), room=room))


class Orders:
    """Carries out what the switchboard orders, on whichever client there is; one order at a time."""

    def __init__(self, loop: IoLoop, board: Switchboard, moved: Moved) -> None:
        self._loop, self._board, self._moved = loop, board, moved
        self._client: discord.Client | None = None
        self._in_turn = asyncio.Lock()
        self._sending = Errands()
        self._watches: dict[int, asyncio.TimerHandle] = {}

    def dial(self, guild: int, channel: int) -> None:
        """Send op 4 for this channel, from any thread."""
        self._loop.call(self._begin, guild, channel)

    def hang_up(self, guild: int) -> None:
        """Send op 4 without a channel, from any thread."""
        self._loop.call(self._begin, guild, None)

    def use(self, client: discord.Client | None) -> None:
        """On the loop: send through this client from now on; orders without one stay unanswered."""
        self._client = client

    async def close(self) -> None:
        """On the loop: forget what is under way."""
        self._client = None
        for watch in self._watches.values():
            watch.cancel()
        await self._sending.let_go()

    def _begin(self, guild: int, channel: int | None) -> None:
        self._sending.run(self._send(guild, channel))

    async def _send(self, guild: int, channel: int | None) -> None:
        """Whether it was sent or not: if no answer comes, the switchboard hears of that."""
        async with self._in_turn:
            order = self._board.order(guild)
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await self._op4(guild, channel)
            except Exception as failure:
                logger.debug("op 4 to guild {} was not sent: {}", guild, type(failure).__name__)
        watch = self._watches.pop(guild, None)
        if watch is not None:
            watch.cancel()
        loop = asyncio.get_running_loop()
        self._watches[guild] = loop.call_later(ANSWER_SECONDS, self._board.overdue, guild, order)

    async def _op4(self, guild: int, channel: int | None) -> None:
        known = None if self._client is None else self._client.get_guild(guild)
        if known is None:
            return
        room = None if channel is None else known.get_channel(channel)
        if isinstance(room, discord.VoiceChannel | discord.StageChannel) and known.voice_client is None:
            await room.connect(
                cls=lambda client, _: Call(client, room, board=self._board, moved=self._moved),
                timeout=SEND_SECONDS,
                reconnect=False,
            )
        else:
            target = None if channel is None else discord.Object(channel)
            await known.change_voice_state(channel=target)
