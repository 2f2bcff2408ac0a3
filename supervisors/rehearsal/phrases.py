"""The house's codes in the words of a listener."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TRIGGERS: Final[Mapping[str, str]] = {
    "address": "somebody spoke to him",
    "offer": "he was mentioned, or it may be for him",
    "volition": "nobody asked, but he might have something to say",
    "membership": "somebody came or went",
    "greeting": "he has just come in",
    "handoff_result": "his captain's answer is here",
    "handoff_wait": "his captain is taking a while",
    "typed": "somebody wrote to him",
}
RULES: Final[Mapping[str, str]] = {
    "control": "a stop word",
    "address": "his name, as an address",
    "content": "real words from the holder",
}


def plain(code: str) -> str:
    """A code that has no phrase of its own, readable."""
    return code.replace("_", " ")
