"""Why something far away does not work, in words with which somebody can do something about it."""

from __future__ import annotations

from typing import Final

REFUSALS: Final = frozenset(("unauthorized", "forbidden", "not_found", "quota", "rate_limited"))
"""Reasons that the next try would most likely meet, too."""

_CUT: Final = "the connection to the provider was cut"
_SLOW: Final = "the connection to the provider is too slow"
_LATE: Final = "no answer came in time"
_WORDS: Final = {
    "unauthorized": "the provider does not accept the key",
    "forbidden": "the provider does not let this key do it",
    "not_found": "the provider does not know what is configured, such as the model or the voice",
    "quota": "the account at the provider is used up",
    "rate_limited": "the provider wants to be asked less often",
    "provider_down": "the provider is in trouble",
    "provider_error": "the provider refused it, for a reason of its own",
    "unreachable": "the provider is not reached",
    "certificate_refused": "the provider's certificate is not trusted here",
    "proxy_unreachable": "the proxy on the way to the provider lets nobody through",
    "timeout": _LATE,
    "deadline": _LATE,
    "session_expired": "the provider ended the session",
    "closed": _CUT,
    "aborted": _CUT,
    "keepalive": "the connection to the provider went dead without a word",
    "send_backlog": _SLOW,
    "send_stalled": _SLOW,
    "bad_frame": "what the provider sent cannot be read",
    "no_sound": "the provider sent no sound",
    "listener_lost": "whoever wrote it down was lost meanwhile",
    "too_many_listeners": "too many people speak at once",
    "max_output_tokens": "the answer grew too long",
    "answer_too_long": "the answer grew too long",
    "incomplete": "the answer was never finished",
    "context_length_exceeded": "there is more to read than the model can",
    "too_many_steps": "it took more steps than a turn may have",
    "too_many_calls": "more was wanted at once than can be done",
    "stalled": "nothing was heard of it for too long",
    "nobody_asked": "nobody asked for it",
    "busy": "too much is being asked at once",
    "captain_closed": "the captain was stopped meanwhile",
    "console_closed": "the console was closed meanwhile",
    "content_filter": "the provider withheld the answer",
    "not_installed": "a library is not installed",
    "overloaded": "this machine is too busy",
}
_NUMBERED: Final = {
    "closed": "the provider closed the connection with code",
    "http": "the provider answered with HTTP status",
}


def in_words(reason: str) -> str:
    """The reason as a part of a sentence; one that has no words of its own stays a code."""
    kind, _, number = reason.partition("_")
    if kind in _NUMBERED and number.isdecimal():
        return f"{_NUMBERED[kind]} {number}"
    return _WORDS.get(reason, reason)
