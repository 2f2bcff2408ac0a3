"""Not everything that a transcriber writes was said: silence makes it thank us for watching."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_BRACKETED = re.compile(r"\[[^\]]*\]|\([^)]*\)|[*♪][^*♪]*[*♪]")
_LAUGH = re.compile(
    r"(?:m?b?w?a?(?:h+[aeiou]+){2,}h*|h+a+h*|h+e+h+|l+o+l+|x+d+|k{3,}|w{3,}|(?:ja|je|ji){2,}|笑+|ハ+)"
)
_LAUGH_IN_PIECES = re.compile(r"(?:h+[aeo]+h*){2,}")
_SPEECH_BREAKS = re.compile(r"(?<=[.!?…。！？])\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseBook:
    """Language data of the filters: phrases in the form that `bare` gives, and scripts by language."""

    phrases: frozenset[str]
    scripts: Mapping[str, frozenset[str]]


def bare(text: str) -> str:
    """Only the words: lower case, one space between them, no marks (nor the dot that a folded "İ" leaves)."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u0307", "").replace("’", "'")
    return " ".join(_WORD.findall(folded))


def without_noises(text: str) -> str:
    """The text without what is put in brackets, asterisks or notes: "[BLANK_AUDIO]", "(coughs)", "♪ la ♪"."""
    return " ".join(_BRACKETED.sub(" ", text).split())


def is_hallucinated(text: str, book: PhraseBook) -> bool:
    """Whether every sentence of it is something that transcribers write into silence."""
    if bare(text) in book.phrases:
        return True
    sentences = [words for part in _SPEECH_BREAKS.split(text) if (words := bare(part))]
    return bool(sentences) and all(words in book.phrases for words in sentences)


def is_only_laughter(text: str) -> bool:
    """Whether all its words are laughter spelled out: "haha", "Ha ha ha!", "hehehe", "lol"."""
    words = bare(text).split()
    in_pieces = len(words) > 1 and _LAUGH_IN_PIECES.fullmatch("".join(words)) is not None
    return in_pieces or (bool(words) and all(_LAUGH.fullmatch(word) for word in words))


def is_foreign(text: str, languages: tuple[str, ...], book: PhraseBook) -> bool:
    """Whether most of its letters are in scripts that none of these languages is written in.

    A language without an entry in the book may be written in any script.
    """
    if any(language not in book.scripts for language in languages):
        return False
    allowed = frozenset[str]().union(*(book.scripts[language] for language in languages))
    letters = [sign for sign in text if sign.isalpha()]
    strange = [sign for sign in letters if script(sign) not in allowed]
    return 2 * len(strange) > len(letters)


def script(letter: str) -> str:
    """The script of one letter as its Unicode name begins: LATIN, CYRILLIC, CJK, HIRAGANA, ARABIC…"""
    return unicodedata.name(letter, "UNKNOWN").partition(" ")[0]


def why_not_speech(text: str, *, short: bool, languages: tuple[str, ...], book: PhraseBook) -> str | None:
    """The rule by which this text is dropped, or None for words; `short`: there was little voice."""
    if is_hallucinated(text, book):
        return "hallucinated_phrase"
    if is_only_laughter(text):
        return "laughter"
    if short and is_foreign(text, languages, book):
        return "foreign_script"
    return None
