"""What he writes comes out in the order in which he wrote it, notifies nobody, and never twice."""

from __future__ import annotations

import asyncio
import io
from hashlib import blake2s

import discord
from loguru import logger

from actors.gateway.live import refusals
from actors.gateway.live.errands import Errands
from actors.gateway.live.trouble import FAILURES
from messages.attachment import MOST_ATTACHED_BYTES, MOST_ATTACHMENTS, Attachment
from messages.ids import MessageId, RoomId, new_id

MOST_CHARACTERS = 2_000
MOST_WAITING = 64
"""So many posts may wait for Discord; what comes on top is dropped, counted and logged."""
POST_SECONDS = 30.0
TYPING_SECONDS = 600.0
"""Whoever asked for it also says when it is over; this is for him who forgets."""
NOBODY = discord.AllowedMentions.none()

TOO_LARGE = "(I made files for this, and they are too large for this server.)"
NO_FILES = "(I made files for this, and may not attach any here: that takes Attach Files.)"


class Writing:
    """Posts and typing through one client; everything is called on the loop."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._errands = Errands()
        self._turns: dict[RoomId, asyncio.Lock] = {}
        self._typing: dict[RoomId, asyncio.Event] = {}
        self._complained: set[tuple[RoomId, str]] = set()
        self.dropped = 0

    async def let_go(self) -> None:
        """Write no more."""
        await self._errands.let_go()

    # --- posts ------------------------------------------------------------------------------------

    def post(
        self, room: RoomId, text: str, reply_to: MessageId | None, attachments: tuple[Attachment, ...] = ()
    ) -> None:
        """Write after what was written before in this room; what it answers may be gone by then."""
        if len(self._errands) >= MOST_WAITING:
            self.dropped += 1
            self._complain(room, "Discord takes nothing at the moment")
            return
        self._errands.run(self._post(room, text, reply_to, attachments))

    async def _post(
        self, room: RoomId, text: str, reply_to: MessageId | None, attachments: tuple[Attachment, ...]
    ) -> None:
        try:
            async with asyncio.timeout(POST_SECONDS):
                if attachments:
                    await self._send_files(room, text, reply_to, attachments)
                else:
                    await self.send(room, text, reply_to)
        except FAILURES as failure:
            self._complain(room, refusals.words(failure))

    async def send(
        self,
        room: RoomId,
        text: str,
        reply_to: MessageId | None,
        files: tuple[Attachment, ...] = (),
        once: str = "",
    ) -> None:
        """Write in turn; what Discord refuses is raised, and the deadline is the caller's.

        What goes by the same name `once` more, from this process or the next, is not written again, for the
        minutes that Discord remembers the name.
        """
        channel = self._client.get_partial_messageable(int(room))
        turn = self._turns.setdefault(room, asyncio.Lock())
        text = text[:MOST_CHARACTERS]
        async with turn:
            # discord.py tries again after some failures; with a nonce Discord writes it once.
            nonce, sent = _nonce(once) if once else new_id(), _files(files)
            if reply_to is None:
                await channel.send(text, allowed_mentions=NOBODY, nonce=nonce, files=sent)
            else:
                answer = _answer(room, reply_to)
                await channel.send(text, allowed_mentions=NOBODY, nonce=nonce, files=sent, reference=answer)

    async def _send_files(
        self, room: RoomId, text: str, reply_to: MessageId | None, attachments: tuple[Attachment, ...]
    ) -> None:
        """Where the files cannot go, the words go without them, and say so."""
        line = TOO_LARGE
        if _bounded(attachments):
            try:
                await self.send(room, text, reply_to, attachments)
                return
            except discord.HTTPException as failure:
                forbidden = isinstance(failure, discord.Forbidden)
                if not forbidden and not refusals.too_large(failure):
                    raise
                line = NO_FILES if forbidden else TOO_LARGE
        await self.send(room, _with(text, line), reply_to)

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


def _nonce(once: str) -> str:
    """Discord takes 25 characters."""
    return blake2s(once.encode(), digest_size=12).hexdigest()


def _answer(room: RoomId, message: MessageId) -> discord.MessageReference:
    return discord.MessageReference(message_id=int(message), channel_id=int(room), fail_if_not_exists=False)


def _files(attachments: tuple[Attachment, ...]) -> list[discord.File]:
    """New ones for each try: sending one uses it up."""
    return [discord.File(io.BytesIO(one.data), filename=one.name) for one in attachments]


def _bounded(attachments: tuple[Attachment, ...]) -> bool:
    size = sum(len(one.data) for one in attachments)
    return len(attachments) <= MOST_ATTACHMENTS and size <= MOST_ATTACHED_BYTES


def _with(text: str, line: str) -> str:
    return f"{text[: MOST_CHARACTERS - len(line) - 1]}\n{line}".lstrip()
