"""Why something far away does not work, in words with which somebody in the room can do something."""

from __future__ import annotations

REFUSALS = frozenset(("unauthorized", "forbidden", "not_found", "quota", "rate_limited"))
"""Reasons that the next try would most likely meet, too."""

_CUT = "the line to my provider was cut"
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
    "aborted": _CUT,
    "closed": _CUT,
    "keepalive": "the line to my provider went dead",
    "send_backlog": "the line to my provider is too slow",
    "send_stalled": "the line to my provider is too slow",
    "bad_frame": "I do not understand my provider",
    "provider_error": "my provider is in trouble",
    "max_output_tokens": "my answer grew too long before it began",
    "content_filter": "my provider would not have it said",
    "too_many_listeners": "too many people are talking at once",
    "overloaded": "this machine is too busy to keep up",
}


def in_words(reason: str) -> str:
    """The reason as a part of a sentence; one that has no words of its own stays a code."""
    return _WORDS.get(reason, _CUT if reason.startswith("closed_") else reason)
