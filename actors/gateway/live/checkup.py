"""A look at the account from outside, over REST alone: who he is, where he is, and what he may do there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import aiohttp
import discord

from actors.gateway.live.session import trusted
from actors.gateway.live.trouble import NoBot
from actors.gateway.live.verdict import (
    about_absent,
    about_content,
    about_failure,
    about_rooms,
    about_silence,
    invite_url,
    printable,
    room_of,
)
from actors.gateway.port import Finding

DEADLINE_SECONDS: Final = 20.0
"""How long the login may take, and then each server."""
HANG_UP_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """Whose account is looked at; guilds and channels are those that the configuration allows."""

    token: str = field(repr=False)
    proxy: str | None = field(repr=False)
    ca_file: Path | None
    guilds: tuple[int, ...]
    channels: tuple[int, ...]
    read_messages: bool


def check(patient: Patient, seconds: float = DEADLINE_SECONDS) -> tuple[Finding, ...]:
    """Log in, look and log out; whatever goes wrong is the last finding."""
    return tuple(_visit(patient, seconds).findings)


def application_of(patient: Patient, seconds: float = DEADLINE_SECONDS) -> int | Finding:
    """The application's id, or what is wrong with the account."""
    visit = _visit(replace(patient, guilds=(), channels=()), seconds)
    return visit.findings[-1] if visit.application is None else visit.application


def _visit(patient: Patient, seconds: float) -> _Visit:
    visit = _Visit(patient, seconds)
    asyncio.run(visit.run())
    return visit


class _Visit:
    """One login, from which findings are taken as they come."""

    def __init__(self, patient: Patient, seconds: float) -> None:
        self.findings: list[Finding] = []
        self.application: int | None = None
        self._patient, self._seconds = patient, seconds
        self._last: int | None = None
        self._rooms_found: set[int] = set()

    async def run(self) -> None:
        """Look, and never raise."""
        try:
            client = self._client()
        except OSError as failure:
            file = self._patient.ca_file
            says = f"[discord] ca_file: {file} cannot be used ({type(failure).__name__})"
            remedy = "name a readable file with certificates in PEM, or take it out"
            self.findings.append(Finding(name="ca_file", ok=False, says=says, remedy=remedy))
            return
        try:
            async with asyncio.timeout(self._seconds) as patience:
                await self._look(client, patience)
        except TimeoutError:
            self.findings.append(about_silence(self._seconds, self._last))
        except Exception as failure:
            self.findings.append(about_failure(failure))
        finally:
            await _hang_up(client)

    def _client(self) -> discord.Client:
        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(self._answered)
        verified = trusted(self._patient.ca_file) or True
        return discord.Client(
            intents=discord.Intents(guilds=True),
            proxy=self._patient.proxy,
            connector=aiohttp.TCPConnector(limit=0, ssl=verified),
            http_trace=trace,
        )

    async def _answered(
        self, _session: aiohttp.ClientSession, _of: SimpleNamespace, end: aiohttp.TraceRequestEndParams
    ) -> None:
        self._last = end.response.status

    async def _look(self, client: discord.Client, patience: asyncio.Timeout) -> None:
        await client.login(self._patient.token)
        if client.user is None or not client.user.bot:
            raise NoBot
        application = await client.application_info()
        self.application = application.id
        says = f"it opens the account {printable(client.user.name)}"
        self.findings.append(Finding(name="token", ok=True, says=says))
        called = f"{printable(application.name)}, id {application.id}"
        self.findings.append(Finding(name="application", ok=True, says=called))
        flags = application.flags
        granted = flags.gateway_message_content or flags.gateway_message_content_limited
        self.findings.append(about_content(granted=granted, wanted=self._patient.read_messages))
        for guild in self._patient.guilds:
            patience.reschedule(asyncio.get_running_loop().time() + self._seconds)
            await self._look_into(client, guild, client.user.id, application.id)
        self.findings += about_absent(frozenset(self._patient.channels), frozenset(self._rooms_found))

    async def _look_into(self, client: discord.Client, guild_id: int, user: int, application: int) -> None:
        try:
            guild = await client.fetch_guild(guild_id, with_counts=False)
            channels = await guild.fetch_channels()
            me = await guild.fetch_member(user)
        except (discord.NotFound, discord.Forbidden):
            remedy = f"let him in: {invite_url(application)} (or take the id out of [authority] guilds)"
            says = "he is not a member of it"
            self.findings.append(Finding(name=f"server {guild_id}", ok=False, says=says, remedy=remedy))
            return
        name = printable(guild.name)
        says = f"he is a member, with {len(channels)} channels"
        self.findings.append(Finding(name=f"server {name}", ok=True, says=says))
        self._look_around(name, me, channels)

    def _look_around(
        self, guild: str, me: discord.Member, channels: Sequence[discord.abc.GuildChannel]
    ) -> None:
        chosen = frozenset(self._patient.channels)
        spoken = [one for one in channels if isinstance(one, discord.VoiceChannel | discord.StageChannel)]
        self._rooms_found |= {one.id for one in spoken}
        voice = [one for one in spoken if isinstance(one, discord.VoiceChannel)]
        rooms = [room_of(one, me) for one in voice if not chosen or one.id in chosen]
        self.findings += about_rooms(f"voice in {guild}", rooms, chosen)
        written = [room_of(one, me) for one in channels if isinstance(one, discord.TextChannel)]
        self.findings += about_rooms(f"text in {guild}", written)


async def _hang_up(client: discord.Client) -> None:
    """End every connection; one that does not want to end is dropped."""
    try:
        async with asyncio.timeout(HANG_UP_SECONDS):
            await client.close()
    except Exception:
        await client.http.close()
