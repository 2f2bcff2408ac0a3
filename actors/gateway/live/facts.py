"""What discord.py calls a thing on the left, what the house calls it on the right."""

from __future__ import annotations

from typing import TypeAlias, cast

import discord

from actors.net.plain import one_line, plain
from messages.gateway import Asker, MessageGone, MessageSeen, Room
from messages.ids import NO_GUILD, GuildId, MessageId, PersonId, RoleId, RoomId
from messages.people import Person

MOST_LABEL_CHARACTERS = 80
VoiceRoom: TypeAlias = discord.VoiceChannel | discord.StageChannel
SAID = frozenset({discord.MessageType.default, discord.MessageType.reply})
"""The other kinds of message are Discord's own: somebody joined, something was pinned."""


def room_id(channel: int) -> RoomId:
    """The id of any channel, as the house writes it."""
    return RoomId(str(channel))


def guild_id(guild: int) -> GuildId:
    """The id of a guild, as the house writes it."""
    return GuildId(str(guild))


def person_of(user: discord.abc.User) -> Person:
    """A person under the name that is shown in that guild, on one line."""
    # Whoever is called null is called so in spite of Discord's own rules.
    label = one_line(str(user.display_name or ""), MOST_LABEL_CHARACTERS)
    return Person(id=PersonId(str(user.id)), label=label or "somebody", bot=bool(user.bot))


def room_of(channel: VoiceRoom) -> Room:
    """A voice or stage channel."""
    return Room(
        id=room_id(channel.id),
        guild=guild_id(channel.guild.id),
        name=one_line(str(channel.name or ""), MOST_LABEL_CHARACTERS),
        stage=isinstance(channel, discord.StageChannel),
        barred=_barred(channel),
        seats=_seats(channel),
    )


def _barred(channel: VoiceRoom) -> str:
    """What he lacks to enter; a timeout is not looked at, for nobody says when it is over."""
    me = channel.guild.me
    if me.is_timed_out():
        return ""
    permitted = channel.permissions_for(me)
    if not permitted.view_channel:
        return "view_channel"
    return "" if permitted.connect else "connect"


def _seats(channel: VoiceRoom) -> int | None:
    """Whoever may move members also gets into a full channel."""
    limit = cast("object", channel.user_limit)  # as Discord wrote it, whatever that was
    if not isinstance(limit, int) or limit <= 0 or channel.permissions_for(channel.guild.me).move_members:
        return None
    return limit


def rooms_of(guild: discord.Guild) -> tuple[VoiceRoom, ...]:
    """Every channel of a guild in which people can talk."""
    return (*guild.voice_channels, *guild.stage_channels)


def roster(channel: VoiceRoom, himself: int) -> tuple[tuple[Person, ...], tuple[int, ...]]:
    """Who is in there without him: the people that are known, and the ids of those who are not."""
    ids = [user for user in channel.voice_states if user != himself]
    members = [channel.guild.get_member(user) for user in ids]
    known = tuple(person_of(member) for member in members if member is not None)
    unknown = tuple(user for user, member in zip(ids, members, strict=True) if member is None)
    return known, unknown


def roles_of(user: discord.abc.User) -> frozenset[RoleId]:
    """The roles of a member, without the one that everybody has; nobody else has any."""
    if not isinstance(user, discord.Member):
        return frozenset()
    return frozenset(RoleId(str(role.id)) for role in user.roles if not role.is_default())


def asker_of(user: discord.abc.User, guild: int | None) -> Asker:
    """Whoever typed a command or pressed a button in a guild, or (None) in private."""
    place = NO_GUILD if guild is None else guild_id(guild)
    return Asker(person=person_of(user), guild=place, roles=roles_of(user))


def hindrance_of(state: discord.VoiceState | None) -> str:
    """What is done to his voice, as a code; empty if nothing is."""
    if state is None:
        return ""
    if state.mute:
        return "server_muted"
    if state.deaf:
        return "server_deafened"
    if not state.suppress:
        return ""
    return "suppressed" if isinstance(state.channel, discord.StageChannel) else "may_not_speak"


def message_of(message: discord.Message, himself: int) -> MessageSeen:
    """What somebody wrote, with mentions in it as names."""
    return MessageSeen(
        message=MessageId(str(message.id)),
        room=room_id(message.channel.id),
        guild=None if message.guild is None else guild_id(message.guild.id),
        person=person_of(message.author),
        text=plain(message.clean_content),
        roles=roles_of(message.author),
        mentions_him=himself in message.raw_mentions or _answers(message, himself),
        parent=room_id(message.channel.parent_id) if isinstance(message.channel, discord.Thread) else None,
        images=sum((file.content_type or "").startswith("image/") for file in message.attachments),
    )


def gone(channel: int, message: int) -> MessageGone:
    """A message that is there no longer."""
    return MessageGone(room=room_id(channel), message=MessageId(str(message)))


def _answers(message: discord.Message, himself: int) -> bool:
    """Whether it is a reply to something that he wrote."""
    answered = None if message.reference is None else message.reference.resolved
    return isinstance(answered, discord.Message) and answered.author.id == himself
