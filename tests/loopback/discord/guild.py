"""A guild as a test holds it: any thread may take hold of it at any time."""

from __future__ import annotations

from collections.abc import Iterable

from tests.loopback.discord import shapes
from tests.loopback.discord.people import Bot, Member, Role
from tests.loopback.discord.rest import Front
from tests.loopback.discord.rooms import Channel, Stage, TextRoom, VoiceRoom
from tests.loopback.discord.session import ALWAYS, Intent
from tests.loopback.discord.world import (
    PERMISSIONS,
    ChannelKind,
    ChannelState,
    GuildState,
    Membership,
    RoleState,
    snowflake,
)


class Guild:
    """A guild with the bot in it; what is added while the bot is logged in is told to it."""

    def __init__(self, front: Front, state: GuildState) -> None:
        self.state = state
        self.id = state.id
        self.bot = Bot(front, state, state.members[front.world.bot.id])
        self._front = front

    def voice(self, name: str) -> VoiceRoom:
        """A new voice channel."""
        return VoiceRoom(self._front, self._add(ChannelKind.VOICE, name))

    def stage(self, name: str) -> Stage:
        """A new stage; as on Discord, nothing said there is encrypted from end to end."""
        stage = Stage(self._front, self._add(ChannelKind.STAGE, name))
        self._front.ground.run(lambda: self._front.place.without_dave.add(stage.id))
        return stage

    def text(self, name: str) -> TextRoom:
        """A new text channel."""
        return TextRoom(self._front, self._add(ChannelKind.TEXT, name))

    def channel(self, channel: int) -> Channel:
        """A channel or thread that the bot made or found, by its id."""
        return TextRoom(self._front, self.state.channels[channel])

    def emoji(self, name: str) -> int:
        """A new emoji of the guild's own; its id."""

        def change() -> int:
            emoji = snowflake()
            self.state.emojis[emoji] = name
            return emoji

        return self._front.ground.run(change)

    def role(self, name: str, *permissions: str) -> Role:
        """A new role."""
        role = RoleState(name=name, permissions=sum(PERMISSIONS[one] for one in permissions))

        def change() -> None:
            self.state.roles[role.id] = role
            self._tell_role("GUILD_ROLE_CREATE", role)

        self._front.ground.run(change)
        return Role(role)

    def member(self, name: str, roles: Iterable[Role] = (), *, bot: bool = False) -> Member:
        """A new member, or another guild's with the same name: he is one and the same user."""

        def change() -> Membership:
            world = self._front.world
            known = [user for user in world.users.values() if (user.name, user.bot) == (name, bot)]
            user = known[0] if known else world.add_user(name, bot=bot)
            membership = Membership(user=user, roles={role.id for role in roles})
            self.state.members[user.id] = membership
            shape = shapes.member(membership) | {"guild_id": str(self.id)}
            self._front.gateway.tell("GUILD_MEMBER_ADD", shape, Intent.MEMBERS)
            return membership

        return Member(self._front, self.state, self._front.ground.run(change))

    def give(self, member: Member | Bot, *roles: Role) -> None:
        """Give a member exactly these roles."""

        def change() -> None:
            member.membership.roles = {role.id for role in roles}
            shape = shapes.member(member.membership) | {"guild_id": str(self.id)}
            needs = ALWAYS if member.id == self.bot.id else Intent.MEMBERS
            self._front.gateway.tell("GUILD_MEMBER_UPDATE", shape, needs)

        self._front.ground.run(change)

    def remove(self, member: Member) -> None:
        """A member is gone from the guild, and from voice with it."""

        def change() -> None:
            self._front.calls.leave(self.state, member.id)
            del self.state.members[member.id]
            gone = {"guild_id": str(self.id), "user": shapes.user(member.membership.user)}
            self._front.gateway.tell("GUILD_MEMBER_REMOVE", dict(gone), Intent.MEMBERS)

        self._front.ground.run(change)

    def forbid(self, *permissions: str) -> None:
        """Take permissions from everybody in the whole guild."""
        self._permit(0, sum(PERMISSIONS[name] for name in permissions))

    def allow(self, *permissions: str) -> None:
        """Give permissions to everybody in the whole guild."""
        self._permit(sum(PERMISSIONS[name] for name in permissions), 0)

    def outage(self) -> None:
        """The guild becomes unavailable, as in an outage of Discord's."""

        def change() -> None:
            self.state.available = False
            gone = {"id": str(self.id), "unavailable": True}
            self._front.gateway.tell("GUILD_DELETE", dict(gone), Intent.GUILDS)

        self._front.ground.run(change)

    def recover(self) -> None:
        """The guild is available again."""

        def change() -> None:
            self.state.available = True
            self._front.gateway.tell_guild(self.state, joined=False)

        self._front.ground.run(change)

    def remove_bot(self) -> None:
        """The bot is thrown out of the guild; it stays known here, but is not told of again."""

        def change() -> None:
            self._front.calls.leave(self.state, self.bot.id)
            del self._front.world.guilds[self.id]
            self._front.gateway.tell("GUILD_DELETE", {"id": str(self.id)}, Intent.GUILDS)

        self._front.ground.run(change)

    def _add(self, kind: ChannelKind, name: str) -> ChannelState:
        world = self._front.world

        def change() -> ChannelState:
            channel = world.add_channel(ChannelState(guild=self.id, kind=kind, name=name))
            self._front.gateway.tell("CHANNEL_CREATE", shapes.channel(channel, world), Intent.GUILDS)
            return channel

        return self._front.ground.run(change)

    def _permit(self, allowed: int, forbidden: int) -> None:
        everybody = self.state.roles[self.id]

        def change() -> None:
            everybody.permissions = (everybody.permissions | allowed) & ~forbidden
            self._tell_role("GUILD_ROLE_UPDATE", everybody)

        self._front.ground.run(change)

    def _tell_role(self, event: str, role: RoleState) -> None:
        shape = {"guild_id": str(self.id), "role": shapes.role(role)}
        self._front.gateway.tell(event, dict(shape), Intent.GUILDS)
