"""Who sits in which voice channel, and the way there: a request, a state, a server."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from tests.loopback.discord import shapes
from tests.loopback.discord.body import Body
from tests.loopback.discord.gateway import Gateway
from tests.loopback.discord.place import VoicePlace
from tests.loopback.discord.session import Intent
from tests.loopback.discord.world import SPOKEN, ChannelKind, ChannelState, GuildState, VoiceState, World


class Calls:
    """Changes voice states and tells of them; everything here happens on the loop's thread.

    The bot's seat outlives his sessions: he has to get up himself, or be put out.
    """

    def __init__(self, world: World, gateway: Gateway, place: VoicePlace) -> None:
        self.server_first = False
        """Whether the server update goes out before the state update: Discord promises no order."""
        self.unanswered = 0
        """How many of the next requests (op 4) for a channel nobody answers."""
        self.without_server = 0
        """How many of the next ones are answered with a state alone."""
        self.null_endpoint_first = 0
        """How many of the next ones are first told that no server is available yet."""
        self.with_members = True
        """Whether voice states of others name the member, as Discord does."""
        self.requests: list[tuple[int, int | None]] = []
        """Every op 4 that the account sent: the guild, and the channel or none."""
        self._world = world
        self._gateway = gateway
        self._place = place
        gateway.on_voice = self.asked

    def asked(self, said: Body, session: str) -> None:
        """The account asked (op 4) to be in a channel, or in none."""
        guild = self._world.guilds.get(said.number("guild_id"))
        wanted = said.number("channel_id") or None
        if guild is None:
            return
        self.requests.append((guild.id, wanted))
        bot = self._world.bot.id
        if wanted is None:
            self.leave(guild, bot)
            return
        if self.unanswered:
            self.unanswered -= 1
            return
        channel = guild.channels.get(wanted)
        if channel is None or channel.kind not in SPOKEN or not self._world.may(bot, channel, "connect"):
            return  # Discord does not say so either
        self._seat_bot(guild, channel, self_mute=said.flag("self_mute"), self_deaf=said.flag("self_deaf"))

    def _seat_bot(
        self, guild: GuildState, channel: ChannelState, *, self_mute: bool, self_deaf: bool
    ) -> None:
        """Join, move, change his own microphone, or answer again where nothing changes."""
        state = guild.voice.get(self._world.bot.id)
        stays = state is not None and state.channel == channel.id
        if state and stays and (state.self_mute, state.self_deaf) != (self_mute, self_deaf):
            state.self_mute, state.self_deaf = self_mute, self_deaf
            self.tell_state(guild, self._world.bot.id)
        else:
            self.join(guild, channel, self._world.bot.id, self_mute=self_mute, self_deaf=self_deaf)

    def join(
        self,
        guild: GuildState,
        channel: ChannelState,
        who: int,
        *,
        self_mute: bool = False,
        self_deaf: bool = False,
    ) -> None:
        """Seat a user, or move him; the bot hears of his server after that, with `server_first` before it."""
        before = guild.voice.get(who)
        audience = channel.kind is ChannelKind.STAGE and not self._world.may(who, channel, "mute_members")
        guild.voice[who] = VoiceState(
            channel=channel.id,
            session=before.session if before else secrets.token_hex(16),
            self_mute=self_mute,
            self_deaf=self_deaf,
            suppress=audience,
        )
        if who == self._world.bot.id and self.server_first:
            self._move_line(guild, who, before, channel)
            self.tell_state(guild, who)
        else:
            self.tell_state(guild, who)
            self._move_line(guild, who, before, channel)

    def leave(self, guild: GuildState, who: int) -> None:
        """Unseat a user, whoever wants it so; nothing happens to him who sits nowhere."""
        state = guild.voice.pop(who, None)
        if state:
            self.tell_state(guild, who, left=state.session)
            self._place.dismiss(guild.id, who)

    def tell_state(self, guild: GuildState, who: int, *, left: str = "") -> None:
        """Tell everybody where a user sits now."""
        named = self.with_members or who == self._world.bot.id
        shape = shapes.voice_state(guild, who, guild.voice.get(who), left=left, with_member=named)
        self._gateway.tell("VOICE_STATE_UPDATE", shape, Intent.VOICE_STATES)

    def tell_server(self, guild: GuildState, *, null_endpoint: bool = False) -> None:
        """Send the bot to a voice server for the channel where he sits, or tell him to wait for one."""
        bot = self._world.bot.id
        state = guild.voice[bot]
        token, endpoint = secrets.token_hex(8), None
        if not null_endpoint:
            token, endpoint = self._place.admit(guild.id, state.channel, bot, state.session)
        update = {"token": token, "guild_id": str(guild.id), "endpoint": endpoint}
        self._gateway.tell("VOICE_SERVER_UPDATE", dict(update))

    def suppress(self, guild: GuildState, who: int, *, suppressed: bool) -> None:
        """Put a user among the audience of a stage, or let him speak."""
        state = guild.voice[who]
        state.suppress, state.asked_to_speak = suppressed, None
        self.tell_state(guild, who)

    def ask_to_speak(self, guild: GuildState, who: int, *, asks: bool) -> None:
        """Raise a hand on a stage, or take it down."""
        guild.voice[who].asked_to_speak = datetime.now(UTC).isoformat() if asks else None
        self.tell_state(guild, who)

    def _move_line(
        self, guild: GuildState, who: int, before: VoiceState | None, channel: ChannelState
    ) -> None:
        """End the connection to the channel that was left; tell the bot of the next."""
        if before and before.channel != channel.id:
            self._place.dismiss(guild.id, who)
        if who != self._world.bot.id:
            return
        if self.without_server:
            self.without_server -= 1
            return
        if self.null_endpoint_first:
            self.null_endpoint_first -= 1
            self.tell_server(guild, null_endpoint=True)
        self.tell_server(guild)
