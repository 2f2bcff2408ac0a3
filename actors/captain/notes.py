"""Looking something up in a page of notes: the line that shares most words with the question."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")
_COMMON_WORDS = (
    "a about an and any anything are at can check clankie could did do does find for from get give have "
    "hello hey how i in into is it know let look me my note notes of off on our out please say says see so "
    "something tell that the their there they this to up us was we were what when where which who will with "
    "would you your"
)
_COMMON = frozenset(_COMMON_WORDS.split())


def keywords(text: str) -> frozenset[str]:
    """The telling words of a text, without their plural s."""
    found = (word.removesuffix("s") if len(word) > 3 else word for word in _WORD.findall(text.casefold()))
    return frozenset(found) - _COMMON


def look_up(notes: str, question: str) -> str | None:
    """The line of `notes` that shares most telling words with the question, without its marks; or None.

    A heading lends its words to the lines below it.
    """
    wanted, heading = keywords(question), frozenset[str]()
    best, most = None, 0.0
    for line in notes.splitlines():
        plain = line.strip(" \t-*>#`|")
        if line.lstrip().startswith("#"):
            heading = keywords(plain)
        elif plain:
            shared = len(wanted & keywords(plain)) + 0.5 * len(wanted & heading)
            if shared > most:
                best, most = plain, shared
    return best
