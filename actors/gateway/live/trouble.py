"""Why the account is not online, as a code for the house and as a sentence for whoever runs it."""

from __future__ import annotations

import ssl
from dataclasses import dataclass

import aiohttp
import discord

FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError)
"""What a request to Discord fails with for everyday reasons, having taken too long among them."""
PORTAL = "https://discord.com/developers/applications"


class NoBot(Exception):
    """The token belongs to a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """`hopeless`: it will be the same however often it is tried."""

    reason: str
    remedy: str
    hopeless: bool = False


TOKEN = Trouble(
    reason="token_refused",
    remedy=f"Discord does not accept the token; copy the bot's own from {PORTAL} (Bot, Reset Token)",
    hopeless=True,
)
PERSON = Trouble(
    reason="user_token",
    remedy=f"this token is a person's, and Discord forbids automating those; make a bot at {PORTAL}",
    hopeless=True,
)
INTENT = Trouble(
    reason="missing_intent",
    remedy=f"switch on the Message Content Intent at {PORTAL} (Bot, Privileged Gateway Intents)",
    hopeless=True,
)
SHARDS = Trouble(
    reason="too_many_guilds",
    remedy="he is in more servers than one connection may serve; take him out of some",
    hopeless=True,
)
PROXY = Trouble(reason="proxy_unreachable", remedy="see that the proxy runs and lets discord.com through")
PROXY_REFUSES = Trouble(
    reason="proxy_refuses",
    remedy="the proxy answers, and will not let him through; check the name and password in [discord] proxy",
)
CERTIFICATE = Trouble(
    reason="certificate_refused",
    remedy="somebody between here and Discord shows another certificate; name its authority as ca_file",
)
UNREACHABLE = Trouble(
    reason="discord_unreachable",
    remedy="see that this machine can reach discord.com, through [discord] proxy if there is one",
)
UNAVAILABLE = Trouble(reason="discord_unavailable", remedy="Discord has a problem of its own; it will pass")
LIMITED = Trouble(reason="rate_limited", remedy="Discord wants this machine to wait; it will pass")
CLOSED = Trouble(reason="disconnected", remedy="Discord hung up; nothing has to be done")


def explain(failure: Exception) -> Trouble:
    """Put a failure to be online in words."""
    match failure:
        case NoBot():
            return PERSON
        case discord.LoginFailure():
            return TOKEN
        case discord.PrivilegedIntentsRequired():
            return INTENT
        case discord.ConnectionClosed():
            return closed(failure.code)
        case discord.GatewayNotFound():
            return UNAVAILABLE
        case discord.HTTPException():
            return _answered(failure)
        case aiohttp.ClientHttpProxyError():
            return PROXY_REFUSES
        case aiohttp.ClientProxyConnectionError():
            return PROXY
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError() | ssl.SSLError():
            return CERTIFICATE
        case aiohttp.ClientError() | OSError():
            return UNREACHABLE
        case _:
            return Trouble(reason=type(failure).__name__, remedy="this is a fault of ours; please report it")


def closed(code: int | None) -> Trouble:
    """Put the code with which the gateway hung up in words."""
    match code:
        case 4004:
            return TOKEN
        case 4013 | 4014:
            return INTENT
        case 4010 | 4011 | 4012:
            return SHARDS
        case _:
            return CLOSED


def _answered(failure: discord.HTTPException) -> Trouble:
    if failure.status >= 500:
        return UNAVAILABLE
    if failure.status == 429:
        return LIMITED
    return Trouble(reason=f"http_{failure.status}", remedy=f"Discord refused a request: {failure.text}")
