"""What he may not do on somebody's word alone waits for a button, and a button knows who pressed it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, TypeAlias, cast

import discord
from loguru import logger

from actors.gateway.live import facts, phrases, refusals
from actors.gateway.live.errands import Errands
from actors.gateway.live.slip import Slip
from actors.gateway.live.trouble import FAILURES
from actors.gateway.live.writing import MOST_CHARACTERS, NOBODY
from actors.net.loop import IoLoop
from messages.gateway import ButtonAnswered, ButtonOutcome, ButtonPressed, ConfirmFailed
from messages.ids import ConfirmationId, RoomId, new_id

MOST_OPEN = 64
MOST_PRESSES = 64
"""So many presses may wait for an answer; one more fails, as Discord shows to whoever pressed."""
SHOW_SECONDS = 10.0
ANSWER_SECONDS = 10.0
"""How long the house may think about a press."""
SEND_SECONDS = 10.0
_MARK: Final = "clankie"
_YES, _NO = "yes", "no"

Pressed: TypeAlias = Callable[[ButtonPressed | ConfirmFailed], None]
Interaction: TypeAlias = discord.Interaction[discord.Client]


@dataclass(slots=True, kw_only=True)
class _Question:
    """One message with buttons, or one that is on its way (no `message` yet)."""

    confirmation: ConfirmationId
    room: int
    text: str = field(repr=False)
    message: int | None = None
    outcome: str = ""
    """What came of it, once that is known."""


class Buttons:
    """Questions with two buttons each, through whichever client there is; all is called on the loop."""

    def __init__(self, loop: IoLoop, tell: Pressed) -> None:
        self._loop, self._tell = loop, tell
        self._errands = Errands()
        self._client: discord.Client | None = None
        self._open: dict[str, _Question] = {}
        """By what their buttons carry: a name of the house's own may be too long for it."""

    def use(self, client: discord.Client | None) -> None:
        """Ask through this client from now on; what was asked through another stays open."""
        self._client = client

    async def let_go(self) -> None:
        """End what is under way."""
        await self._errands.let_go()

    # --- asking -----------------------------------------------------------------------------------

    def confirm(self, confirmation: ConfirmationId, room: RoomId, text: str) -> None:
        """Show the question; what goes wrong is answered with ConfirmFailed."""
        if self._client is None or len(self._open) >= MOST_OPEN:
            self._tell(ConfirmFailed(confirmation=confirmation, failed="refused"))
            return
        key = _key(confirmation)
        asked = _Question(confirmation=confirmation, room=int(room), text=text[:MOST_CHARACTERS])
        self._open[key] = asked
        self._errands.run(self._show(self._client, key, asked))

    async def _show(self, client: discord.Client, key: str, asked: _Question) -> None:
        failed = "refused"
        try:
            channel = client.get_partial_messageable(asked.room)
            view = _buttons(key)
            async with asyncio.timeout(SHOW_SECONDS):
                shown = await channel.send(asked.text, view=view, allowed_mentions=NOBODY, nonce=new_id())
            view.stop()  # who presses is heard of without discord.py's book of views
            asked.message, failed = shown.id, ""
        except FAILURES as failure:
            failed = "forbidden" if refusals.code(failure) == "forbidden" else "refused"
            logger.warning("nobody can be asked in room {}: {}", asked.room, refusals.words(failure))
        finally:
            if failed:
                self._open.pop(key, None)
                self._tell(ConfirmFailed(confirmation=asked.confirmation, failed=failed))
        if asked.outcome:
            await self._take_away(client, asked)

    # --- settling ---------------------------------------------------------------------------------

    def settle(self, confirmation: ConfirmationId, outcome: str) -> None:
        """Take the buttons away and show what came of it."""
        asked = self._open.pop(_key(confirmation), None)
        if asked is None:
            return
        asked.outcome = outcome
        if asked.message is not None and self._client is not None:
            self._errands.run(self._take_away(self._client, asked))

    async def _take_away(self, client: discord.Client, asked: _Question) -> None:
        if asked.message is None:
            return
        words = phrases.SETTLED.get(asked.outcome, phrases.SETTLED["dropped"])
        message = client.get_partial_messageable(asked.room).get_partial_message(asked.message)
        content = f"{asked.text[: MOST_CHARACTERS - len(words) - 1]}\n{words}"
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await message.edit(content=content, view=None, allowed_mentions=NOBODY)
        except FAILURES as failure:
            logger.debug("the buttons in room {} stay: {}", asked.room, type(failure).__name__)

    # --- being pressed ----------------------------------------------------------------------------

    def pressed(self, interaction: Interaction) -> None:
        """Somebody used a component of a message; perhaps a button of ours, perhaps of an earlier life."""
        if interaction.type is not discord.InteractionType.component:
            return
        said = cast("Mapping[str, object]", interaction.data or {})
        mark, _, rest = str(said.get("custom_id", "")).partition(":")
        key, _, word = rest.partition(":")
        if mark == _MARK and len(self._errands) >= MOST_PRESSES:
            logger.warning("too many press buttons at once: one was not heard of")
        elif mark == _MARK:
            self._errands.run(self._answer(interaction, key, granted=word == _YES))

    async def _answer(self, interaction: Interaction, key: str, *, granted: bool) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await interaction.response.defer(ephemeral=True, thinking=True)
        except FAILURES as failure:
            logger.warning("a button was pressed and not heard of in time: {}", type(failure).__name__)
            return
        words = phrases.PRESSED[await self._decided(interaction, key, granted=granted)]
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await interaction.edit_original_response(content=words, allowed_mentions=NOBODY)
        except FAILURES as failure:
            logger.warning("a button was heard of but not answered: {}", type(failure).__name__)

    async def _decided(self, interaction: Interaction, key: str, *, granted: bool) -> ButtonOutcome:
        asked = self._open.get(key)
        if asked is None:
            return ButtonOutcome.OVER
        slip = Slip[ButtonAnswered](self._loop)
        # Discord names the roles of whoever presses along with the press: they are those of this moment.
        asker = facts.asker_of(interaction.user, interaction.guild_id)
        self._tell(
            ButtonPressed(confirmation=asked.confirmation, asker=asker, granted=granted, reply_to=slip)
        )
        answer = await slip.wait(ANSWER_SECONDS)
        return ButtonOutcome.OVER if answer is None else answer.outcome


def _key(confirmation: ConfirmationId) -> str:
    return sha256(confirmation.encode()).hexdigest()[:32]


def _buttons(key: str) -> discord.ui.View:
    """Must be made on the loop; without a deadline of its own, for the house has one."""
    view = discord.ui.View(timeout=None)
    for label, word, style in (
        (phrases.YES, _YES, discord.ButtonStyle.success),
        (phrases.NO, _NO, discord.ButtonStyle.danger),
    ):
        view.add_item(discord.ui.Button(label=label, style=style, custom_id=f"{_MARK}:{key}:{word}"))
    return view
