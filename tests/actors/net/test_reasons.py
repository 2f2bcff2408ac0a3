"""Whatever a provider says, the house has one word for it, and prose is none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.net.reasons import of_code, of_status


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("insufficient_quota", "quota"),
        ("Quota_Exceeded", "quota"),
        ("rate_limit_exceeded", "rate_limited"),
        ("system_busy", "rate_limited"),
        ("invalid_api_key", "unauthorized"),
        ("session_expired", "session_expired"),
        ("server_error", "provider_down"),
        ("input_audio_buffer_commit_empty", "input_audio_buffer_commit_empty"),
        ("A sentence about somebody.", "provider_error"),
        ("a" * 65, "provider_error"),
        ("kÜrzel", "provider_error"),
        ("", "provider_error"),
        (None, "provider_error"),
    ],
)
def test_a_code_is_one_of_ours_or_itself_if_it_is_a_word(code: str | None, reason: str) -> None:
    assert of_code(code) == reason


@given(st.text())
def test_no_text_of_theirs_becomes_more_than_a_word(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9_]{1,64}", of_code(text))
    assert re.fullmatch(r"[a-z0-9_]{1,64}", of_status(400, text))


@pytest.mark.parametrize(
    ("status", "code", "reason"),
    [
        (401, None, "unauthorized"),
        (402, None, "quota"),
        (403, None, "forbidden"),
        (404, None, "not_found"),
        (429, None, "rate_limited"),
        (429, "insufficient_quota", "quota"),
        (401, "quota_exceeded", "quota"),
        (500, None, "provider_down"),
        (529, "unheard_of", "provider_down"),
        (400, "unheard_of", "http_400"),
        (302, None, "http_302"),
    ],
)
def test_a_code_that_is_known_says_more_than_the_status(status: int, code: str | None, reason: str) -> None:
    assert of_status(status, code) == reason
