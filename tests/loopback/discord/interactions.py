"""Commands and buttons: what the bot offers, what people type and press, and what they are answered."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.loopback.discord import shapes
from tests.loopback.discord.board import Board, Post
from tests.loopback.discord.body import Body, Json
from tests.loopback.discord.gateway import Gateway
from tests.loopback.discord.ground import DEADLINE_SECONDS, Ground
from tests.loopback.discord.world import (
    ChannelState,
    GuildState,
    Membership,
    RoleState,
    World,
    snowflake,
)

EPHEMERAL = 1 << 6
BUTTON = 2
SUBCOMMAND, SUBCOMMAND_GROUP = 1, 2
STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, NUMBER = 3, 4, 5, 6, 7, 8, 10
ANSWER_SECONDS = 3.0
"""How long Discord waits for the first answer to an interaction."""

Value: TypeAlias = str | int | float | bool | ChannelState | Membership | RoleState


@dataclass(slots=True, kw_only=True)
class Answer:
    """One message of the bot to the person who typed a command."""

    id: int = field(default_factory=snowflake)
    content: str
    ephemeral: bool
    edits: int = 0
    deleted: bool = False


class Reply:
    """What becomes of one command; `text` and `ephemeral` wait for the answer, with a deadline."""

    def __init__(self, ground: Ground, line: str, channel: int, patience: float) -> None:
        self.id = snowflake()
        self.token = secrets.token_urlsafe(24)
        self.line = line
        self.channel = channel
        self.deferred = False
        self.acknowledged = False
        self.answers: list[Answer] = []
        """The answer (the first) and what followed it."""
        self.seconds: float | None = None
        """How long the bot took to acknowledge (defer or answer), in seconds; None until it has."""
        self.hidden = False
        self.pressed: Post | None = None
        """The message whose button it was, if it was one."""
        self._ground = ground
        self._patience = patience
        self._typed_at = time.monotonic()

    @property
    def text(self) -> str:
        """The answer as it reads now; waits until there is one."""
        return self.wait().answers[0].content

    @property
    def ephemeral(self) -> bool:
        """Whether only the asker sees the answer; waits until there is one."""
        return self.wait().answers[0].ephemeral

    def wait(self, seconds: float = DEADLINE_SECONDS) -> Reply:
        """Wait for the answer; AssertionError if none comes in time."""
        self._ground.wait(lambda: bool(self.answers), seconds, f"an answer to /{self.line}")
        return self

    def wait_deferred(self, seconds: float = ANSWER_SECONDS) -> Reply:
        """Wait until the bot has acknowledged the command, with an answer or without."""
        self._ground.wait(lambda: self.acknowledged, seconds, f"an acknowledgement of /{self.line}")
        return self

    @property
    def expired(self) -> bool:
        """Whether the bot did not acknowledge the command within Discord's patience."""
        return not self.acknowledged and time.monotonic() - self._typed_at > self._patience

    def acknowledge(self, *, deferred: bool, hidden: bool) -> None:
        """The bot's first word, which may only be that it thinks."""
        self.acknowledged, self.deferred, self.hidden = True, deferred, hidden
        self.seconds = time.monotonic() - self._typed_at

    def answer(self, content: str, *, hidden: bool) -> Answer:
        """An answer; the one to a deferred command is as hidden as the deferral said."""
        first = self.deferred and not self.answers
        answer = Answer(content=content, ephemeral=self.hidden if first else hidden)
        self.answers.append(answer)
        return answer


class Desk:
    """Keeps the commands that the bot synced and the replies that are under way."""

    def __init__(self, ground: Ground, world: World, gateway: Gateway, board: Board) -> None:
        self.commands: dict[int | None, list[Json]] = {}
        """The commands by guild, and under None those of every guild."""
        self.replies: dict[str, Reply] = {}
        """By token."""
        self.patience = ANSWER_SECONDS
        """How long a command waits to be acknowledged before it has failed, in seconds."""
        self._ground = ground
        self._world = world
        self._gateway = gateway
        self._board = board

    def sync(self, guild: int | None, offered: Sequence[Body]) -> list[Json]:
        """Replace the commands of a guild and echo them as Discord does."""
        self.commands[guild] = [self._registered(command, guild) for command in offered]
        return self.commands[guild]

    def _registered(self, command: Body, guild: int | None) -> Json:
        defaults: Json = {"type": 1, "description": "", "options": [], "nsfw": False, "dm_permission": True}
        ours: Json = {
            "id": str(snowflake()),
            "application_id": str(self._world.application),
            "version": str(snowflake()),
            "default_member_permissions": None,
        }
        home: Json = {"guild_id": str(guild)} if guild is not None else {}
        return {**defaults, **ours, **command.fields, **home}

    def find(self, guild: int, name: str) -> Body | None:
        """A command by its first word, a guild's own before a global one."""
        for command in (*self.commands.get(guild, ()), *self.commands.get(None, ())):
            if command["name"] == name:
                return Body.of(command)
        return None

    def type(
        self,
        guild: GuildState,
        channel: ChannelState,
        asker: Membership,
        line: str,
        options: Mapping[str, Value],
    ) -> Reply:
        """Type a command line, `group subcommand` included, and tell the bot of it."""
        first, *words = line.split()
        command = self.find(guild.id, first)
        if command is None:
            raise AssertionError(f"no command /{first}; there are {self.commands}")
        reply = Reply(self._ground, line, channel.id, self.patience)
        self.replies[reply.token] = reply
        data: Json = {
            "id": command.text("id"),
            "name": first,
            "type": 1,
            "options": _nested(command, words, options, line),
            "resolved": self._resolved(options),
        }
        if "guild_id" in command:
            data["guild_id"] = str(guild.id)
        self._gateway.tell("INTERACTION_CREATE", self._interaction(guild, channel, asker, reply, data))
        return reply

    def press(self, guild: GuildState, asker: Membership, post: Post, label: str) -> Reply:
        """Press a button below a message, and tell the bot of it."""
        labels = {button.text("label"): button.text("custom_id") for button in post.buttons}
        if label not in labels:
            raise AssertionError(f"no button {label!r} below that message; there are {sorted(labels)}")
        channel = self._world.channels[post.channel]
        reply = Reply(self._ground, label, channel.id, self.patience)
        reply.pressed = post
        self.replies[reply.token] = reply
        data: Json = {"component_type": BUTTON, "custom_id": labels[label], "id": 1}
        told = self._interaction(guild, channel, asker, reply, data)
        self._gateway.tell("INTERACTION_CREATE", told | {"type": 3, "message": self._board.shape(post)})
        return reply

    def _interaction(
        self, guild: GuildState, channel: ChannelState, asker: Membership, reply: Reply, data: Json
    ) -> Json:
        permissions = str(self._world.permissions(asker.user.id, channel))
        here: Json = {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": "en-US", "features": []},
            "member": {**shapes.member(asker), "permissions": permissions},
            "guild_locale": "en-US",
            "authorizing_integration_owners": {"0": str(guild.id)},
            "context": 0,
        }
        private: Json = {
            "user": shapes.user(asker.user),
            "authorizing_integration_owners": {"0": "0"},
            "context": 1,
        }
        return (private if channel.guild is None else here) | {
            "id": str(reply.id),
            "application_id": str(self._world.application),
            "type": 2,
            "token": reply.token,
            "version": 1,
            "channel_id": str(channel.id),
            "channel": {**shapes.channel(channel, self._world), "permissions": permissions},
            "locale": "en-US",
            "entitlements": [],
            "app_permissions": str(self._world.permissions(self._world.bot.id, channel)),
            "attachment_size_limit": 10_485_760,
            "data": data,
        }

    def _resolved(self, options: Mapping[str, Value]) -> Json:
        users: Json = {}
        members: Json = {}
        roles: Json = {}
        channels: Json = {}
        for value in options.values():
            match value:
                case ChannelState():
                    shape = shapes.channel(value, self._world)
                    channels[str(value.id)] = shape | {
                        "permissions": str(self._world.permissions(self._world.bot.id, value))
                    }
                case Membership():
                    users[str(value.user.id)] = shapes.user(value.user)
                    members[str(value.user.id)] = shapes.member(value, with_user=False) | {"permissions": "0"}
                case RoleState():
                    roles[str(value.id)] = shapes.role(value)
                case _:
                    pass  # a plain value is sent as it is
        return {"users": users, "members": members, "roles": roles, "channels": channels}


def _nested(command: Body, words: Sequence[str], options: Mapping[str, Value], line: str) -> list[Json]:
    """The options of a command, or those of a subcommand inside the subcommand that the words name."""
    offered = {option.text("name"): option for option in command.bodies("options")}
    if not words:
        return [_option(offered.get(name), name, value, line) for name, value in options.items()]
    chosen = offered.get(words[0])
    if chosen is None or chosen.number("type") not in {SUBCOMMAND, SUBCOMMAND_GROUP}:
        raise AssertionError(f"/{line}: no subcommand {words[0]}; there are {sorted(offered)}")
    inner = _nested(chosen, words[1:], options, line)
    return [{"name": words[0], "type": chosen.number("type"), "options": inner}]


def _option(offered: Body | None, name: str, value: Value, line: str) -> Json:
    if offered is None:
        raise AssertionError(f"/{line} has no option {name}")
    match value:
        case ChannelState() | RoleState():
            sent: object = str(value.id)
        case Membership():
            sent = str(value.user.id)
        case _:
            sent = value
    return {"name": name, "type": offered.number("type"), "value": sent}
