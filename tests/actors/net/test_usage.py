"""Providers count under three names each, and what is no count counts for nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from actors.net.usage import MOST, Tokens, milliseconds_of, tokens_of, whose


@pytest.mark.parametrize(
    "usage",
    [
        {"input_tokens": 9, "output_tokens": 2, "input_token_details": {"cached_tokens": 4}},
        {"input_tokens": 9, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 4}},
        {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
        SimpleNamespace(
            prompt_tokens=9, completion_tokens=2, prompt_tokens_details=SimpleNamespace(cached_tokens=4)
        ),
    ],
)
def test_tokens_are_read_in_every_spelling(usage: object) -> None:
    assert tokens_of(usage) == Tokens(read=9, cached=4, written=2)


@pytest.mark.parametrize("wrong", [-1, MOST + 1, "9", 9.0, True, [9], None])
def test_a_count_that_is_none_makes_nothing_of_the_whole(wrong: object) -> None:
    assert tokens_of({"input_tokens": wrong, "output_tokens": 2}) is None
    assert tokens_of({"input_tokens": 9, "output_tokens": wrong}) is None
    details = {"input_tokens_details": {"cached_tokens": wrong}}
    assert tokens_of({"input_tokens": 9, "output_tokens": 2, **details}) == Tokens(read=9, written=2)


@pytest.mark.parametrize("usage", [None, "usage", [], 3, {}, {"input_tokens": 0, "output_tokens": 0}])
def test_what_says_nothing_is_nothing(usage: object) -> None:
    assert tokens_of(usage) is None
    assert milliseconds_of(usage) is None


def test_no_more_was_read_before_than_was_read() -> None:
    usage = {"input_tokens": 9, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 10}}
    assert tokens_of(usage) == Tokens(read=9, cached=9, written=2)


@pytest.mark.parametrize(("seconds", "milliseconds"), [(1, 1000), (0.24, 240), (1_000_000, MOST)])
def test_a_duration_is_told_in_seconds(seconds: float, milliseconds: int) -> None:
    assert milliseconds_of({"type": "duration", "seconds": seconds}) == milliseconds


@pytest.mark.parametrize("wrong", [0, -1, "1", True, float("nan"), float("inf"), 10**400, 1_000_001])
def test_a_duration_that_is_none_is_nothing(wrong: object) -> None:
    assert milliseconds_of({"seconds": wrong}) is None


@pytest.mark.parametrize(
    ("address", "provider"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("http://127.0.0.1:11434/v1", "local"),
        ("http://localhost:11434/v1", "local"),
        ("https://models.example/v1", "chat"),
        ("https://api.openai.com.example/v1", "chat"),
    ],
)
def test_a_provider_is_known_by_its_host(address: str, provider: str) -> None:
    assert whose(address, "chat") == provider
