"""The account's eyes: whatever happens on Discord becomes one of the house's own words, in order.

No event is awaited in here, so what Discord said first is also told first.
"""

from __future__ import annotations

from collections.abc import Callable

import discord
from aiohttp import BaseConnector

from actors.gateway.live import facts
from actors.gateway.live.calls import hear_state
from actors.gateway.live.commands import Commands
from actors.gateway.live.errands import Errands
from actors.gateway.live.hindrances import Hindrances
from actors.gateway.live.rosters import Rosters
from actors.gateway.live.unread import UnruffledClient
from actors.switchboard import Switchboard
from messages.gateway import (
    GatewayAway,
    GatewayBack,
    GatewayPortEvent,
    GatewayReady,
    OwnVoiceMoved,
    RoomLost,
    RoomSeen,
)

GUILD_SECONDS = 0.3
"""So long after the last guild he is ready; one that comes later is told as it comes."""


def intents(message_content: bool) -> discord.Intents:
    """The least that he needs; without the content he reads only what is written to him."""
    wanted = discord.Intents.none()
    wanted.guilds = wanted.voice_states = wanted.guild_messages = wanted.dm_messages = True
    wanted.message_content = message_content
    return wanted


class AccountClient(UnruffledClient):
    """One connection of the account, with all that discord.py does to keep it."""

    def __init__(
        self,
        *,
        tell: Callable[[GatewayPortEvent], None],
        board: Switchboard,
        online: Callable[[bool], None],
        commands: Callable[[discord.Client], Commands],
        pressed: Callable[[discord.Interaction[discord.Client]], None],
        message_content: bool,
        proxy: str | None,
        connector: BaseConnector | None,
    ) -> None:
        super().__init__(
            intents=intents(message_content),
            proxy=proxy,
            connector=connector,
            guild_ready_timeout=GUILD_SECONDS,
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self._tell, self._board, self._online, self._pressed = tell, board, online, pressed
        self.commands = commands(self)
        self._settled = False
        self._away = False
        self._errands = Errands()
        self._rosters = Rosters(tell, self._errands)
        self._hindrances = Hindrances(tell, self._errands)

    @property
    def himself(self) -> int:
        """His id; only once he has logged in."""
        return 0 if self.user is None else self.user.id

    async def let_go(self) -> None:
        """Drop what was still being looked up or greeted."""
        await self._errands.let_go()

    # --- the connection ---------------------------------------------------------------------------

    async def on_connect(self) -> None:
        """A new session begins: what comes before it is complete is part of it, and no news."""
        self._settled = False

    async def on_ready(self) -> None:
        """He knows all his guilds, perhaps not for the first time; one in an outage comes later."""
        if self.user is None:
            return
        self._settled, self._away = True, False
        self._hindrances.forget()
        self._rosters.forget()
        guilds = [guild for guild in self.guilds if not guild.unavailable]
        rooms = [room for guild in guilds for room in facts.rooms_of(guild)]
        self._board.ready(self.himself, {facts.room_id(room.id): room.guild.id for room in rooms})
        found = [moved for guild in guilds for moved in self._found(guild)]
        self._online(True)
        ready = GatewayReady(account=facts.person_of(self.user), rooms=tuple(map(facts.room_of, rooms)))
        self._tell(ready)
        for room in rooms:
            self._rosters.tell(room, self.himself)
        for moved in found:
            self._tell(moved)
        for guild in guilds:
            self._hindrances.tell(guild, guild.me.voice)
            self._errands.run(self.commands.offer(guild))

    async def on_disconnect(self) -> None:
        """discord.py sees to it that he comes back, with the same session if it can."""
        self._online(False)
        if self._settled and not self._away:
            self._away = True
            self._tell(GatewayAway(reason="disconnected"))

    async def on_resumed(self) -> None:
        """He is back and has missed nothing."""
        self._online(True)
        self._board.resumed()
        if self._away:
            self._away = False
            self._tell(GatewayBack())

    # --- guilds and rooms -------------------------------------------------------------------------

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """He was invited."""
        if self._settled:
            self._tell_guild(guild)
            self._errands.run(self.commands.offer(guild))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """It came late, or back after an outage."""
        await self.on_guild_join(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """He was thrown out."""
        for room in facts.rooms_of(guild):
            self._lost(room)

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """Perhaps a new room."""
        if self._settled and isinstance(channel, facts.VoiceRoom):
            self._seen(channel)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Perhaps a room with a new name, or one that he may enter now, or no longer."""
        if not (self._settled and isinstance(before, facts.VoiceRoom) and isinstance(after, facts.VoiceRoom)):
            return
        if facts.room_of(before) != facts.room_of(after):
            self._tell(RoomSeen(room=facts.room_of(after)))

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Perhaps he may enter more rooms, or fewer."""
        if before.permissions != after.permissions:
            self._permitted(after.guild)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """He may have had it."""
        self._permitted(role.guild)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Discord tells it of himself, whatever his intents."""
        if after.id == self.himself and before.roles != after.roles:
            self._permitted(after.guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Perhaps a room less."""
        if isinstance(channel, facts.VoiceRoom):
            self._lost(channel)

    # --- people -----------------------------------------------------------------------------------

    async def on_voice_state_update(
        self, member: discord.Member, before: discord.VoiceState, after: discord.VoiceState
    ) -> None:
        """Somebody came, went or moved; a microphone that opens or closes is no news, but for his own."""
        if not self._settled:
            return
        if member.id == self.himself:
            self._own_state(member.guild, after)
        else:
            left, now = (None if one.channel is None else one.channel.id for one in (before, after))
            self._rosters.moved(member, left, now)

    async def on_message(self, message: discord.Message) -> None:
        """Somebody wrote; in a guild that is not known nobody is, and private is only what is private."""
        if message.guild is None and not isinstance(message.channel, discord.DMChannel):
            return
        if self._settled and message.author.id != self.himself and message.type in facts.SAID:
            self._tell(facts.message_of(message, self.himself))

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Somebody took a message back, or had it deleted; whose it was, Discord does not say."""
        if self._settled:
            self._tell(facts.gone(payload.channel_id, payload.message_id))

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Somebody tidied up."""
        if self._settled:
            for message in sorted(payload.message_ids):
                self._tell(facts.gone(payload.channel_id, message))

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        """Perhaps a button; what is typed goes to the commands by itself."""
        self._pressed(interaction)

    # --- inside -----------------------------------------------------------------------------------

    def _own_state(self, guild: discord.Guild, after: discord.VoiceState) -> None:
        if after.channel is None and guild.voice_client is None:
            # He was there from an earlier life, and no call of ours overhears it.
            hear_state(self._board, self._tell, guild.id, None, None)
        self._hindrances.tell(guild, None if after.channel is None else after)

    def _found(self, guild: discord.Guild) -> tuple[OwnVoiceMoved, ...]:
        voice = guild.me.voice
        channel = None if voice is None or voice.channel is None else voice.channel.id
        session = None if voice is None else voice.session_id
        if not self._board.found(guild.id, session, channel) or channel is None:
            return ()
        return (OwnVoiceMoved(guild=facts.guild_id(guild.id), room=facts.room_id(channel)),)

    def _tell_guild(self, guild: discord.Guild) -> None:
        for room in facts.rooms_of(guild):
            self._seen(room)
        for moved in self._found(guild):
            self._tell(moved)
        self._hindrances.tell(guild, guild.me.voice)

    def _seen(self, channel: facts.VoiceRoom) -> None:
        self._board.sees(facts.room_id(channel.id), channel.guild.id)
        self._tell(RoomSeen(room=facts.room_of(channel)))
        self._rosters.tell(channel, self.himself)

    def _permitted(self, guild: discord.Guild) -> None:
        if self._settled:
            for room in facts.rooms_of(guild):
                self._tell(RoomSeen(room=facts.room_of(room)))

    def _lost(self, channel: facts.VoiceRoom) -> None:
        self._tell(RoomLost(room=facts.room_id(channel.id)))
