"""The unmodified client library logged in to a loopback Discord, in a thread of its own."""

from __future__ import annotations

import asyncio
import ssl
import warnings
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import TypeVar

import aiohttp

from tests.loopback.discord.ground import Ground
from tests.loopback.discord.server import Discord

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it imports audioop
    import discord
    from discord import app_commands

__all__ = ["Account", "Client", "app_commands", "discord", "logged_in"]

T = TypeVar("T")


class Client(discord.Client):
    """A client that writes down what it is told and does not pause between two logins."""

    def __init__(
        self, server: Discord, ground: Ground, intents: discord.Intents, heartbeat_timeout: float
    ) -> None:
        trust = ssl.create_default_context(cafile=str(server.ca_file))
        super().__init__(
            intents=intents,
            proxy=server.proxy,
            connector=aiohttp.TCPConnector(limit=0, ssl=trust),
            guild_ready_timeout=0.05,
            heartbeat_timeout=heartbeat_timeout,
        )
        self.ground = ground
        self.tree = app_commands.CommandTree(self)
        self.messages: list[discord.Message] = []
        self.events: list[str] = []

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Discord asks for five seconds between two logins; this one does not."""

    async def on_message(self, message: discord.Message) -> None:
        """Keep what others wrote."""
        if message.author != self.user:
            with self.ground.changing():
                self.messages.append(message)

    def dispatch(self, event: str, /, *args: object, **kwargs: object) -> None:
        """Keep the names of all events, after they were acted on."""
        super().dispatch(event, *args, **kwargs)
        with self.ground.changing():
            self.events.append(event)


class Account:
    """What a test holds of a client: `do` runs a coroutine on its loop."""

    def __init__(self, client: Client, ground: Ground) -> None:
        self.client = client
        self.ground = ground

    def do(self, work: Coroutine[object, object, T], seconds: float = 5.0) -> T:
        """Run a coroutine of the library's on the client's loop and return its result."""
        return self.ground.finish(work, seconds)

    def wait_event(self, name: str, times: int = 1) -> None:
        """Wait until the library has told of an event so many times."""
        self.ground.wait(lambda: self.client.events.count(name) >= times, what=f"the event {name}")

    def guild(self, guild: int) -> discord.Guild:
        """A guild as the client knows it."""
        found = self.client.get_guild(guild)
        assert found, "the client does not know this guild"
        return found


@contextmanager
def logged_in(
    server: Discord,
    intents: discord.Intents | None = None,
    token: str | None = None,
    heartbeat_timeout: float = 60.0,
) -> Generator[Account]:
    """A client that is ready; it is logged out at the end, and leaves no connection behind."""
    ground = Ground()
    ground.start()
    try:
        client = ground.finish(_make(server, ground, intents or discord.Intents.default(), heartbeat_timeout))
        account = Account(client, ground)
        life = asyncio.run_coroutine_threadsafe(client.start(token or server.token), ground.loop)
        life.add_done_callback(lambda _: account.client.dispatch("life_ended"))
        try:
            ground.wait(lambda: "ready" in client.events or life.done(), what="a login")
            if life.done():
                life.result()
            yield account
        finally:
            ground.finish(client.close())
            if not life.done():
                life.result(5.0)
            ground.finish(_last_connection())
    finally:
        ground.stop()


async def _last_connection() -> None:
    """Wait for the end of all connections: aiohttp forgets some before TLS has said goodbye."""
    watched = vars(asyncio.get_running_loop())["_selector"]
    while len(watched.get_map()) > 1:  # noqa: ASYNC110 - no event tells; the one left wakes the loop
        await asyncio.sleep(0)


async def _make(
    server: Discord, ground: Ground, intents: discord.Intents, heartbeat_timeout: float
) -> Client:
    # Its connector belongs to the loop on which it is made.
    return Client(server, ground, intents, heartbeat_timeout)
