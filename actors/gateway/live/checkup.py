"""A look at the account from outside, over REST alone: what it may do where, and what would mend the rest."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import aiohttp
import discord

from actors.gateway.port import Finding

DEADLINE_SECONDS: Final = 20.0
PORTAL: Final = "https://discord.com/developers/applications"
NEEDED: Final = {
    "view_channel": "View Channels",
    "connect": "Connect",
    "speak": "Speak",
    "use_voice_activation": "Use Voice Activity",
    "send_messages": "Send Messages",
    "read_message_history": "Read Message History",
    "add_reactions": "Add Reactions",
    "create_public_threads": "Create Public Threads",
}
"""discord.py's name of each permission that he needs, and the developer portal's."""
VOICE: Final = ("view_channel", "connect", "speak", "use_voice_activation")
TEXT: Final = ("view_channel", "send_messages", "read_message_history", "add_reactions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """Whose account is looked at; guilds and channels are those that the configuration allows."""

    token: str
    proxy: str | None
    ca_file: Path | None
    guilds: tuple[int, ...]
    channels: tuple[int, ...]

    def __repr__(self) -> str:
        """Without the token."""
        return f"Patient(guilds={self.guilds}, channels={self.channels})"


def invite_url(application: int) -> str:
    """The address at which somebody who manages a server lets him in, with all that he needs and no more."""
    needed = discord.Permissions(**dict.fromkeys(NEEDED, True))
    return discord.utils.oauth_url(application, permissions=needed, scopes=("bot", "applications.commands"))


def application_of(patient: Patient) -> int | Finding:
    """The application's id, or what is wrong with the account."""

    async def ask() -> int | Finding:
        async with _logged_in(patient) as met:
            if isinstance(met, Finding):
                return met
            return (await met.application_info()).id

    return asyncio.run(ask())


def check(patient: Patient) -> tuple[Finding, ...]:
    """Log in, look and log out, within DEADLINE_SECONDS."""

    async def look() -> tuple[Finding, ...]:
        async with _logged_in(patient) as met:
            if isinstance(met, Finding):
                return (met,)
            return tuple([finding async for finding in _findings(met, patient)])

    async def in_time() -> tuple[Finding, ...]:
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                return await look()
        except TimeoutError:
            return (_unreachable(f"no answer in {DEADLINE_SECONDS:.0f} s"),)

    return asyncio.run(in_time())


@asynccontextmanager
async def _logged_in(patient: Patient) -> AsyncIterator[discord.Client | Finding]:
    trusted = ssl.create_default_context(cafile=patient.ca_file)
    connector = aiohttp.TCPConnector(limit=0, ssl=trusted)
    client = discord.Client(intents=discord.Intents.none(), connector=connector, proxy=patient.proxy)
    try:
        try:
            await client.login(patient.token)
        except discord.LoginFailure:
            yield Finding(
                name="token",
                ok=False,
                says="Discord does not know this token",
                remedy=f"make a new one at {PORTAL} (Bot, Reset Token) and put it where the old one was",
            )
            return
        except (aiohttp.ClientError, OSError, discord.HTTPException) as failure:
            yield _unreachable(type(failure).__name__)
            return
        yield client
    finally:
        await client.close()


def _unreachable(why: str) -> Finding:
    remedy = "look at the network, at [discord] proxy and at https://discordstatus.com"
    return Finding(name="discord", ok=False, says=f"Discord cannot be reached ({why})", remedy=remedy)


async def _findings(client: discord.Client, patient: Patient) -> AsyncIterator[Finding]:
    application = await client.application_info()
    name = client.user.name if client.user else application.name
    yield Finding(name="token", ok=True, says=f"it opens the account {name}")
    yield _intents(application)
    for guild_id in patient.guilds:
        async for finding in _guild(client, guild_id, patient, application.id):
            yield finding


def _intents(application: discord.AppInfo) -> Finding:
    flags = application.flags
    if flags.gateway_message_content or flags.gateway_message_content_limited:
        return Finding(name="intents", ok=True, says="he may read messages that do not mention him")
    return Finding(
        name="intents",
        ok=False,
        says="the message content intent is off: he cannot read messages that do not mention him",
        remedy=f"switch on Message Content Intent at {PORTAL} (Bot), or set [discord] read_messages = false",
    )


async def _guild(
    client: discord.Client, guild_id: int, patient: Patient, application: int
) -> AsyncIterator[Finding]:
    name = f"server {guild_id}"
    try:
        guild = await client.fetch_guild(guild_id)
        channels = await guild.fetch_channels()
        me = await guild.fetch_member(client.user.id if client.user else application)
    except (discord.NotFound, discord.Forbidden):
        remedy = f"let him in: {invite_url(application)} (or take the id out of [authority] guilds)"
        yield Finding(name=name, ok=False, says="he is not a member of it", remedy=remedy)
        return
    yield Finding(name=name, ok=True, says=f"he is a member of {guild.name}")
    for finding in _channels(me, channels, patient):
        yield finding


def _channels(
    me: discord.Member, channels: Sequence[discord.abc.GuildChannel], patient: Patient
) -> Iterator[Finding]:
    rooms = [one for one in channels if isinstance(one, discord.VoiceChannel | discord.TextChannel)]
    allowed = [one for one in rooms if not patient.channels or one.id in patient.channels]
    for channel in allowed:
        names = VOICE if isinstance(channel, discord.VoiceChannel) else TEXT
        permitted = channel.permissions_for(me)
        missing = [NEEDED[one] for one in names if not getattr(permitted, one)]
        yield Finding(
            name=f"channel {channel.name}",
            ok=not missing,
            says=f"he may not {', '.join(missing)} there" if missing else "he may do there what he needs",
            remedy="give his role these permissions, on the server or in the channel" if missing else "",
        )
