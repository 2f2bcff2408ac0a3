"""The account is brought online again and again, a little later each time, until it is told to stay away."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import discord
from loguru import logger

from actors.gateway.live.buttons import Buttons
from actors.gateway.live.calls import Orders
from actors.gateway.live.client import AccountClient
from actors.gateway.live.closing import heed_last_words
from actors.gateway.live.commands import Commands
from actors.gateway.live.hands import Hands
from actors.gateway.live.replies import Disclosure
from actors.gateway.live.surface import Surface
from actors.gateway.live.trouble import CLOSED, NoBot, Trouble, explain
from actors.gateway.live.unsent import Post, Unsent
from actors.gateway.live.writing import Writing
from actors.net.loop import IoLoop
from actors.switchboard import Switchboard
from messages.attachment import Attachment
from messages.gateway import GatewayAway, GatewayGone, GatewayPortEvent
from messages.ids import MessageId, RoomId

PATIENCE_SECONDS = 90.0
"""discord.py tries to come back by itself, but ever more slowly: after so long a new client begins afresh."""
FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 120.0
"""Long enough that a day of it stays below the thousand logins after which Discord takes a token away."""
FAREWELL_SECONDS = 0.3
"""How long he waits, when he goes offline, for the last answers and for Discord to say that he has left."""
HANG_UP_SECONDS = 0.3
GOODBYE_SECONDS = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How the account gets to Discord and what it may do there."""

    token: str = field(repr=False)
    proxy: str | None
    ca_file: Path | None
    message_content: bool
    activity: int | None
    disclosure: Disclosure
    join_seconds: float


def trusted(ca_file: Path | None) -> ssl.SSLContext | None:
    """Whom to believe instead of the authorities of this machine; slow, and OSError if the file is unfit."""
    return None if ca_file is None else ssl.create_default_context(cafile=ca_file)


class Session:
    """Keeps one client after the other; everything but the constructor happens on the loop."""

    def __init__(
        self,
        access: Access,
        *,
        loop: IoLoop,
        board: Switchboard,
        tell: Callable[[GatewayPortEvent], None],
    ) -> None:
        # Neither library is needed: the sound is another process's. And below INFO, discord.py writes
        # down what people wrote.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        logging.getLogger("discord").setLevel(logging.INFO)
        self._access, self._trusted = access, trusted(access.ca_file)
        self._loop, self._board, self._tell = loop, board, tell
        self.orders = Orders(loop, board, tell)
        self.hands, self.buttons = Hands(tell), Buttons(loop, tell)
        self.surface = Surface(tell, access.activity)
        self._client: AccountClient | None = None
        self._writing: Writing | None = None
        self._unsent = Unsent()
        self._running: asyncio.Task[object] | None = None
        self._patience: asyncio.Timeout | None = None
        self._wait = FIRST_WAIT_SECONDS
        self._away = ""

    async def run(self) -> None:
        """Stay online until stopped, or until it is hopeless."""
        self._running = asyncio.current_task()
        while True:
            trouble = await self._once()
            if trouble.hopeless:
                self._tell(GatewayGone(reason=trouble.reason, remedy=trouble.remedy))
                return
            wait, self._wait = self._wait, min(2 * self._wait, LONGEST_WAIT_SECONDS)
            logger.warning("Discord: {}; {}; trying again in {:.0f} s", trouble.reason, trouble.remedy, wait)
            if trouble.reason != self._away:
                self._away = trouble.reason
                self._tell(GatewayAway(reason=trouble.reason, remedy=trouble.remedy))
            await asyncio.sleep(wait * random.uniform(0.8, 1.2))

    async def stop(self) -> None:
        """Answer who is owed an answer, leave every channel and go offline, in less than a second."""
        if self._client is not None:
            farewells = [call.disconnect(force=False) for call in self._client.voice_clients]
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL_SECONDS):
                    answers = self._client.commands.finish(FAREWELL_SECONDS)
                    await asyncio.gather(*farewells, answers, self.surface.close(), return_exceptions=True)
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait([self._running])
        await self.orders.close()

    # --- orders of the house ----------------------------------------------------------------------

    def post(
        self, room: RoomId, text: str, reply_to: MessageId | None, attachments: tuple[Attachment, ...]
    ) -> None:
        """Write; without a client it waits for the next one."""
        if self._writing is not None:
            self._writing.post(room, text, reply_to, attachments)
        else:
            post = Post(room=room, text=text, reply_to=reply_to, attachments=attachments)
            self._unsent.keep(post, self._loop.now())

    def typing(self, room: RoomId, on: bool) -> None:
        """Show that he writes."""
        if self._writing is not None:
            self._writing.typing(room, on)

    # --- one client -------------------------------------------------------------------------------

    async def _once(self) -> Trouble:
        """One client, from its login to its end."""
        client = self._new_client()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS) as self._patience:
                await self._log_in(client)
                await client.connect()
            return CLOSED
        except Exception as failure:
            return explain(failure)
        finally:
            self._patience = None
            await self._end(client)

    async def _log_in(self, client: AccountClient) -> None:
        await client.login(self._access.token)
        if client.user is None or not client.user.bot:
            raise NoBot
        self._take(client, Writing(client))

    def _take(self, client: AccountClient | None, writing: Writing | None) -> None:
        """All that is done from now on is done through this client."""
        self._client, self._writing = client, writing
        self.orders.use(client)
        self.hands.use(client, writing)
        self.buttons.use(client)
        self.surface.use(client)
        if writing is not None:
            self._unsent.hand_over(writing, self._loop.now())

    def _new_client(self) -> AccountClient:
        access = self._access

        def commands(client: discord.Client) -> Commands:
            return Commands(
                client,
                self._tell,
                loop=self._loop,
                disclosure=access.disclosure,
                join_seconds=access.join_seconds,
            )

        client = AccountClient(
            tell=self._tell,
            board=self._board,
            online=self._online,
            commands=commands,
            pressed=self.buttons.pressed,
            message_content=access.message_content,
            proxy=access.proxy,
            connector=aiohttp.TCPConnector(limit=0, ssl=self._trusted or True),
        )
        heed_last_words(client.http)
        return client

    def _online(self, yes: bool) -> None:
        if yes:
            self._wait, self._away = FIRST_WAIT_SECONDS, ""
        if self._patience is not None and not self._patience.expired():
            self._patience.reschedule(None if yes else asyncio.get_running_loop().time() + PATIENCE_SECONDS)

    async def _end(self, client: AccountClient) -> None:
        """Whatever state it is in, nothing of it stays; the calls are left to the next one."""
        writing = self._writing
        self._take(None, None)
        for call in client.voice_clients:
            call.cleanup()
        busy = (client, self.hands, self.buttons, self.surface, *(() if writing is None else (writing,)))
        await asyncio.gather(*(one.let_go() for one in busy))
        # A task of its own: discord.py's may have been cancelled, and its end must not be taken for ours.
        closing = asyncio.get_running_loop().create_task(client.close())
        await asyncio.wait([closing], timeout=HANG_UP_SECONDS)
        if closing.cancel() or closing.cancelled() or closing.exception() is not None:
            logger.debug("the connection did not end well")
            await client.http.close()
        # A request that was given up says goodbye by itself, which takes its TLS a moment.
        await asyncio.sleep(GOODBYE_SECONDS)
