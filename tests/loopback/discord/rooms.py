"""Channels as a test holds them: any thread may take hold of them at any time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tests.loopback.discord import shapes
from tests.loopback.discord.board import Post
from tests.loopback.discord.rest import Front
from tests.loopback.discord.session import Intent
from tests.loopback.discord.world import PERMISSIONS, ChannelState, User


class Holder(Protocol):
    """Whoever permissions can be taken from: a member, the bot, or a role."""

    id: int


class Channel:
    """A channel or a thread."""

    def __init__(self, front: Front, state: ChannelState) -> None:
        self.state = state
        self.id = state.id
        self._front = front

    @property
    def name(self) -> str:
        """What people call it."""
        return self.state.name

    def rename(self, name: str) -> None:
        """Give it another name, and tell of it."""
        self._front.ground.run(lambda: self._change(lambda: setattr(self.state, "name", name)))

    def deny(self, *permissions: str, to: Holder | None = None) -> None:
        """Take permissions away in this channel, from the bot unless somebody else is named."""
        holder = to.id if to else self._front.world.bot.id
        bits = sum(PERMISSIONS[name] for name in permissions)
        denied = self.state.denied
        self._front.ground.run(
            lambda: self._change(lambda: denied.update({holder: denied.get(holder, 0) | bits}))
        )

    def delete(self) -> None:
        """Take the channel away; who sits in it has to leave."""

        def change() -> None:
            world = self._front.world
            guild = world.guilds[self.state.guild or 0]
            for who in [who for who, state in guild.voice.items() if state.channel == self.id]:
                self._front.calls.leave(guild, who)
            world.remove_channel(self.state)
            self._front.gateway.tell("CHANNEL_DELETE", shapes.channel(self.state, world), Intent.GUILDS)

        self._front.ground.run(change)

    def _change(self, change: Callable[[], None]) -> None:
        change()
        shape = shapes.channel(self.state, self._front.world)
        self._front.gateway.tell("CHANNEL_UPDATE", shape, Intent.GUILDS)


class TextRoom(Channel):
    """A channel to write in."""

    def webhook(self, name: str, text: str) -> int:
        """Write as a webhook, which is nobody's account; the id of the message."""
        author = User(name=name, bot=True)
        post = Post(channel=self.id, author=author, content=text, webhook=author.id)
        return self._front.ground.run(lambda: self._front.board.write(post).id)


class VoiceRoom(TextRoom):
    """A channel to sit and talk in; it can be written in too."""

    @property
    def people(self) -> frozenset[int]:
        """The ids of those who sit here, the bot's included."""
        guild = self._front.world.guilds[self.state.guild or 0]
        return frozenset(who for who, state in guild.voice.items() if state.channel == self.id)


class Stage(VoiceRoom):
    """A voice channel where only some may speak."""
