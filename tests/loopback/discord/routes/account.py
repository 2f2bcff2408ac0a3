"""Who the bot is, what its application may do, and where the gateway is."""

from __future__ import annotations

from tests.loopback.discord import shapes
from tests.loopback.discord.body import Json
from tests.loopback.discord.rest import Asked, Refusal, Result, Route
from tests.loopback.discord.session import Intent

LIMITED_FLAGS = {
    Intent.PRESENCES: 1 << 13,
    Intent.MEMBERS: 1 << 15,
    Intent.MESSAGE_CONTENT: 1 << 19,
}
"""The application's flag for a privileged intent that a bot in few guilds was granted."""


def me(asked: Asked) -> Result:
    """The bot's own account."""
    return Result(
        body=shapes.user(asked.front.world.bot) | {"flags": 0, "verified": True, "mfa_enabled": False}
    )


def application(asked: Asked) -> Result:
    """The application, with a flag for each privileged intent that it was granted."""
    world = asked.front.world
    granted = asked.front.gateway.privileged
    shape: Json = {
        "id": str(world.application),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "rpc_origins": [],
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": shapes.user(world.bot),
        "verify_key": "0" * 64,
        "flags": sum(flag for intent, flag in LIMITED_FLAGS.items() if intent in granted),
        "team": None,
    }
    return Result(body=shape)


def gateway(_asked: Asked) -> Result:
    """Where to connect to; the proxy knows the name."""
    limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
    return Result(body={"url": "wss://gateway.discord.gg", "shards": 1, "session_start_limit": limit})


def my_guilds(asked: Asked) -> Result:
    """The guilds that the bot is in."""
    guilds = asked.front.world.guilds.values()
    return Result(body=[{"id": str(guild.id), "name": guild.name, "icon": None} for guild in guilds])


def user(asked: Asked) -> Result:
    """Anybody's account."""
    found = asked.front.world.users.get(asked.id("user"))
    if found is None:
        raise Refusal(404, 10013, "Unknown User")
    return Result(body=shapes.user(found))


def direct_channel(asked: Asked) -> Result:
    """The private channel with a user."""
    world = asked.front.world
    recipient = asked.body.number("recipient_id")
    if recipient not in world.users:
        raise Refusal(400, 50033, "Invalid Recipient(s)")
    return Result(body=shapes.channel(world.direct_channel(recipient), world))


ROUTES = (
    Route("GET", "/users/@me", me),
    Route("GET", "/oauth2/applications/@me", application),
    Route("GET", "/applications/@me", application),
    Route("GET", "/gateway", gateway),
    Route("GET", "/gateway/bot", gateway),
    Route("GET", "/users/@me/guilds", my_guilds),
    Route("POST", "/users/@me/channels", direct_channel),
    Route("GET", "/users/{user}", user),
)
