"""A whole Discord on 127.0.0.1: the product logs in to it, and a test is everybody else."""

from __future__ import annotations

import base64
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from aiohttp import web

from tests.loopback.discord.board import Board, Invite, Post, Reaction
from tests.loopback.discord.calls import Calls
from tests.loopback.discord.gateway import Gateway
from tests.loopback.discord.ground import DEADLINE_SECONDS, Ground
from tests.loopback.discord.guild import Guild
from tests.loopback.discord.interactions import Desk
from tests.loopback.discord.place import VoicePlace
from tests.loopback.discord.proxy import Proxy
from tests.loopback.discord.rest import BASE, Front, Rest
from tests.loopback.discord.rooms import VoiceRoom
from tests.loopback.discord.routes import ROUTES
from tests.loopback.discord.session import PRIVILEGED, Intent
from tests.loopback.discord.tls import certify
from tests.loopback.discord.voice.server import VoiceServers
from tests.loopback.discord.world import World
from tests.loopback.hangups import until_broken_off

T = TypeVar("T")


class Discord:
    """Use it as a context manager; a client reaches it with `proxy`, `ca_file` and `token`, and nothing else.

    `gateway`, `calls`, `rest` and `network` have the faults of the front, `voice` those of the voice servers
    (which are not started if another `place` takes their part).
    """

    def __init__(self, *, privileged: Intent = PRIVILEGED, place: VoicePlace | None = None) -> None:
        self.ground = Ground()
        self.world = World()
        self.token = _token(self.world.bot.id)
        self.voice = VoiceServers(self.ground)
        self.gateway = Gateway(self.ground, self.world, self.token, privileged)
        self._place = place or self.voice
        self.calls = Calls(self.world, self.gateway, self._place)
        self.board = Board(self.world, self.gateway)
        self.desk = Desk(self.ground, self.world, self.gateway, self.board)
        self.network = Proxy(self.ground)
        self._front = Front(
            ground=self.ground,
            world=self.world,
            gateway=self.gateway,
            calls=self.calls,
            board=self.board,
            desk=self.desk,
            place=self._place,
        )
        self.rest = Rest(self._front, self.token, ROUTES)
        self._folder = tempfile.TemporaryDirectory(prefix="loopback-discord-")
        self.ca_file, self._tls = certify(Path(self._folder.name))
        self._runner: web.AppRunner | None = None

    # --- what a client needs -----------------------------------------------------------------------

    @property
    def proxy(self) -> str:
        """The proxy that leads here."""
        return f"http://127.0.0.1:{self.network.port}"

    @property
    def application(self) -> int:
        """The application's id."""
        return self.world.application

    @property
    def user(self) -> int:
        """The id of the bot's account."""
        return self.world.bot.id

    # --- what a test sees and does ------------------------------------------------------------------

    @property
    def posts(self) -> list[Post]:
        """What the bot wrote into channels, in order."""
        return self.board.posts

    @property
    def reactions(self) -> list[Reaction]:
        """The emojis that the bot put under messages or took away."""
        return self.board.reactions

    @property
    def invites(self) -> list[Invite]:
        """The invitations that the bot made."""
        return self.board.invites

    def guild(self, name: str) -> Guild:
        """A new guild with the bot in it."""

        def change() -> Guild:
            guild = Guild(self._front, self.world.add_guild(name))
            self.gateway.tell_guild(guild.state, joined=True)
            return guild

        return self.ground.run(change)

    def redeliver(self, message: int) -> None:
        """Tell of a message once more, with the same id."""
        self.ground.run(lambda: self.board.tell(self.board.messages[message]))

    def move_bot(self, guild: Guild, room: VoiceRoom) -> None:
        """A moderator moves the bot."""
        guild.bot.move(room)

    def kick_bot(self, guild: Guild) -> None:
        """A moderator puts the bot out of voice."""
        guild.bot.kick()

    def mute_bot(self, guild: Guild, on: bool = True) -> None:
        """A moderator mutes the bot, or no longer."""
        guild.bot.server_mute(on)

    def wait(self, until: Callable[[], T], seconds: float = DEADLINE_SECONDS, what: str = "that") -> T:
        """Wait until something is true of this Discord; see Ground.wait."""
        return self.ground.wait(until, seconds, what)

    # --- its life ---------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        self.ground.start()
        try:
            self.ground.finish(self._open())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every connection, the listeners, the loop and its thread, and remove the files."""
        try:
            self.ground.finish(self._close())
        finally:
            self.ground.stop()
            self._folder.cleanup()

    async def _open(self) -> None:
        application = web.Application(client_max_size=32 << 20, middlewares=(until_broken_off,))
        application.router.add_get("/", self.gateway.serve)
        application.router.add_route("*", BASE + "/{path:.*}", self.rest.serve)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self._tls)
        await site.start()
        await self.network.open(int(self._runner.addresses[0][1]))
        await self._place.open(self._tls)

    async def _close(self) -> None:
        self.gateway.close()
        await self._place.close()
        await self.network.close()
        if self._runner:
            await self._runner.cleanup()


def _token(bot: int) -> str:
    """A token of the shape that Discord's have, with the account's id in it."""
    name = base64.urlsafe_b64encode(str(bot).encode()).decode().rstrip("=")
    return f"{name}.{secrets.token_urlsafe(6)[:6]}.{secrets.token_urlsafe(28)}"
