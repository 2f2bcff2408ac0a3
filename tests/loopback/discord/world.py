"""Everything that this Discord knows: guilds, channels, people, roles, and who sits where."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from enum import IntEnum

DISCORD_EPOCH_MS = 1_420_070_400_000

PERMISSIONS = {
    "create_invite": 1 << 0,
    "administrator": 1 << 3,
    "manage_guild": 1 << 5,
    "add_reactions": 1 << 6,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "connect": 1 << 20,
    "speak": 1 << 21,
    "mute_members": 1 << 22,
    "deafen_members": 1 << 23,
    "move_members": 1 << 24,
    "use_voice_activity": 1 << 25,
    "use_application_commands": 1 << 31,
    "request_to_speak": 1 << 32,
    "create_public_threads": 1 << 35,
    "send_messages_in_threads": 1 << 38,
    "use_embedded_activities": 1 << 39,
}
"""The bits of a permission, by name, as Discord counts them."""

EVERYBODYS = sum(
    bit
    for name, bit in PERMISSIONS.items()
    if name not in {"administrator", "manage_guild", "mute_members", "deafen_members", "move_members"}
)
ALL = sum(PERMISSIONS.values())

_count = itertools.count()


def snowflake() -> int:
    """A new id, later ones greater, with the time in it as Discord's have."""
    return (int(time.time() * 1000) - DISCORD_EPOCH_MS << 22) | (next(_count) & 0x3FFFFF)


class ChannelKind(IntEnum):
    """Discord's numbers for the channels that exist here."""

    TEXT = 0
    DM = 1
    VOICE = 2
    THREAD = 11
    STAGE = 13


SPOKEN = frozenset({ChannelKind.VOICE, ChannelKind.STAGE})


@dataclass(slots=True, kw_only=True)
class User:
    """An account, whether or not anybody is connected with it."""

    id: int = field(default_factory=snowflake)
    name: str
    bot: bool = False


@dataclass(slots=True, kw_only=True)
class RoleState:
    """A role; the one with the guild's own id is everybody's."""

    id: int = field(default_factory=snowflake)
    name: str
    permissions: int = 0
    position: int = 1


@dataclass(slots=True, kw_only=True)
class ChannelState:
    """A channel or thread; `denied` has, by user or role id, the permission bits that are missing there."""

    id: int = field(default_factory=snowflake)
    guild: int | None
    kind: ChannelKind
    name: str
    parent: int | None = None
    recipient: int | None = None
    denied: dict[int, int] = field(default_factory=dict)
    owner: int | None = None
    """Who began it, where it is a thread."""
    joined: set[int] = field(default_factory=set)
    """Who is a member, where it is a thread."""


@dataclass(slots=True, kw_only=True)
class Membership:
    """What a user is in one guild; `mute` and `deaf` are a moderator's doing."""

    user: User
    roles: set[int] = field(default_factory=set)
    mute: bool = False
    deaf: bool = False


@dataclass(slots=True, kw_only=True)
class VoiceState:
    """Where a user sits; the session stays the same across moves and is new after a leave."""

    channel: int
    session: str
    self_mute: bool = False
    self_deaf: bool = False
    suppress: bool = False
    asked_to_speak: str | None = None


@dataclass(slots=True, kw_only=True)
class GuildState:
    """One guild with all that is in it, by id."""

    id: int = field(default_factory=snowflake)
    name: str
    owner: int
    roles: dict[int, RoleState] = field(default_factory=dict)
    channels: dict[int, ChannelState] = field(default_factory=dict)
    members: dict[int, Membership] = field(default_factory=dict)
    voice: dict[int, VoiceState] = field(default_factory=dict)
    emojis: dict[int, str] = field(default_factory=dict)
    """The names of its own emojis."""
    available: bool = True


class World:
    """The state of this Discord; it is changed on the loop's thread and tells nobody by itself."""

    def __init__(self) -> None:
        self.bot = User(name="clankie", bot=True)
        self.application = snowflake()
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.guilds: dict[int, GuildState] = {}
        self.channels: dict[int, ChannelState] = {}

    def add_guild(self, name: str) -> GuildState:
        """A guild that belongs to nobody who plays a part, with the bot in it."""
        owner = self.add_user(f"owner of {name}", bot=False)
        guild = GuildState(name=name, owner=owner.id)
        guild.roles[guild.id] = RoleState(id=guild.id, name="@everyone", permissions=EVERYBODYS, position=0)
        for user in (owner, self.bot):
            guild.members[user.id] = Membership(user=user)
        self.guilds[guild.id] = guild
        return guild

    def add_user(self, name: str, *, bot: bool) -> User:
        """A new account."""
        user = User(name=name, bot=bot)
        self.users[user.id] = user
        return user

    def add_channel(self, channel: ChannelState) -> ChannelState:
        """Put a channel where it belongs."""
        self.channels[channel.id] = channel
        if channel.guild is not None:
            self.guilds[channel.guild].channels[channel.id] = channel
        return channel

    def add_thread(
        self, parent: ChannelState, name: str, owner: int, below: int | None = None
    ) -> ChannelState:
        """A thread, perhaps below a message, whose id it then has; who begins it is a member."""
        thread = ChannelState(
            id=below or snowflake(),
            guild=parent.guild,
            kind=ChannelKind.THREAD,
            name=name,
            parent=parent.id,
            owner=owner,
            joined={owner},
        )
        return self.add_channel(thread)

    def remove_channel(self, channel: ChannelState) -> None:
        """Take a channel away; who sits in it is somebody else's business."""
        del self.channels[channel.id]
        if channel.guild is not None:
            del self.guilds[channel.guild].channels[channel.id]

    def direct_channel(self, user: int) -> ChannelState:
        """The private channel between a user and the bot."""
        for channel in self.channels.values():
            if channel.recipient == user:
                return channel
        return self.add_channel(ChannelState(guild=None, kind=ChannelKind.DM, name="", recipient=user))

    def permissions(self, user: int, channel: ChannelState) -> int:
        """What a user may do in a channel, as bits; a thread has the permissions of its parent."""
        if channel.guild is None:
            return EVERYBODYS
        if channel.parent is not None and channel.kind is ChannelKind.THREAD:
            channel = self.channels[channel.parent]
        guild = self.guilds[channel.guild or 0]
        member = guild.members[user]
        granted = guild.roles[guild.id].permissions
        for role in member.roles:
            granted |= guild.roles[role].permissions
        if user == guild.owner or granted & PERMISSIONS["administrator"]:
            return ALL
        for holder in (guild.id, *member.roles, user):
            granted &= ~channel.denied.get(holder, 0)
        return granted

    def may(self, user: int, channel: ChannelState, permission: str) -> bool:
        """Whether a user has one permission in a channel, by its name in PERMISSIONS."""
        return bool(self.permissions(user, channel) & PERMISSIONS[permission])
