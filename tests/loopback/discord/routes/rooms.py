"""Channels as such, the threads that the bot opens in them, and the invitations that it makes."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from tests.loopback.discord import shapes
from tests.loopback.discord.board import Invite
from tests.loopback.discord.body import Json
from tests.loopback.discord.rest import NOTHING, Asked, Refusal, Result, Route
from tests.loopback.discord.session import Intent
from tests.loopback.discord.world import SPOKEN, ChannelKind, ChannelState

NAME_LIMIT = 100
EMBEDDED_APPLICATION = 2


def channel(asked: Asked) -> Result:
    """One channel."""
    return Result(body=shapes.channel(asked.channel(), asked.front.world))


def open_thread(asked: Asked) -> Result:
    """A thread in a channel, perhaps below a message, whose id it then has."""
    front, parent = asked.front, asked.channel("create_public_threads")
    if parent.kind is not ChannelKind.TEXT:
        raise Refusal(400, 50024, "Cannot execute action on this channel type")
    name, below = asked.body.text("name"), asked.id("message") if "message" in asked.names else None
    if not 1 <= len(name) <= NAME_LIMIT:
        raise Refusal(400, 50035, "Invalid Form Body: name must be between 1 and 100 in length.")
    if below is not None and below not in front.board.messages:
        raise Refusal(404, 10008, "Unknown Message")
    if below is not None and below in front.world.channels:
        raise Refusal(400, 160004, "A thread has already been created for this message")
    thread = front.world.add_thread(parent, name, front.world.bot.id, below)
    shape = shapes.channel(thread, front.world)
    front.gateway.tell("THREAD_CREATE", shape | {"newly_created": True}, Intent.GUILDS)
    return Result(status=201, body=shape)


def invite(asked: Asked) -> Result:
    """An invitation to a channel, for an activity in a voice channel if it names an application."""
    front, to, body = asked.front, asked.channel("create_invite"), asked.body
    application = body.number("target_application_id") or None
    if body.number("target_type") == EMBEDDED_APPLICATION:
        if application is None or to.kind not in SPOKEN:
            raise Refusal(400, 50035, "Invalid Form Body: target_application_id")
        if not front.world.may(front.world.bot.id, to, "use_embedded_activities"):
            raise Refusal(403, 50013, "Missing Permissions")
    made = Invite(
        code=secrets.token_urlsafe(6),
        channel=to.id,
        application=application,
        max_age=body.number("max_age") if "max_age" in body else 86_400,
    )
    front.board.invites.append(made)
    return Result(body=_invite(asked, to, made))


def _invite(asked: Asked, to: ChannelState, made: Invite) -> Json:
    world = asked.front.world
    shape: Json = {
        "type": 0,
        "code": made.code,
        "channel": {"id": str(to.id), "name": to.name, "type": int(to.kind)},
        "inviter": shapes.user(world.bot),
        "uses": 0,
        "max_uses": asked.body.number("max_uses"),
        "max_age": made.max_age,
        "temporary": asked.body.flag("temporary"),
        "created_at": datetime.now(UTC).isoformat(),
    }
    if to.guild is not None:
        shape["guild"] = shapes.partial_guild(world.guilds[to.guild])
    if made.application:
        shape["target_type"] = EMBEDDED_APPLICATION
        shape["target_application"] = {
            "id": str(made.application),
            "name": "activity",
            "icon": None,
            "description": "",
            "verify_key": "0" * 64,
        }
    return shape


def delete_invite(asked: Asked) -> Result:
    """Take an invitation back."""
    for made in asked.front.board.invites:
        if made.code == asked.names["code"] and not made.deleted:
            made.deleted = True
            to = asked.front.world.channels[made.channel]
            return Result(body=_invite(asked, to, made))
    raise Refusal(404, 10006, "Unknown Invite")


def join_thread(asked: Asked) -> Result:
    """The bot becomes a member of a thread."""
    thread, world = asked.channel(), asked.front.world
    if thread.kind is not ChannelKind.THREAD:
        raise Refusal(400, 50024, "Cannot execute action on this channel type")
    thread.joined.add(world.bot.id)
    shape: Json = {
        "id": str(thread.id),
        "guild_id": str(thread.guild),
        "member_count": len(thread.joined),
        "added_members": [shapes.thread_member(thread, world.bot.id)],
        "removed_member_ids": [],
    }
    asked.front.gateway.tell("THREAD_MEMBERS_UPDATE", shape, Intent.GUILDS)
    return NOTHING


ROUTES = (
    Route("GET", "/channels/{channel}", channel),
    Route("POST", "/channels/{channel}/threads", open_thread),
    Route("POST", "/channels/{channel}/messages/{message}/threads", open_thread),
    Route("PUT", "/channels/{channel}/thread-members/@me", join_thread),
    Route("POST", "/channels/{channel}/invites", invite),
    Route("DELETE", "/invites/{code}", delete_invite),
)
