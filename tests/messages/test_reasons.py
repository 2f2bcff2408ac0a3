"""Nobody in a room is told a code where there are words for it."""

from __future__ import annotations

import pytest

from actors.net import reasons as codes
from messages.reasons import REFUSALS, in_words

KNOWN = (*sorted(REFUSALS), codes.PROVIDER_DOWN, codes.UNREACHABLE, codes.TIMEOUT)


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("unauthorized", "my key is not accepted"),
        ("rate_limited", "my provider asks me to wait"),
        ("too_many_listeners", "too many people are talking at once"),
        ("closed_1011", "the line to my provider was cut"),
        ("odd_code", "odd_code"),
    ],
)
def test_a_reason_is_said_in_words_where_there_are_any(reason: str, words: str) -> None:
    assert in_words(reason) == words


@pytest.mark.parametrize("reason", KNOWN)
def test_what_a_line_can_end_with_has_words(reason: str) -> None:
    assert in_words(reason) != reason


def test_refusals_are_what_the_next_try_would_meet_too() -> None:
    named = {codes.UNAUTHORIZED, codes.FORBIDDEN, codes.NOT_FOUND, codes.QUOTA, codes.RATE_LIMITED}
    assert named == REFUSALS
