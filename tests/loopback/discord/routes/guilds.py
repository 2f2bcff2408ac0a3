"""Guilds, their members, and the bot's place on a stage."""

from __future__ import annotations

from tests.loopback.discord import shapes
from tests.loopback.discord.rest import NOTHING, Asked, Refusal, Result, Route


def guild(asked: Asked) -> Result:
    """One guild."""
    return Result(body=shapes.partial_guild(asked.guild()))


def channels(asked: Asked) -> Result:
    """The channels of a guild."""
    world = asked.front.world
    return Result(body=[shapes.channel(channel, world) for channel in asked.guild().channels.values()])


def member(asked: Asked) -> Result:
    """One member."""
    found = asked.guild().members.get(asked.id("user"))
    if found is None:
        raise Refusal(404, 10007, "Unknown Member")
    return Result(body=shapes.member(found))


def emojis(asked: Asked) -> Result:
    """The emojis of a guild's own."""
    return Result(body=[shapes.emoji(id_, name) for id_, name in asked.guild().emojis.items()])


def voice_state(asked: Asked) -> Result:
    """Where a member sits, `@me` being the bot."""
    who = asked.front.world.bot.id if asked.names["user"] == "@me" else asked.id("user")
    state = asked.guild().voice.get(who)
    if state is None:
        raise Refusal(404, 10065, "Unknown Voice State")
    return Result(body=shapes.voice_state(asked.guild(), who, state))


def speak_on_stage(asked: Asked) -> Result:
    """The bot asks to speak on a stage, or takes or leaves the right to if it may moderate there."""
    world, calls, of = asked.front.world, asked.front.calls, asked.guild()
    state = of.voice.get(world.bot.id)
    if state is None:
        raise Refusal(404, 10065, "Unknown Voice State")
    channel = of.channels[state.channel]
    if "suppress" in asked.body:
        suppressed = asked.body.flag("suppress")
        if not suppressed and not world.may(world.bot.id, channel, "mute_members"):
            raise Refusal(403, 50013, "Missing Permissions")
        calls.suppress(of, world.bot.id, suppressed=suppressed)
    if "request_to_speak_timestamp" in asked.body:
        if not world.may(world.bot.id, channel, "request_to_speak"):
            raise Refusal(403, 50013, "Missing Permissions")
        calls.ask_to_speak(of, world.bot.id, asks=bool(asked.body.text("request_to_speak_timestamp")))
    return NOTHING


ROUTES = (
    Route("GET", "/guilds/{guild}", guild),
    Route("GET", "/guilds/{guild}/channels", channels),
    Route("GET", "/guilds/{guild}/emojis", emojis),
    Route("GET", "/guilds/{guild}/members/{user}", member),
    Route("PATCH", "/guilds/{guild}/voice-states/@me", speak_on_stage),
    Route("GET", "/guilds/{guild}/voice-states/{user}", voice_state),
)
