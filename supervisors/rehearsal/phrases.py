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
    "operator": "the operator has something to say",
    "typed": "somebody wrote to him",
}
RULES: Final[Mapping[str, str]] = {
    "control": "a stop word",
    "address": "his name, as an address",
    "content": "real words from the holder",
    "cut_control": "it only wanted silence",
    "cut_address": "it cut him off by name",
    "cut_content": "it cut him off with real words",
    "addressed": "his name, as an address",
    "mentioned": "it is about him, not to him",
    "follow_up": "he is in conversation with this person",
    "only_one_human": "there is nobody else to talk to",
    "other_talk": "it is between others",
    "late_control": "a stop word that came too late",
    "acknowledgement": "only an acknowledgement",
    "no_words": "no words in it",
    "near_silence": "hardly any voice in it",
    "hushed": "the operator wants him silent",
    "too_many": "more waited for one turn than he can answer in it",
}
REACTIONS: Final[Mapping[str, str]] = {
    "duck": "gets quieter and goes on",
    "pause": "pauses",
    "ignore": "goes on",
}
TOOLS: Final[Mapping[str, str]] = {
    "voice_leave": "he decides to leave",
    "ask_clankie": "he hands it to his captain",
    "take_back": "he takes back what he handed to his captain",
}


def plain(code: str) -> str:
    """A code that has no phrase of its own, readable."""
    return code.replace("_", " ")
