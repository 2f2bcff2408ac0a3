"""A sentence as the floor sees it: small letters, no accents, no commas to trip over."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TypeAlias

Tokens: TypeAlias = tuple[str, ...]
Phrases: TypeAlias = tuple[Tokens, ...]
"""Phrases of one or more tokens, the longest first."""

_APOSTROPHES = re.compile("['\u2019\u2018`\u00b4]")
_SENTENCE_END = re.compile("[.!?\u2026;:\u3002\uff01\uff1f\n]+")
_TOKEN = re.compile(r"[^\W_]+")


def tokens(text: str) -> Tokens:
    """The words of `text` in small letters, without accents and apostrophes; hyphens part words."""
    plain = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", text.casefold()))
    return tuple(_TOKEN.findall("".join(c for c in plain if not unicodedata.combining(c))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """The tokens of one sentence, by its clauses between commas; whether it ended in a question mark."""

    clauses: Phrases
    question: bool


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of `text` that have any token."""
    parts = _SENTENCE_END.split(text)
    marks = (*_SENTENCE_END.findall(text), "")
    found: list[Sentence] = []
    for part, mark in zip(parts, marks, strict=True):
        clauses = tuple(words for clause in part.split(",") if (words := tokens(clause)))
        if clauses:
            found.append(Sentence(clauses=clauses, question="?" in mark or "\uff1f" in mark))
    return tuple(found)


def longest_first(phrases: list[Tokens]) -> Phrases:
    """The distinct phrases, ordered so that the first that fits is the longest that fits."""
    return tuple(sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase)))


def starts_with(words: Tokens, phrases: Phrases) -> int:
    """How many tokens the longest phrase takes that `words` start with; 0 if none does."""
    return next((len(phrase) for phrase in phrases if words[: len(phrase)] == phrase), 0)


def without_front(words: Tokens, *kinds: Phrases) -> Tokens:
    """What is left of `words` once every leading phrase of these kinds is taken away."""
    while taken := max((starts_with(words, phrases) for phrases in kinds), default=0):
        words = words[taken:]
    return words
