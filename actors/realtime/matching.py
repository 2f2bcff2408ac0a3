"""Whether two people would say that the same words were said, however they were spelled."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

# fmt: off
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)
# fmt: on
_NUMBERS = {word: i for i, word in enumerate(_ONES)} | {word: 20 + 10 * i for i, word in enumerate(_TENS)}
_SHORT = {"mr": "mister", "mrs": "missus", "dr": "doctor", "ok": "okay", "st": "saint", "vs": "versus"}
_WHOLE = (
    (re.compile(r"\b([ap])\.\s?m\b\.?"), r"\1m"),
    (re.compile(r"\b(\d{1,2})\s?([ap]m)\b"), r"\1 \2"),
    (re.compile(r"\b(\d{1,2})[:.]00\b"), r"\1"),
    (re.compile(r"\b(\d{1,2})[:.](\d{2})\b"), r"\1 \2"),
    (re.compile(r"(?<=\d),(?=\d{3}\b)"), ""),
    (re.compile(r"\bo'clock\b"), ""),
    (re.compile(r"\b(can)(?:'t|not)\b"), r"\1 not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'m\b"), " am"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"\b(it|that|what|who|he|she|there|here|where|how)'s\b"), r"\1 is"),
    (re.compile(r"'s\b"), "s"),
    (re.compile(r"%"), " percent "),
    (re.compile(r"&"), " and "),
)
_WORD = re.compile(r"[^\W_]+")
_SAME_SOUND = 0.5
"""What a word costs that only sounds like the other one; another word costs 1."""


def words(text: str) -> tuple[str, ...]:
    """The words of a text in one spelling: lower case, no punctuation, contractions apart, numbers in digits.

    "It's 5:30!" and "it is five thirty" are both ("it", "is", "5", "30").
    """
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    for pattern, instead in _WHOLE:
        plain = pattern.sub(instead, plain)
    spoken: list[str] = _WORD.findall(plain)
    return tuple(_with_digits([_SHORT.get(word, word) for word in spoken]))


def contains_words(haystack: str, needle: str, wrong_allowed: float = 0.2) -> bool:
    """Whether the words of `needle` come in order somewhere in `haystack`, so many of each of them wrong.

    A needle without words is nowhere.
    """
    wanted = words(needle)
    return bool(wanted) and _distance(wanted, words(haystack)) <= wrong_allowed * len(wanted) + 1e-9


def _with_digits(spoken: Sequence[str]) -> list[str]:
    """Number words from 0 to 100 as digits, "twenty five" as 25; the "oh" of "five oh three" falls away."""
    done: list[str] = []
    open_tens = False
    for place, word in enumerate(spoken):
        value = _value(word, spoken[place + 1] if place + 1 < len(spoken) else "")
        if value is None:
            if word == "oh" and done and done[-1].isdigit():
                continue
            if word == "hundred" and done and done[-1] in ("1", "a"):
                done[-1] = "100"
            elif not (word == "and" and done and done[-1] == "100"):
                done.append(word)
            open_tens = False
        elif open_tens and 0 < value < 10 and not word.isdigit():
            done[-1] = str(int(done[-1]) + value)
            open_tens = False
        else:
            done.append(str(value))
            open_tens = word in _TENS
    return done


def _value(word: str, after: str) -> int | None:
    if word.isascii() and word.isdigit():
        return int(word[:18])
    if word == "second" and after not in ("", "of"):
        return None
    if word in _ORDINALS:
        return _ORDINALS.index(word) + 1
    if (ordinal := re.fullmatch(r"(\d+)(?:st|nd|rd|th)", word)) is not None:
        return int(ordinal[1])
    return _NUMBERS.get(word)


def _distance(wanted: Sequence[str], found: Sequence[str]) -> float:
    """The least cost to turn a stretch of `found` into `wanted`; words may be split or joined."""
    rows = [[0.0] * (len(found) + 1)]
    for i, word in enumerate(wanted, 1):
        row = [float(i)]
        for j, other in enumerate(found, 1):
            best = min(rows[-1][j - 1] + _cost(word, other), rows[-1][j] + 1, row[-1] + 1)
            if j > 1 and found[j - 2] + other == word:
                best = min(best, rows[-1][j - 2])
            if i > 1 and wanted[i - 2] + word == other:
                best = min(best, rows[-2][j - 1])
            row.append(best)
        rows.append(row)
    return min(rows[-1])


def _cost(word: str, other: str) -> float:
    if word == other:
        return 0.0
    sounds = _skeleton(word)
    if not sounds or sounds != _skeleton(other) or word.isdigit() or other.isdigit():
        return 1.0
    return 0.0 if len(sounds) >= 4 else _SAME_SOUND


def _skeleton(word: str) -> str:
    """Only its consonants, those that sound alike as one and none of them twice: "klanky" is "Clankie"."""
    sounds = re.sub(r"ph", "f", word)
    sounds = re.sub(r"ck|[cqx]", "k", sounds).replace("z", "s")
    return re.sub(r"(.)\1+", r"\1", re.sub(r"[aeiouyhw]", "", sounds))
