"""Nobody in a room is told a code where there are words for it."""

from __future__ import annotations

import pytest

from actors.net import reasons as codes
from messages.reasons import REFUSALS, in_words

KNOWN = [value for name, value in vars(codes).items() if name.isupper() and isinstance(value, str)]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("unauthorized", "the provider does not accept the key"),
        ("rate_limited", "the provider wants to be asked less often"),
        ("too_many_listeners", "too many people speak at once"),
        ("closed_1011", "the provider closed the connection with code 1011"),
        ("http_418", "the provider answered with HTTP status 418"),
        ("http_x", "http_x"),
        ("odd_code", "odd_code"),
    ],
)
def test_a_reason_is_said_in_words_where_there_are_any(reason: str, words: str) -> None:
    assert in_words(reason) == words


@pytest.mark.parametrize("reason", KNOWN)
def test_what_a_line_can_end_with_has_words(reason: str) -> None:
    assert " " in in_words(reason)


def test_refusals_are_what_the_next_try_would_meet_too() -> None:
    named = {codes.UNAUTHORIZED, codes.FORBIDDEN, codes.NOT_FOUND, codes.QUOTA, codes.RATE_LIMITED}
    assert named == REFUSALS
