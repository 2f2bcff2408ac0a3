"""Is he being spoken to, spoken about, or is it none of his business?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final, assert_never

from actors.floor.text import Sentence, Tokens, sentences, starts_with, tokens, without_front
from actors.floor.words import Words

LONGEST: Final = 4_000
"""Characters of a line that are looked at: no message is longer, and nobody says as much in one breath."""


class HeardAs(StrEnum):
    """What a line is to him."""

    EMPTY = "empty"
    NONE = "none"
    MENTIONED = "mentioned"
    ADDRESSED = "addressed"


_RANK = (HeardAs.EMPTY, HeardAs.NONE, HeardAs.MENTIONED, HeardAs.ADDRESSED)


class Likeness(IntEnum):
    """How much a word is his name."""

    NOT = 0
    WEAK = 1
    """A real word that is also heard where his name was said."""
    POSSESSIVE = 2
    NAME = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Skeletons of the words that are his name; `widest` counts the words of the longest one."""

    strong: frozenset[str]
    weak: frozenset[str]
    widest: int

    def likeness(self, word: str) -> Likeness:
        """How much this token is his name."""
        spelled = skeleton(word)
        if spelled in self.strong:
            return Likeness.NAME
        if word.endswith("s") and skeleton(word[:-1]) in self.strong:
            return Likeness.POSSESSIVE
        return Likeness.WEAK if spelled in self.weak else Likeness.NOT


def known_names(name: str, aliases: Sequence[str] = (), weak_aliases: Sequence[str] = ()) -> Names:
    """The names that he listens to; an alias without a letter or digit is left out."""
    strong = [words for spelling in (name, *aliases) if (words := tokens(spelling))]
    return Names(
        strong=frozenset(skeleton("".join(words)) for words in strong),
        weak=frozenset(skeleton("".join(tokens(alias))) for alias in weak_aliases) - {""},
        widest=max(len(words) for words in strong),
    )


class Listening:
    """His names, held against the words of one line: each word once, and forgotten with the line."""

    def __init__(self, names: Names) -> None:
        self.widest = names.widest
        self._names = names
        self._known: dict[str, Likeness] = {}

    def likeness(self, word: str) -> Likeness:
        """How much this token is his name."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._names.likeness(word)
        return known


_SOFT = (("ce", "se"), ("ci", "si"), ("cy", "sy"), ("ph", "f"))
_ENDINGS = ("ie", "ey", "ee", "y", "i", "e")
_SOUNDS = str.maketrans("cqzeyu", "kksaio")
_RUN = re.compile(r"(.)\1+")


def skeleton(word: str) -> str:
    """What is left of a word when spellings of one sound become one letter: klanky, clankey -> klankI."""
    for spelling, sound in _SOFT:
        word = word.replace(spelling, sound)
    if word.endswith(_ENDINGS):
        ending = next(ending for ending in _ENDINGS if word.endswith(ending))
        word = f"{word.removesuffix(ending)}I"
    return _RUN.sub(lambda run: str(run[1]), word.translate(_SOUNDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """One word of a sentence: how much it is his name, and whether a comma stands before or after it."""

    word: str
    likeness: Likeness
    opens: bool
    closes: bool


def joined(clause: Tokens, names: Listening) -> Tokens:
    """The clause with each name that was heard as several words ("clank e") made one."""
    before: list[str] = []
    while (found := _name_in_pieces(clause, names)) is not None:
        start, end = found
        before += (*clause[:start], "".join(clause[start:end]))
        clause = clause[end:]
    return (*before, *clause)


def _name_in_pieces(clause: Tokens, names: Listening) -> tuple[int, int] | None:
    """Where the widest of them begins and ends."""
    for width in range(max(names.widest, 2), 1, -1):
        for start in range(len(clause) - width + 1):
            parts = clause[start : start + width]
            believable = width <= names.widest or all(len(part) <= 2 for part in parts[1:])
            if not believable or len(parts[0]) < 2:
                continue
            if names.likeness("".join(parts)) is Likeness.NAME:
                return start, start + width
    return None


def spots(sentence: Sentence, names: Listening) -> tuple[Spot, ...]:
    """The words of a sentence in order."""
    found: list[Spot] = []
    for clause in sentence.clauses:
        words = joined(clause, names)
        for place, word in enumerate(words):
            found.append(
                Spot(
                    word=word,
                    likeness=names.likeness(word),
                    opens=place == 0,
                    closes=place == len(words) - 1,
                )
            )
    return tuple(found)


def classify(text: str, names: Listening, words: Words) -> HeardAs:
    """What this line is to him: the strongest thing that any of its sentences is."""
    found = [HeardAs.EMPTY]
    for sentence in sentences(text[:LONGEST]):
        found.append(HeardAs.NONE)
        line = spots(sentence, names)
        found.extend(_called(line, place, sentence.question, words) for place in range(len(line)))
    return max(found, key=_RANK.index)


def _called(line: tuple[Spot, ...], place: int, question: bool, words: Words) -> HeardAs:
    """What the word at `place` makes of its sentence."""
    match line[place].likeness:
        case Likeness.NOT:
            return HeardAs.NONE
        case Likeness.POSSESSIVE:
            return HeardAs.MENTIONED
        case Likeness.WEAK:
            return HeardAs.ADDRESSED if _only_a_name_fits(line, place, words) else HeardAs.NONE
        case Likeness.NAME:
            vocative = _vocative(line, place, question, words)
            return HeardAs.ADDRESSED if vocative else HeardAs.MENTIONED
        case _ as never:
            assert_never(never)


def _said(part: Sequence[Spot]) -> Tokens:
    return tuple(spot.word for spot in part)


def _only_a_name_fits(line: tuple[Spot, ...], place: int, words: Words) -> bool:
    before, after = _said(line[:place]), _said(line[place + 1 :])
    greeted = not without_front(before, words.greetings, words.controls)
    alone = line[place].closes or not without_front(after, words.controls, words.softeners)
    return greeted and alone


def _vocative(line: tuple[Spot, ...], place: int, question: bool, words: Words) -> bool:
    spot, before, after = line[place], _said(line[:place]), _said(line[place + 1 :])
    if spot.opens and (spot.closes or not before):
        return spot.closes or not _talked_about(after, question, words)
    called = not without_front(before, words.greetings, words.openers, words.controls, words.softeners)
    if called or spot.opens:
        return spot.closes or not _talked_about(after, question, words)
    last = not without_front(after, words.softeners)
    return last and not any(before[-len(phrase) :] == phrase for phrase in words.pointing)


def _talked_about(after: Tokens, question: bool, words: Words) -> bool:
    """Whether a name followed by these words is the subject of a statement."""
    if starts_with(after, words.third_person):
        return True
    if taken := starts_with(after, words.auxiliaries):
        return not question and not starts_with(after[taken:], words.inverting)
    verb = after[:1]
    inflected = any(word.endswith(words.third_person_endings) for word in verb)
    return inflected and verb not in words.third_person_exceptions
