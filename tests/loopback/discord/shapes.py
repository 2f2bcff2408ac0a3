"""The JSON objects of Discord, made from what the world knows."""

from __future__ import annotations

from tests.loopback.discord.body import Json
from tests.loopback.discord.world import (
    SPOKEN,
    ChannelKind,
    ChannelState,
    GuildState,
    Membership,
    RoleState,
    User,
    VoiceState,
    World,
)

JOINED_AT = "2024-01-01T00:00:00.000000+00:00"


def user(who: User) -> Json:
    """A user object."""
    return {
        "id": str(who.id),
        "username": who.name,
        "discriminator": "0",
        "global_name": None,
        "avatar": None,
        "bot": who.bot,
    }


def member(of: Membership, *, with_user: bool = True) -> Json:
    """A member object; in a message it goes without its user."""
    found: Json = {
        "roles": [str(role) for role in sorted(of.roles)],
        "nick": None,
        "avatar": None,
        "joined_at": JOINED_AT,
        "premium_since": None,
        "pending": False,
        "mute": of.mute,
        "deaf": of.deaf,
        "flags": 0,
    }
    return {"user": user(of.user), **found} if with_user else found


def role(of: RoleState) -> Json:
    """A role object."""
    return {
        "id": str(of.id),
        "name": of.name,
        "permissions": str(of.permissions),
        "position": of.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": True,
        "flags": 0,
    }


def emoji(id_: int, name: str) -> Json:
    """An emoji of a guild's own."""
    flags: Json = {"require_colons": True, "managed": False, "animated": False, "available": True}
    return {"id": str(id_), "name": name, "roles": [], **flags}


def attachment(channel_id: int, id_: int, name: str, content: bytes) -> Json:
    """A file below a message."""
    url = f"https://cdn.discordapp.com/attachments/{channel_id}/{id_}/{name}"
    return {"id": str(id_), "filename": name, "size": len(content), "url": url, "proxy_url": url}


def thread_member(thread: ChannelState, who: int) -> Json:
    """One member of a thread."""
    return {"id": str(thread.id), "user_id": str(who), "join_timestamp": JOINED_AT, "flags": 0}


def channel(of: ChannelState, world: World) -> Json:
    """A channel object, of whatever kind."""
    shape: Json = {"id": str(of.id), "type": int(of.kind), "flags": 0, "last_message_id": None}
    if of.kind is ChannelKind.DM:
        return {**shape, "recipients": [user(world.users[of.recipient or 0])]}
    shape |= {"name": of.name, "guild_id": str(of.guild), "parent_id": str(of.parent) if of.parent else None}
    if of.kind is ChannelKind.THREAD:
        metadata: Json = {
            "archived": False,
            "auto_archive_duration": 1440,
            "archive_timestamp": JOINED_AT,
            "locked": False,
        }
        counts: Json = {"message_count": 0, "member_count": len(of.joined), "rate_limit_per_user": 0}
        thread: Json = {**shape, "owner_id": str(of.owner), "thread_metadata": metadata, **counts}
        return thread | ({"member": thread_member(of, world.bot.id)} if world.bot.id in of.joined else {})
    shape |= {
        "position": 0,
        "nsfw": False,
        "rate_limit_per_user": 0,
        "permission_overwrites": [_overwrite(holder, bits, world) for holder, bits in of.denied.items()],
    }
    if of.kind in SPOKEN:
        return {**shape, "bitrate": 64_000, "user_limit": 0, "rtc_region": None}
    return {**shape, "topic": None}


def _overwrite(holder: int, denied: int, world: World) -> Json:
    kind = 1 if holder in world.users else 0
    return {"id": str(holder), "type": kind, "allow": "0", "deny": str(denied)}


def voice_state(
    guild: GuildState, who: int, state: VoiceState | None, *, left: str = "", with_member: bool = True
) -> Json:
    """Where a user sits in a guild, or that he has `left` the session that he had."""
    membership = guild.members[who]
    shape: Json = {
        "guild_id": str(guild.id),
        "user_id": str(who),
        "channel_id": str(state.channel) if state else None,
        "session_id": state.session if state else left,
        "deaf": membership.deaf,
        "mute": membership.mute,
        "self_deaf": bool(state and state.self_deaf),
        "self_mute": bool(state and state.self_mute),
        "self_video": False,
        "suppress": bool(state and state.suppress),
        "request_to_speak_timestamp": state.asked_to_speak if state else None,
    }
    return {**shape, "member": member(membership)} if with_member else shape


def guild(of: GuildState, world: World, *, everybody: bool) -> Json:
    """A guild as GUILD_CREATE tells it; without `everybody` it names only the bot and those in voice."""
    named = [
        membership
        for who, membership in of.members.items()
        if everybody or who == world.bot.id or who in of.voice
    ]
    channels = [one for one in of.channels.values() if one.kind is not ChannelKind.THREAD]
    threads = [one for one in of.channels.values() if one.kind is ChannelKind.THREAD]
    return {
        **partial_guild(of),
        "joined_at": JOINED_AT,
        "large": False,
        "unavailable": False,
        "member_count": len(of.members),
        "channels": [channel(one, world) for one in channels],
        "threads": [channel(one, world) for one in threads],
        "members": [member(membership) for membership in named],
        "voice_states": [_seat(of, who, state) for who, state in of.voice.items()],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def _seat(of: GuildState, who: int, state: VoiceState) -> Json:
    """A voice state inside a guild names neither the guild nor the member."""
    shape = voice_state(of, who, state, with_member=False)
    del shape["guild_id"]
    return shape


def partial_guild(of: GuildState) -> Json:
    """A guild as REST tells it."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "splash": None,
        "banner": None,
        "description": None,
        "owner_id": str(of.owner),
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "nsfw_level": 0,
        "system_channel_flags": 0,
        "preferred_locale": "en-US",
        "vanity_url_code": None,
        "features": [],
        "emojis": [emoji(id_, name) for id_, name in of.emojis.items()],
        "stickers": [],
        "roles": [role(one) for one in of.roles.values()],
    }
