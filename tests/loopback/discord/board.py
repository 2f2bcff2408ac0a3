"""What is written, in channels and privately, by people and by the bot."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tests.loopback.discord import shapes
from tests.loopback.discord.body import Body, Json
from tests.loopback.discord.gateway import Gateway
from tests.loopback.discord.session import Intent
from tests.loopback.discord.world import ChannelState, User, World, snowflake

PING = re.compile(r"<@!?(\d+)>")
ROLE_PING = re.compile(r"<@&(\d+)>")
REPLY = 19


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """What was attached to a message."""

    id: int = field(default_factory=snowflake)
    name: str
    data: bytes = field(repr=False)


@dataclass(slots=True, kw_only=True)
class Post:
    """A message; an edit changes its content, and a deletion only marks it."""

    id: int = field(default_factory=snowflake)
    channel: int
    author: User
    content: str
    reply_to: int | None = None
    allowed_mentions: Json | None = None
    """What the bot allowed to be mentioned, as it sent it, or None where it said nothing."""
    pings: frozenset[int] = frozenset()
    """The users whom it mentions, by name or by being a reply."""
    role_pings: tuple[int, ...] = ()
    everyone: bool = False
    """Whether it mentions everybody."""
    embeds: tuple[object, ...] = ()
    files: tuple[File, ...] = ()
    components: tuple[object, ...] = ()
    flags: int = 0
    nonce: object = None
    webhook: int | None = None
    edited: bool = False
    deleted: bool = False

    @property
    def buttons(self) -> list[Body]:
        """The buttons below it, row by row."""
        return [button for row in map(Body.of, self.components) for button in row.bodies("components")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """An emoji that the bot put under a message, or took away again."""

    channel: int
    message: int
    emoji: str
    removed: bool = False


@dataclass(slots=True, kw_only=True)
class Invite:
    """An invitation that the bot made, for an activity if it names an application."""

    code: str
    channel: int
    application: int | None
    max_age: int
    deleted: bool = False


class Board:
    """Everything written, and what the bot did besides; changed on the loop's thread, read from anywhere."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self.messages: dict[int, Post] = {}
        self.posts: list[Post] = []
        """What the bot wrote, answers to commands excluded."""
        self.reactions: list[Reaction] = []
        self.invites: list[Invite] = []
        self.upload_limit = 10 * 2**20
        """How many bytes of files a message may carry."""
        self.typing: list[int] = []
        """The channels in which the bot was seen typing, once for each time."""
        self.on_post: Callable[[Post], None] = _unread
        """Told of what the bot wrote, on the loop's thread."""
        self._world = world
        self._gateway = gateway

    def write(self, post: Post) -> Post:
        """Keep a message and tell of it."""
        self._find_mentions(post)
        self.messages[post.id] = post
        if post.author is self._world.bot:
            self.posts.append(post)
            self.on_post(post)
        self.tell(post)
        return post

    def written(self, post: Post) -> Post | None:
        """The message that the same author wrote with the same nonce before, if there is one."""
        same = (one for one in reversed(self.posts) if (one.author, one.nonce) == (post.author, post.nonce))
        return None if post.nonce is None else next(same, None)

    def tell(self, post: Post, event: str = "MESSAGE_CREATE") -> None:
        """Tell of a message, perhaps not for the first time."""
        private = self._world.channels[post.channel].guild is None
        needs = Intent.DIRECT_MESSAGES if private else Intent.GUILD_MESSAGES
        open_to_all = private or post.author is self._world.bot or self._world.bot.id in post.pings

        def shape(intents: Intent) -> Json:
            return self.shape(post, readable=open_to_all or Intent.MESSAGE_CONTENT in intents)

        self._gateway.tell(event, shape, needs)

    def edit(self, post: Post, content: str, components: tuple[object, ...] | None = None) -> None:
        """Change what a message says, and perhaps what is below it, and tell so."""
        post.content, post.edited = content, True
        if components is not None:
            post.components = components
        self.tell(post, "MESSAGE_UPDATE")

    def delete(self, post: Post) -> None:
        """Take a message away, and tell so."""
        post.deleted = True
        channel = self._world.channels[post.channel]
        shape: Json = {"id": str(post.id), "channel_id": str(channel.id)}
        if channel.guild is not None:
            shape["guild_id"] = str(channel.guild)
        self._gateway.tell(
            "MESSAGE_DELETE", shape, Intent.GUILD_MESSAGES if channel.guild else Intent.DIRECT_MESSAGES
        )

    def delete_many(self, posts: list[Post]) -> None:
        """Take messages of one channel away at once, as moderators can."""
        for post in posts:
            post.deleted = True
        channel = self._world.channels[posts[0].channel]
        ids = [str(post.id) for post in posts]
        shape: Json = {"ids": ids, "channel_id": str(channel.id), "guild_id": str(channel.guild)}
        self._gateway.tell("MESSAGE_DELETE_BULK", shape, Intent.GUILD_MESSAGES)

    def shape(self, post: Post, *, readable: bool = True) -> Json:
        """A message object; who may not read it sees who wrote it and when, but not what."""
        channel = self._world.channels[post.channel]
        shape: Json = {
            "id": str(post.id),
            "channel_id": str(post.channel),
            "author": shapes.user(post.author),
            "content": post.content if readable else "",
            "timestamp": datetime.now(UTC).isoformat(),
            "edited_timestamp": datetime.now(UTC).isoformat() if post.edited else None,
            "tts": False,
            "mention_everyone": post.everyone,
            "mentions": [self._mentioned(channel, who) for who in sorted(post.pings)],
            "mention_roles": [str(role) for role in post.role_pings],
            "attachments": [
                shapes.attachment(post.channel, one.id, one.name, one.data) for one in post.files
            ],
            "embeds": list(post.embeds) if readable else [],
            "components": list(post.components) if readable else [],
            "pinned": False,
            "flags": post.flags,
            "type": REPLY if post.reply_to else 0,
        }
        return shape | self._circumstances(post, channel)

    def _circumstances(self, post: Post, channel: ChannelState) -> Json:
        shape: Json = {}
        if channel.guild is not None:
            shape["guild_id"] = str(channel.guild)
            membership = self._world.guilds[channel.guild].members.get(post.author.id)
            if membership:
                shape["member"] = shapes.member(membership, with_user=False)
        if post.webhook:
            shape["webhook_id"] = str(post.webhook)
        if post.nonce is not None:
            shape["nonce"] = post.nonce
        if post.reply_to:
            shape["message_reference"] = {
                "type": 0,
                "message_id": str(post.reply_to),
                "channel_id": str(channel.id),
            }
            original = self.messages.get(post.reply_to)
            shape["referenced_message"] = self.shape(original) if original else None
        return shape

    def _mentioned(self, channel: ChannelState, who: int) -> Json:
        shape = shapes.user(self._world.users[who])
        if channel.guild is None:
            return shape
        return shape | {
            "member": shapes.member(self._world.guilds[channel.guild].members[who], with_user=False)
        }

    def _find_mentions(self, post: Post) -> None:
        """Whom a message mentions: in its text, and by being a reply, as far as the writer allowed it."""
        free = post.allowed_mentions is None
        allowed = Body.of(post.allowed_mentions)
        parsed = {str(kind) for kind in allowed.items("parse")}
        users = {int(who) for who in PING.findall(post.content)}
        if not free and "users" not in parsed:
            users &= {int(str(who)) for who in allowed.items("users")}
        original = self.messages.get(post.reply_to or 0)
        if original and not original.webhook and (free or allowed.flag("replied_user")):
            users.add(original.author.id)
        guild = self._world.channels[post.channel].guild
        present = self._world.guilds[guild].members if guild is not None else self._world.users
        post.pings = frozenset(users & present.keys())
        if guild is not None:
            roles = [int(role) for role in ROLE_PING.findall(post.content)]
            named = {int(str(role)) for role in allowed.items("roles")}
            post.role_pings = tuple(role for role in roles if free or "roles" in parsed or role in named)
            post.everyone = "@everyone" in post.content and (free or "everyone" in parsed)


def _unread(_post: Post) -> None:
    """Nobody reads along."""
