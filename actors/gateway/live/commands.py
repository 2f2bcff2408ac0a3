"""Whoever types /clankie is acknowledged at once, and answered when the house has decided."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeAlias, TypeVar

import discord
from discord import app_commands
from loguru import logger

from actors.gateway.live import facts, phrases, replies
from actors.gateway.live.replies import Disclosure
from actors.gateway.live.slip import Slip
from actors.gateway.live.trouble import FAILURES
from actors.life import blame
from actors.net.loop import IoLoop
from messages.gateway import (
    AskedBy,
    Asker,
    ConsentAnswered,
    ConsentAsked,
    ForgetAnswered,
    ForgetAsked,
    JoinAnswer,
    Joined,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    MemoriesAsked,
    NotesAnswered,
    SlashOrder,
    StatusAnswered,
    StatusAsked,
    WatchAnswered,
    WatchAsked,
)
from messages.mailbox import Mailbox

ANSWER_SECONDS = 20.0
"""How long the house may think; it has deadlines of its own that are shorter, but for joining."""
GRACE_SECONDS = 5.0
SEND_SECONDS = 10.0

T = TypeVar("T")
Interaction: TypeAlias = discord.Interaction[discord.Client]
Order: TypeAlias = Callable[[Asker], Coroutine[object, object, str]]


class Commands:
    """The slash commands of one client, synced to each guild once."""

    def __init__(
        self,
        client: discord.Client,
        tell: Callable[[SlashOrder], None],
        *,
        loop: IoLoop,
        disclosure: Disclosure,
        join_seconds: float,
    ) -> None:
        self._tell, self._loop = tell, loop
        self._disclosure, self._join_seconds = disclosure, join_seconds + GRACE_SECONDS
        self._tree = app_commands.CommandTree(client)
        self._tree.add_command(self._group())
        self._tree.error(_not_carried_out)
        self._synced: set[int] = set()
        self._answering: set[asyncio.Task[object]] = set()

    async def finish(self, seconds: float) -> None:
        """Wait so long for those answers that are on their way."""
        if self._answering:
            await asyncio.wait(self._answering, timeout=seconds)

    async def offer(self, guild: discord.Guild) -> None:
        """Let Discord show the commands in this guild; once is enough for one client."""
        if guild.id in self._synced:
            return
        self._synced.add(guild.id)
        self._tree.copy_global_to(guild=guild)
        try:
            await self._tree.sync(guild=guild)
        except discord.Forbidden:
            logger.warning(
                "guild {} shows no commands: invite him again, with applications.commands", guild.id
            )
        except FAILURES as failure:
            self._synced.discard(guild.id)
            logger.warning("guild {} shows no commands: {}", guild.id, type(failure).__name__)

    # --- what is offered --------------------------------------------------------------------------

    def _group(self) -> app_commands.Group:
        group = app_commands.Group(
            name="clankie", description="Clankie in your voice channel", guild_only=True
        )
        for command in (
            self._command("join", "Call me into your voice channel, and let me hear you", self._join),
            self._command("leave", "Send me out of the voice channel", self._leave),
            self._command("status", "How I am, here", self._status),
            self._command("voice-status", "Whom I hear, and how the call is protected", self._voice_status),
            self._command("memories", "What I have noted about you", self._memories),
            self._command("forget-me", "Hear me no longer, and forget what I said", self._forget),
        ):
            group.add_command(command)
        consent = app_commands.Group(name="voice-consent", description="Whether I may hear you", parent=group)
        consent.add_command(self._command("opt-in", "Let me hear you in this channel", self._opt_in))
        consent.add_command(self._command("opt-out", "Let me hear you no longer", self._opt_out))
        watch = app_commands.Group(name="watch", description="Something to watch together", parent=group)
        watch.add_command(self._command("start", "Open it in your voice channel", self._watch_start))
        watch.add_command(self._command("stop", "Close it", self._watch_stop))
        return group

    def _command(
        self, name: str, description: str, order: Order
    ) -> app_commands.Command[app_commands.Group, [], None]:
        async def typed(interaction: Interaction) -> None:
            answering = asyncio.create_task(self._typed(interaction, order))
            self._answering.add(answering)
            answering.add_done_callback(self._answering.discard)
            await answering

        return app_commands.Command(name=name, description=description, callback=typed)

    async def _typed(self, interaction: Interaction, order: Order) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await interaction.response.defer(ephemeral=True, thinking=True)
        except FAILURES as failure:
            logger.warning("a command was not carried out, it came too late: {}", type(failure).__name__)
            return
        try:
            if interaction.guild_id is None:
                answer = phrases.GUILD_ONLY
            else:
                answer = await order(facts.asker_of(interaction.user, interaction.guild_id))
        except Exception as failure:
            logger.error("a command broke: {}", blame(failure))
            answer = phrases.BROKEN
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await interaction.edit_original_response(
                    content=answer, allowed_mentions=discord.AllowedMentions.none()
                )
        except FAILURES as failure:
            logger.warning("a command was carried out but not answered: {}", type(failure).__name__)

    # --- what is asked of the house ---------------------------------------------------------------

    async def _ask(
        self, order: Callable[[Mailbox[T]], SlashOrder], seconds: float = ANSWER_SECONDS
    ) -> T | None:
        slip = Slip[T](self._loop)
        self._tell(order(slip))
        return await slip.wait(seconds)

    async def _known(self, asker: Asker) -> StatusAnswered | None:
        return await self._ask(lambda slip: StatusAsked(asker=asker, reply_to=slip))

    async def _join(self, asker: Asker) -> str:
        def order(slip: Mailbox[JoinAnswer]) -> SlashOrder:
            return JoinVoice(asked_by=AskedBy.SLASH, reply_to=slip, asker=asker)

        answer = await self._ask(order, self._join_seconds)
        known = await self._known(asker) if isinstance(answer, Joined) else None
        return replies.join(answer, known, self._disclosure)

    async def _leave(self, asker: Asker) -> str:
        def order(slip: Mailbox[LeaveAnswered]) -> SlashOrder:
            return LeaveVoice(asked_by=AskedBy.SLASH, reply_to=slip, asker=asker)

        return replies.leave(await self._ask(order))

    async def _status(self, asker: Asker) -> str:
        return replies.status(await self._known(asker))

    async def _voice_status(self, asker: Asker) -> str:
        return replies.voice_status(await self._known(asker), self._disclosure)

    async def _memories(self, asker: Asker) -> str:
        def order(slip: Mailbox[NotesAnswered]) -> SlashOrder:
            return MemoriesAsked(asker=asker, reply_to=slip)

        return replies.memories(await self._ask(order))

    async def _forget(self, asker: Asker) -> str:
        def order(slip: Mailbox[ForgetAnswered]) -> SlashOrder:
            return ForgetAsked(asker=asker, reply_to=slip)

        return replies.forget(await self._ask(order))

    async def _opt_in(self, asker: Asker) -> str:
        answer = await self._consent(asker, granted=True)
        known = await self._known(asker)
        return replies.consent(answer, None if known is None else known.facts, self._disclosure)

    async def _opt_out(self, asker: Asker) -> str:
        return replies.consent(await self._consent(asker, granted=False), None, self._disclosure)

    async def _consent(self, asker: Asker, *, granted: bool) -> ConsentAnswered | None:
        def order(slip: Mailbox[ConsentAnswered]) -> SlashOrder:
            return ConsentAsked(person=asker.person.id, granted=granted, guild=asker.guild, reply_to=slip)

        return await self._ask(order)

    async def _watch_start(self, asker: Asker) -> str:
        return await self._watch(asker, start=True)

    async def _watch_stop(self, asker: Asker) -> str:
        return await self._watch(asker, start=False)

    async def _watch(self, asker: Asker, *, start: bool) -> str:
        def order(slip: Mailbox[WatchAnswered]) -> SlashOrder:
            return WatchAsked(asker=asker, start=start, reply_to=slip)

        return replies.watch(await self._ask(order))


async def _not_carried_out(_: Interaction, error: app_commands.AppCommandError) -> None:
    """One that we do not offer, as an earlier life may have, or whose answer from Discord nobody can read."""
    logger.warning("a command was not carried out: {}", type(error.__cause__ or error).__name__)
