"""Why he cannot answer, in words with which somebody in the room can do something."""

from __future__ import annotations

_WORDS = {
    "unauthorized": "my key is not accepted",
    "forbidden": "my key may not do this",
    "not_found": "my provider does not know my model",
    "quota": "the account of my provider is used up",
    "rate_limited": "my provider asks me to wait",
    "provider_down": "my provider is in trouble",
    "unreachable": "I do not reach my provider",
    "timeout": "my provider does not answer",
    "deadline": "my provider does not answer",
    "aborted": "the line to my provider was cut",
    "keepalive": "the line to my provider went dead",
    "send_backlog": "the line to my provider is too slow",
    "send_stalled": "the line to my provider is too slow",
    "bad_frame": "I do not understand my provider",
}

REFUSALS = frozenset(("unauthorized", "forbidden", "not_found", "quota", "rate_limited"))
"""Reasons that would meet the next turn, too: they are worth a record even while nobody asks."""


def in_words(reason: str) -> str:
    """The reason as a part of a sentence; one that has no words of its own stays a code."""
    return _WORDS.get(reason, reason)
