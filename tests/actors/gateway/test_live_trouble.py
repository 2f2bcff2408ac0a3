"""Whatever keeps the account away has a code, and a sentence that helps."""

from __future__ import annotations

import ssl
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from tests.actors.gateway.living import AUDIOOP

if TYPE_CHECKING:
    from aiohttp import ClientResponse

pytestmark = pytest.mark.filterwarnings(AUDIOOP)


def test_every_failure_is_told_apart() -> None:
    import aiohttp
    import discord

    from actors.gateway.live.trouble import NoBot, explain

    def answered(status: int) -> discord.HTTPException:
        response = cast("ClientResponse", SimpleNamespace(status=status, reason="so"))
        return discord.HTTPException(response, "no")

    failures = {
        "user_token": NoBot(),
        "token_refused": discord.LoginFailure(),
        "missing_intent": discord.PrivilegedIntentsRequired(None),
        "discord_unavailable": answered(503),
        "rate_limited": answered(429),
        "http_403": answered(403),
        "certificate_refused": ssl.SSLError(),
        "discord_unreachable": TimeoutError(),
        "ZeroDivisionError": ZeroDivisionError(),
    }
    for reason, failure in failures.items():
        trouble = explain(failure)
        assert trouble.reason == reason
        assert trouble.remedy
        assert trouble.hopeless is (reason in {"user_token", "token_refused", "missing_intent"})
    nowhere = discord.GatewayNotFound.__new__(discord.GatewayNotFound)
    assert explain(nowhere).reason == "discord_unavailable"
    assert explain(aiohttp.ClientPayloadError()).reason == "discord_unreachable"


@pytest.mark.parametrize(
    ("code", "reason", "hopeless"),
    [
        (4004, "token_refused", True),
        (4013, "missing_intent", True),
        (4014, "missing_intent", True),
        (4011, "too_many_guilds", True),
        (4000, "disconnected", False),
        (None, "disconnected", False),
    ],
)
def test_every_code_of_the_gateway_is_told_apart(code: int | None, reason: str, hopeless: bool) -> None:
    from actors.gateway.live.trouble import closed

    trouble = closed(code)
    assert (trouble.reason, trouble.hopeless) == (reason, hopeless)


def test_a_day_of_failures_costs_fewer_logins_than_discord_allows() -> None:
    from actors.gateway.live.session import LONGEST_WAIT_SECONDS

    assert 86_400 / (0.8 * LONGEST_WAIT_SECONDS) < 1_000
