"""A live account on a Discord of ours, with a probe where the gateway would be."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from actors.gateway.live.account import LiveAccount
from actors.gateway.live.replies import Disclosure
from actors.net.loop import IoLoop
from actors.switchboard import Switchboard
from messages.gateway import GatewayPortEvent, GatewayReady
from messages.ids import RoomId
from tests.actors.switching import Ear
from tests.loopback.discord.account import discord
from tests.loopback.discord.rooms import Channel
from tests.loopback.discord.server import Discord
from tests.probe import Probe

SECONDS = 10.0
AUDIOOP = "ignore:'audioop' is deprecated:DeprecationWarning"
"""discord.py imports it; the tests that open a port let it."""
E = TypeVar("E", bound=GatewayPortEvent)


class Link(Ear):
    """A listener that a test can wait for."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = threading.Condition()

    def state(self, session: str | None, room: RoomId | None) -> None:
        with self._changed:
            super().state(session, room)
            self._changed.notify_all()

    def server(self, token: str, endpoint: str | None) -> None:
        with self._changed:
            super().server(token, endpoint)
            self._changed.notify_all()

    def unreachable(self, reason: str) -> None:
        with self._changed:
            super().unreachable(reason)
            self._changed.notify_all()

    def heard(self, letters: int) -> list[tuple[str | None, ...]]:
        """Wait until so many letters have come, and take them."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self.told) >= letters, SECONDS):
                raise AssertionError(f"not {letters} letters for the link but {self.told}")
            return self.take()


class Living:
    """Everything around one account; `account` is replaced by `reopen`."""

    def __init__(self, discord: Discord, loop: IoLoop) -> None:
        self.discord, self.loop = discord, loop
        self.board, self.ear = Switchboard(), Link()
        self.told: Probe[GatewayPortEvent] = Probe()
        self.account = self.new_account()

    def new_account(self, token: str | None = None, proxy: str | None = None) -> LiveAccount:
        """An account that is not open yet."""
        return LiveAccount(
            self.loop,
            self.board,
            token or self.discord.token,
            proxy=proxy or self.discord.proxy,
            ca_file=self.discord.ca_file,
            activity=4242,
            disclosure=Disclosure(providers=("Example Ears",)),
        )

    def open(self) -> GatewayReady:
        """Go online."""
        self.account.open(self.told.tell)
        return self.expect(GatewayReady)

    def expect(self, kind: type[E], where: Callable[[E], bool] = lambda _: True) -> E:
        """Wait for the next event of a kind that is as wanted."""
        while True:
            event = self.told.expect(kind, SECONDS)
            if where(event):
                return event

    def received(self, kind: type[E]) -> list[E]:
        """Every event of a kind so far."""
        return [event for event in self.told.received() if isinstance(event, kind)]


def room_of(channel: Channel) -> RoomId:
    """The house's name for a channel."""
    return RoomId(str(channel.id))


async def at_once(_client: discord.Client, _shard: int | None, *, initial: bool = False) -> None:
    """Discord asks for five seconds between two logins; ours does not."""


@contextmanager
def living() -> Generator[Living]:
    """A Discord, a loop and an account that is closed at the end."""
    loop = IoLoop()
    with Discord() as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(discord.Client, "before_identify_hook", at_once)
        loop.start()
        life = Living(server, loop)
        try:
            yield life
        finally:
            life.account.close()
            assert loop.stop(SECONDS)
