"""Whatever a provider's library raises becomes one short code, and nothing of its words."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from elevenlabs.core.api_error import ApiError

from actors.net.checkup.answers import Got, Refusal
from actors.net.checkup.asking import Asking
from actors.net.checkup.elevenlabs import reason_of


def refused(status: int, body: object) -> ApiError:
    return ApiError(status_code=status, body=body)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (refused(401, {"detail": {"status": "invalid_api_key"}}), "unauthorized"),
        (refused(401, {"detail": {"code": "quota_exceeded", "status": "x"}}), "quota"),
        (refused(401, {"detail": {"status": "missing_permissions"}}), "forbidden"),
        (refused(401, {"detail": {"status": "detected_unusual_activity"}}), "detected_unusual_activity"),
        (refused(401, {"detail": {"status": "You, who ask"}}), "provider_error"),
        (refused(401, "prose"), "unauthorized"),
        (refused(400, {"detail": {"status": "voice_not_found"}}), "not_found"),
        (refused(422, {"detail": [{"msg": "prose"}]}), "http_422"),
        (refused(429, {"detail": {"status": "system_busy"}}), "rate_limited"),
        (refused(502, "<html>"), "provider_down"),
        (refused(200, "<html>"), "bad_frame"),
        (httpx.ConnectError("prose"), "unreachable"),
        (httpx.ConnectTimeout("prose"), "timeout"),
        (httpx.RemoteProtocolError("prose"), "aborted"),
        (ValueError("prose"), "bad_frame"),
        (RuntimeError("prose"), "provider_error"),
    ],
)
def test_what_elevenlabs_refuses_has_a_short_code(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason


def test_a_question_is_timed_and_ends_at_its_deadline() -> None:
    async def answer() -> str:
        return "private"

    async def never() -> None:
        await asyncio.Event().wait()

    with Asking(seconds=0.01) as asking:
        got = asking.ask(answer, reason_of)
        assert isinstance(got, Got)
        assert got.value == "private"
        assert "private" not in repr(got)
        refusal = asking.ask(never, reason_of)
        assert isinstance(refusal, Refusal)
        assert refusal.reason == "timeout"
