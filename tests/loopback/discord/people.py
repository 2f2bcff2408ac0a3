"""People and the bot as a test holds them: any thread may take hold of them at any time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from tests.loopback.discord import shapes
from tests.loopback.discord.board import Post
from tests.loopback.discord.body import Json
from tests.loopback.discord.interactions import Reply, Value
from tests.loopback.discord.rest import Front
from tests.loopback.discord.rooms import Channel, TextRoom, VoiceRoom
from tests.loopback.discord.session import Intent
from tests.loopback.discord.world import ChannelState, GuildState, Membership, RoleState, VoiceState


class Role:
    """A role of a guild."""

    def __init__(self, state: RoleState) -> None:
        self.state = state
        self.id = state.id

    @property
    def mention(self) -> str:
        """What to write to mention everybody who has it."""
        return f"<@&{self.id}>"


class Seated:
    """Whoever can sit in a voice channel of a guild: a person, or the bot."""

    def __init__(self, front: Front, guild: GuildState, membership: Membership) -> None:
        self.membership = membership
        self.id = membership.user.id
        self._front = front
        self._guild = guild

    @property
    def name(self) -> str:
        """What people call him."""
        return self.membership.user.name

    @property
    def mention(self) -> str:
        """What to write to mention him."""
        return f"<@{self.id}>"

    @property
    def guild_id(self) -> int:
        """The guild that this is about."""
        return self._guild.id

    @property
    def voice(self) -> VoiceState | None:
        """Where he sits; None where he does not."""
        return self._guild.voice.get(self.id)

    @property
    def room(self) -> int | None:
        """The id of the channel where he sits."""
        return self.voice.channel if self.voice else None

    def move(self, room: VoiceRoom) -> None:
        """A moderator moves him; his microphone stays as it was."""
        self._front.ground.run(lambda: self._move(room))

    def kick(self) -> None:
        """A moderator puts him out of voice."""
        self._front.ground.run(lambda: self._front.calls.leave(self._guild, self.id))

    def server_mute(self, on: bool = True) -> None:
        """A moderator mutes him for everybody, or no longer."""
        self._front.ground.run(lambda: self._moderate("mute", on))

    def server_deafen(self, on: bool = True) -> None:
        """A moderator deafens him, or no longer."""
        self._front.ground.run(lambda: self._moderate("deaf", on))

    def suppress(self, on: bool = True) -> None:
        """A moderator puts him among the audience of a stage, or lets him speak."""
        self._front.ground.run(lambda: self._front.calls.suppress(self._guild, self.id, suppressed=on))

    def _move(self, room: VoiceRoom) -> None:
        state = self._guild.voice[self.id]
        self._front.calls.join(
            self._guild, room.state, self.id, self_mute=state.self_mute, self_deaf=state.self_deaf
        )

    def _moderate(self, what: str, on: bool) -> None:
        setattr(self.membership, what, on)
        if self.voice:
            self._front.calls.tell_state(self._guild, self.id)


class Bot(Seated):
    """The account in one guild: what a moderator can do to it, and where it is."""

    @property
    def muted(self) -> bool:
        """Whether a moderator muted him, or he is among the audience of a stage."""
        return self.membership.mute or bool(self.voice and self.voice.suppress)

    @property
    def asks_to_speak(self) -> bool:
        """Whether he raised his hand on a stage."""
        return bool(self.voice and self.voice.asked_to_speak)

    def new_server(self, *, null_endpoint: bool = False) -> None:
        """Discord moves the call to another voice server, or with `null_endpoint` only says that it will."""
        self._front.ground.run(
            lambda: self._front.calls.tell_server(self._guild, null_endpoint=null_endpoint)
        )


Option: TypeAlias = str | int | float | bool | Channel | Seated | Role
"""What a person may give to an option of a command."""


class Member(Seated):
    """A person, or another bot, without a connection of his own."""

    def join(self, room: VoiceRoom, *, self_mute: bool = False, self_deaf: bool = False) -> None:
        """Sit down in a room, from wherever he was."""
        self._front.ground.run(
            lambda: self._front.calls.join(
                self._guild, room.state, self.id, self_mute=self_mute, self_deaf=self_deaf
            )
        )

    def leave(self) -> None:
        """Get up and go."""
        self._front.ground.run(lambda: self._front.calls.leave(self._guild, self.id))

    def set_microphone(self, *, muted: bool = False, deaf: bool = False) -> None:
        """Mute or deafen himself where he sits."""

        def change() -> None:
            state = self._guild.voice[self.id]
            state.self_mute, state.self_deaf = muted, deaf
            self._front.calls.tell_state(self._guild, self.id)

        self._front.ground.run(change)

    def write(self, channel: Channel, text: str, *, reply_to: int | None = None) -> int:
        """Write a message; the id of it."""
        post = Post(channel=channel.id, author=self.membership.user, content=text, reply_to=reply_to)
        return self._front.ground.run(lambda: self._front.board.write(post).id)

    def write_privately(self, text: str, *, reply_to: int | None = None) -> int:
        """Write to the bot alone; the id of the message."""

        def change() -> int:
            channel = self._front.world.direct_channel(self.id)
            post = Post(channel=channel.id, author=self.membership.user, content=text, reply_to=reply_to)
            return self._front.board.write(post).id

        return self._front.ground.run(change)

    def edit(self, message: int, text: str) -> None:
        """Change a message that he wrote."""
        board = self._front.board
        self._front.ground.run(lambda: board.edit(board.messages[message], text))

    def delete(self, message: int) -> None:
        """Take a message away that he wrote."""
        board = self._front.board
        self._front.ground.run(lambda: board.delete(board.messages[message]))

    def tidy(self, *messages: int) -> None:
        """Take several messages of one channel away at once, as whoever moderates it can."""
        board = self._front.board
        self._front.ground.run(lambda: board.delete_many([board.messages[message] for message in messages]))

    def open_thread(self, channel: Channel, name: str, below: int | None = None) -> Channel:
        """Begin a thread in a channel, perhaps below a message."""

        def change() -> ChannelState:
            world = self._front.world
            thread = world.add_thread(channel.state, name, self.id, below)
            shape = shapes.channel(thread, world) | {"newly_created": True}
            self._front.gateway.tell("THREAD_CREATE", shape, Intent.GUILDS)
            return thread

        return TextRoom(self._front, self._front.ground.run(change))

    def press(self, message: int, label: str) -> Reply:
        """Press a button below a message."""
        post, desk = self._front.board.messages[message], self._front.desk
        return self._front.ground.run(lambda: desk.press(self._guild, self.membership, post, label))

    def react(self, message: int, emoji: str) -> None:
        """Put an emoji under a message."""
        post = self._front.board.messages[message]
        shape: Json = {
            "user_id": str(self.id),
            "channel_id": str(post.channel),
            "message_id": str(message),
            "guild_id": str(self.guild_id),
            "emoji": {"id": None, "name": emoji},
            "burst": False,
            "type": 0,
        }
        self._front.ground.run(
            lambda: self._front.gateway.tell("MESSAGE_REACTION_ADD", shape, Intent.GUILD_REACTIONS)
        )

    def command(
        self, line: str, channel: Channel | None = None, options: Mapping[str, Option] | None = None
    ) -> Reply:
        """Type a slash command such as `group subcommand`, in a channel (the first one unless told).

        Waits until the bot has offered the command, not for its answer: `Reply.text` does.
        """
        values = {name: _value(option) for name, option in (options or {}).items()}
        where = channel.state if channel else next(iter(self._guild.channels.values()))
        desk, ground, first = self._front.desk, self._front.ground, line.split(maxsplit=1)[0]
        ground.wait(lambda: desk.find(self.guild_id, first), what=f"the command /{first}")
        return ground.run(lambda: desk.type(self._guild, where, self.membership, line, values))


def _value(option: Option) -> Value:
    match option:
        case Channel():
            return option.state
        case Seated():
            return option.membership
        case Role():
            return option.state
        case _:
            return option
