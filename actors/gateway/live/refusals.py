"""Why Discord does not do what he wants: as a code for the house, and in words for whoever runs him."""

from __future__ import annotations

from typing import Final

import aiohttp
import discord

IN_WORDS: Final = {
    10003: "the channel is gone",
    10008: "the message is gone",
    40005: "the files are too large for this server",
    50001: "he may not see the channel (View Channel)",
    50013: "he may not write there (Send Messages, and Read Message History for answers)",
    160002: "he may not answer there (Read Message History)",
}
"""Discord's numbers for why it refuses a request, in words."""
TOO_LARGE: Final = 40005
THREAD_EXISTS: Final = 160004
_GONE: Final = frozenset({10003, 10008})
_UNKNOWN_EMOJI: Final = 10014
_FORBIDDEN: Final = frozenset({50001, 50013, 160002})
_NOT_THERE: Final = frozenset({50024, 50068})
"""The channel, or the message, is of a kind that has no such thing."""
_NO_ACTIVITY: Final = frozenset({10002, 50035})


def words(failure: Exception) -> str:
    """Say why, for the log."""
    if isinstance(failure, discord.HTTPException):
        return IN_WORDS.get(failure.code, f"Discord says {failure.status} {failure.text}".rstrip())
    unanswered = isinstance(failure, aiohttp.ClientError | OSError)
    return "Discord does not answer" if unanswered else type(failure).__name__


def code(failure: Exception) -> str:
    """Say why, as `DeedDone` does."""
    match failure:
        case TimeoutError():
            return "timeout"
        case discord.HTTPException():
            return _answered(failure)
        case discord.DiscordException():
            return "refused"
        case _:
            return "gateway_lost"


def _answered(failure: discord.HTTPException) -> str:
    if failure.code == _UNKNOWN_EMOJI:
        return "unknown_emoji"
    if failure.code in _NOT_THERE:
        return "unsupported"
    if failure.code in _GONE or failure.status == 404:
        return "gone"
    return "forbidden" if failure.code in _FORBIDDEN or failure.status == 403 else "refused"


def too_large(failure: discord.HTTPException) -> bool:
    """Whether the files are to blame, says Discord or something in front of it."""
    return failure.status == 413 or failure.code == TOO_LARGE


def watch_code(failure: Exception) -> str:
    """Say why there is no play surface, as `WatchOpened` does."""
    if isinstance(failure, discord.HTTPException) and failure.code in _NO_ACTIVITY:
        return "unknown_activity"
    found = code(failure)
    return {"gone": "no_such_room"}.get(found, found)
