"""Whoever asks what he can do hears just that, and whoever asks for his notes hears where they are kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from actors.captain.orders import without_courtesy

_HELP = re.compile(
    r"/?help(?: me| us)?|(?:what|which) (?:else )?(?:can|do) you do(?: for (?:me|us))?"
    r"|how (?:do|can) (?:i|we) use you|how can you help(?: me| us)?"
    r"|(?:what are |show |list )?(?:me )?(?:your |the )?commands"
)
_FORGETTING = re.compile(
    r"/?(?:clankie )?forget[ -]me\b"
    r"|forget (?:(?:all |everything )?about (?:me|us|my)\b|everything\b|all\b|my\b|what (?:i|you|we)\b"
    r"|that (?:i|i'm|my|we|our)\b)"
    r"|(?:delete|erase|remove|clear|wipe)\b.* (?:notes?|memory|memories)(?: (?:about|of|on) .+)?[\s.!?]*$"
    r"|(?:delete|erase|remove|clear|wipe)\b.* you (?:know|remember|noted|have noted) (?:about|of) "
)
_NOTED = re.compile(
    r"\bwhat (?:(?:do|can|did|have) )?you (?:remember|recall|note|noted) (?:about|of)\b"
    r"|\bmy (?:notes|memories)\b|\bwhat notes do you (?:have|keep)\b|\bnotes (?:about|on) me\b"
    r"|^/?(?:clankie )?memories\b"
)
FORGET: Final = (
    "I forget only all at once: /clankie forget-me deletes what I have noted about you "
    "and what you asked of me, and I hear you no longer. /clankie memories shows you your notes."
)
NOTED: Final = (
    "What I have noted about somebody is for nobody else: /clankie memories shows you yours, "
    "and /clankie forget-me deletes them."
)
FORGET_HERE: Final = (
    'Press "He hears me – stop" on the page and I hear you no longer. I cannot delete notes from here: '
    "whoever runs me takes them out of notes.json while the house is closed."
)
NOTED_HERE: Final = 'Ask me "what do you remember about me?" to hear what I have noted about you.'
_ABLE: Final = {
    "voice_join": 'come into your voice channel ("come here")',
    "voice_leave": 'leave it ("leave")',
    "watch_start": 'open the activity ("start the show")',
    "react": 'react to your message ("react with 👍")',
    "create_thread": 'make a thread ("make a thread called tides")',
    "join_thread": 'join one ("join this thread")',
    "observe_room": 'see who is here ("who is here?")',
    "remember": 'keep a note ("remember that I like tea")',
    "recall": 'read it to you ("what do you remember?")',
}
_ALOUD: Final = {
    "voice_leave": "leave when you say so",
    "observe_room": "say who is here",
    "remember": "keep a note about you",
    "recall": "read it to you",
    "watch_start": "open the activity",
}


def help_with(
    question: str, tools: tuple[str, ...], *, notes: bool, own_room: bool = False, aloud: bool = False
) -> str | None:
    """What he says to somebody who wants to know what he can do, or to be forgotten; else None."""
    asked = without_courtesy(question).casefold()
    if _FORGETTING.match(asked):
        return FORGET_HERE if own_room else FORGET
    if _HELP.fullmatch(asked.rstrip(" .!?")):
        if aloud:
            spoken = ", ".join(_abilities(_ALOUD, tools, notes=notes))
            return f"Without a language model I can do this: {spoken}. Ask in plain words."
        able = "; ".join(_abilities(_ABLE, tools, notes=notes))
        more = "" if own_room else " /clankie memories shows you my notes about you."
        return f"I can {able}.{more}"
    return None


def about_notes(question: str, *, own_room: bool = False) -> str | None:
    """What he says to somebody who asks what is noted about somebody; else None."""
    told = NOTED_HERE if own_room else NOTED
    return told if _NOTED.search(without_courtesy(question).casefold()) else None


def _abilities(able: Mapping[str, str], tools: tuple[str, ...], *, notes: bool) -> Iterator[str]:
    yield from (words for tool, words in able.items() if tool in tools)
    if notes:
        yield "look things up in a page of notes"
    yield "tell the time and the date"
