"""A house without a model understands a page of plain English: what is to be done, and what is asked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from actors.captain.moves import Wish, moving
from actors.captain.signs import emoji_in
from messages.tools import LONGEST_NOTE, LONGEST_THREAD_NAME, NoteAbout


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """Everything that one request wants done, and the question in it, if there is one."""

    wishes: tuple[Wish, ...] = ()
    question: str = ""


class _Part(Enum):
    """What a clause is: an order that is complete, one that may go on, a question, or more of either."""

    WHOLE = auto()
    OPEN = auto()
    ASKS = auto()
    MORE = auto()


LONGEST_READ: Final = 4_000
_PLEASE = re.compile(
    r"^(?:(?:please|(?:can|could|would|will) you|let's|just|now|hey|okay|ok|@?[ck]l[aeiou]nk\w{0,3})\b"
    r"[\s,:]*)+",
    re.IGNORECASE,
)
_MENTION = re.compile(r"<[@#][!&]?\d+>")
_BREAK = re.compile(r"(?:\s*(?:[,;]|[.!?…]+(?=\s|$)|\b(?:and|then|also|but)\b))+\s*", re.IGNORECASE)
_ASKING = re.compile(
    r"^(?:look|find|check|search|tell|read|what|whats|what's|when|where|who|which|how|why|is|are|does|do)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:if|unless|until|whenever|after|before|once|as soon as|when)\b"
    r"(?! (?:you\b|more\b|is\b|are\b|was\b|were\b|will\b|do\b|does\b|did\b))",
    re.IGNORECASE,
)
_CHANGED_MIND = re.compile(
    r"(?:(?:no|nope|wait|actually|don't|do not|never ?mind|not (?:now|yet)|just kidding|forget it)\b"
    r"[\s,.!?]*)+",
    re.IGNORECASE,
)
_CALLED = re.compile(r"[A-Z][^\W\d_]+")
_NO_NAME: Final = re.compile(
    "a?h|alright|anyway|cool|enough|fine|good|great|hello|hi|listen|look|nah|nice|nope?|now|oh|perfect|quick"
    "|quiet|right|so|sorry|stop|sure|thanks|then|u[hm]|wait|well|yeah|yep|yes|yo",
    re.IGNORECASE,
)
_LOOKING_UP = re.compile(r"^(?:look up|find out|check|search|tell me|read)\b", re.IGNORECASE)
_LOOKING_AROUND = re.compile(
    r"\bwho(?:'s|s| is| are)(?: all| else)? (?:here|there|around|in (?:the |this |your |our )?"
    r"(?:voice|room|channel|call|vc|house))\b|\bwho (?:do|can) you (?:hear|see)\b"
    r"|\bwhere are you\b(?! (?:from|going))"
)
_RECALLING = re.compile(
    r"\bwhat (?:(?:do|can|did) )?you (?:remember|know|recall|note)"
    r"(?: about (?:me|us|this room|this channel|here))"
    r"|\bwhat (?:do|can) you (?:remember|recall)[\s?!.]*$"
)
_UNDOING = re.compile(r"(?:forget|delete|erase|remove|clear|wipe)\b")
_REMEMBERING = re.compile(
    r"^(?:remember|note(?: down)?|make a note|keep in mind|don't forget|do not forget)\b(?: for me| to self)?"
    r"(?:,? (?:about|of) (?P<about>me|us|this room|this channel|here)\b)?[:,]?"
    r"(?: that\b)?[:,]?\s+(?P<note>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_REMINISCING = re.compile(r"(?:when|how|why|the time) (?:i|you|we|he|she|they)\b", re.IGNORECASE)
_ABOUT_HERE = re.compile(r"(?:here|in here|in this (?:room|channel|house))\b", re.IGNORECASE)
_NO_NOTES = frozenset({"me", "this", "it", "that", "us", "him", "her", "them"})
_MAKING_A_THREAD = re.compile(
    r"(?:make|create|start|open|begin)(?: us| me)? (?:a |an )?(?:new )?thread\b"
    r"(?: (?:called|named|titled|about|for|on))?[:\s]*(?P<name>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_JOINING_A_THREAD = re.compile(
    r"(?:join|enter|come (?:in)?to|hop in(?:to)?|get in(?:to)?) (?:this|that|the|my|our) thread\b",
    re.IGNORECASE,
)
_REACTING = re.compile(r"(?:react|put|add|give|drop|leave)\b|(?=(?:a )?thumbs\b)", re.IGNORECASE)
_TAKING_BACK = re.compile(r"(?:unreact|take back|take away|take off|remove|undo)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\b(?:on|to|for|from|out|in|into|at|off|away|up)\b(?<!thumb up)(?<!thumbs up)"
    r"(?! (?:it|this|that|my|me|us|here|the message)\b)",
    re.IGNORECASE,
)
"""What is called like an emoji, and has to do with something that is no message, is none."""


def read(text: str, *, aloud: bool, names: frozenset[str] = frozenset()) -> Wishes:
    """What somebody wants of him, who is called by one of `names`, in lower case, or like Clankie.

    `aloud` a goodbye is meant for the voice channel, in writing it has to say so.
    """
    plain = _unnamed(" ".join(_MENTION.sub(" ", text).replace("’", "'").split())[:LONGEST_READ], names)
    wishes: list[Wish] = []
    asked: list[str] = []
    before = ""
    for segment in _segments(plain, aloud=aloud, names=names):
        wish = None if _not_for_him(before) else _order(segment, aloud=aloud, names=names)
        if _CHANGED_MIND.fullmatch(segment):
            wishes.clear()
        elif wish is not None and wish not in wishes:
            wishes.append(wish)
        elif wish is None and _asks(segment):
            asked.append(segment)
        before = segment if wish is None else ""
    return Wishes(wishes=tuple(wishes), question=" ".join(asked) if wishes else plain)


def _unnamed(text: str, names: frozenset[str]) -> str:
    """The text without his name in front."""
    first, _, rest = text.partition(" ")
    return rest if rest and first.strip("@,:.!?").casefold() in names else text


def _not_for_him(before: str) -> bool:
    """Whether what is said before an order calls somebody else, or names a condition."""
    bare = without_courtesy(before)
    called = _CALLED.fullmatch(bare) is not None and _NO_NAME.fullmatch(bare) is None
    return called or _CONDITION.match(bare) is not None


def _segments(text: str, *, aloud: bool, names: frozenset[str]) -> Iterator[str]:
    """The parts of a text that each want one thing; what wants nothing belongs to the part before it."""
    first, last, before = 0, 0, _Part.WHOLE
    for begin, end in _clauses(text):
        part = _part(text[begin:end], aloud=aloud, names=names)
        goes_on = part is _Part.MORE and before is not _Part.WHOLE
        goes_on |= part is _Part.ASKS and before is _Part.OPEN and not _looks_up(text[begin:end])
        if not goes_on:
            if first < last:
                yield text[first:last]
            first, before = begin, part
        last = end
    if first < last:
        yield text[first:last]


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """Where each part begins and ends that stands between two breaks."""
    begin = 0
    for gap in _BREAK.finditer(text):
        if begin < gap.start():
            yield begin, gap.start()
        begin = gap.end()
    if begin < len(text):
        yield begin, len(text)


def _part(clause: str, *, aloud: bool, names: frozenset[str]) -> _Part:
    if _remembered(clause) or _thread(clause):
        return _Part.OPEN
    if _order(clause, aloud=aloud, names=names) is not None:
        return _Part.WHOLE
    return _Part.ASKS if _asks(clause) else _Part.MORE


def _looks_up(clause: str) -> bool:
    return _LOOKING_UP.match(without_courtesy(clause)) is not None


def _asks(clause: str) -> bool:
    return _ASKING.match(without_courtesy(clause)) is not None


def without_courtesy(clause: str) -> str:
    """A clause without the courtesies before it."""
    return _PLEASE.sub("", clause).strip()


def _order(clause: str, *, aloud: bool, names: frozenset[str]) -> Wish | None:
    """The one order that this is, or None."""
    for reading in _READINGS:
        if (wish := reading(clause)) is not None:
            return wish
    return moving(clause, aloud=aloud, names=names)


def _looking_around(clause: str) -> Wish | None:
    return Wish(tool="observe_room") if _LOOKING_AROUND.search(clause.casefold()) else None


def _recalled(clause: str) -> Wish | None:
    asked = without_courtesy(clause).casefold()
    return Wish(tool="recall") if _RECALLING.search(asked) and not _UNDOING.match(asked) else None


def _remembered(clause: str) -> Wish | None:
    found = _REMEMBERING.match(without_courtesy(clause))
    note = found["note"].strip(" .!") if found else ""
    if found is None or not note or note.casefold() in _NO_NOTES or _REMINISCING.match(note):
        return None
    here = (found["about"] or "me").casefold() not in {"me", "us"} or _ABOUT_HERE.match(note)
    about = NoteAbout.ROOM if here else NoteAbout.SPEAKER
    return Wish(tool="remember", arguments=_json(note=note[:LONGEST_NOTE], about=about.value))


def _thread(clause: str) -> Wish | None:
    if _JOINING_A_THREAD.match(without_courtesy(clause)):
        return Wish(tool="join_thread")
    found = _MAKING_A_THREAD.match(without_courtesy(clause))
    if found is None:
        return None
    name = re.sub(r"\bplease\b", "", found["name"], flags=re.IGNORECASE).strip(" .!?\"'“”„")
    return Wish(tool="create_thread", arguments=_json(name=name[:LONGEST_THREAD_NAME].strip() or "Talk"))


def _reacting(clause: str) -> Wish | None:
    bare = without_courtesy(clause)
    back = _TAKING_BACK.match(bare)
    verb = back or _REACTING.match(bare)
    emoji = emoji_in(clause)
    if verb is None or emoji is None:
        return None
    if emoji_in(clause, named=False) is None and _ELSEWHERE.search(bare[verb.end() :]):
        return None
    return Wish(tool="unreact" if back else "react", arguments=_json(emoji=emoji))


def _json(**values: str) -> str:
    return json.dumps(values, ensure_ascii=False)


_READINGS: Final[tuple[Callable[[str], Wish | None], ...]] = (
    _remembered,
    _recalled,
    _looking_around,
    _thread,
    _reacting,
)
