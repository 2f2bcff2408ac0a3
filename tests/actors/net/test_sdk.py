"""The library comes late, alone and silent, and whatever it raises has a reason."""

from __future__ import annotations

import json
import logging
import subprocess
import sys

import httpx2
import openai
import pytest

from actors.net import sdk
from actors.net.service import Service

ASKED = httpx2.Request("POST", "http://127.0.0.1/v1")
LOCAL = Service(base_url="http://127.0.0.1:1/v1")


def broken(cause: Exception) -> openai.APIConnectionError:
    error = openai.APIConnectionError(request=ASKED)
    error.__cause__ = cause
    return error


def refused(status: int, body: object) -> openai.APIStatusError:
    return openai.APIStatusError("prose", response=httpx2.Response(status, request=ASKED), body=body)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ModuleNotFoundError(name="openai"), "not_installed"),
        (TimeoutError(), "timeout"),
        (json.JSONDecodeError("prose", "", 0), "bad_frame"),
        (ConnectionResetError(), "unreachable"),
        (RuntimeError("prose"), "provider_error"),
        (openai.APITimeoutError(request=ASKED), "timeout"),
        (httpx2.ReadTimeout("prose"), "timeout"),
        (broken(httpx2.ConnectError("prose")), "unreachable"),
        (broken(httpx2.RemoteProtocolError("prose")), "aborted"),
        (broken(httpx2.ReadError("prose")), "aborted"),
        (httpx2.RemoteProtocolError("prose"), "aborted"),
        (httpx2.ConnectError("prose"), "unreachable"),
        (
            openai.APIResponseValidationError(httpx2.Response(200, request=ASKED), body=None),
            "bad_frame",
        ),
        (refused(401, None), "unauthorized"),
        (refused(429, {"type": "insufficient_quota"}), "quota"),
        (refused(401, {"code": "invalid_api_key", "type": "server_error"}), "unauthorized"),
        (refused(429, {"code": "prose with words"}), "rate_limited"),
        (refused(418, {"type": ["prose"], "code": 418}), "http_418"),
        (openai.APIError("prose", ASKED, body=None), "provider_error"),
        (openai.APIError("prose", ASKED, body={"code": "server_error"}), "provider_down"),
        (openai.APIError("prose", ASKED, body={"type": "overloaded_error"}), "overloaded_error"),
        (openai.APIError("prose", ASKED, body={"code": 429}), "rate_limited"),
        (openai.APIError("prose", ASKED, body={"code": "12", "type": "x"}), "provider_error"),
        (openai.APIError("prose", ASKED, body={"code": "50000000"}), "provider_error"),
    ],
)
def test_whatever_is_raised_has_a_bounded_reason(error: Exception, reason: str) -> None:
    assert sdk.reason_of(error) == reason


def test_nothing_is_imported_before_it_is_wanted() -> None:
    ports = "actors.net.sdk, actors.realtime.live.chat, actors.tts.live.openai"
    found = "[name for name in ('openai', 'httpx2', 'numpy', 'aiohttp') if name in sys.modules]"
    told = subprocess.run(
        [sys.executable, "-c", f"import sys, {ports}; print({found})"],
        capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip
    assert told.stdout.strip() == "[]"


def test_a_client_takes_no_account_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "somebody's")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.example/v1")
    client = sdk.openai_client(LOCAL, 1.0)
    assert "somebody's" not in repr(client.default_headers) + repr(client.auth_headers)
    assert client.default_headers["Accept-Encoding"] == "identity"
    assert str(client.base_url) == "http://127.0.0.1:1/v1/"
    assert client.max_retries == 0


def test_a_chatty_environment_does_not_bring_requests_into_a_log() -> None:
    for name in ("openai", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    sdk.warm()
    for name in ("openai._base_client", "httpx2", "httpcore2.http11"):
        assert not logging.getLogger(name).isEnabledFor(logging.INFO)
