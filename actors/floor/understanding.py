"""What a line does in a conversation, whatever it says: it orders silence, it nods, it says something."""

from __future__ import annotations

from dataclasses import dataclass

from actors.floor.addressing import LONGEST, HeardAs, Likeness, Listening, Names, classify, joined
from actors.floor.text import Tokens, starts_with, tokens, without_front
from actors.floor.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One line as the floor understands it."""

    heard_as: HeardAs
    words: Tokens
    """All its tokens, his name included."""
    control: bool
    """It orders silence."""
    control_only: bool
    """And nothing else."""
    acknowledgement: bool
    content: int
    """How many words say something."""
    named_last: bool
    """His name is its last word: as long as the line goes on, nobody knows what that makes it."""


def hear(text: str, names: Names, words: Words) -> Heard:
    """Understand one line, or as much of it as there is."""
    text, listening = text[:LONGEST], Listening(names)
    said = joined(tokens(text), listening)
    heard_as = classify(text, listening, words)
    dropped = (Likeness.NAME, Likeness.WEAK) if heard_as is HeardAs.ADDRESSED else (Likeness.NAME,)
    nameless = tuple(word for word in said if listening.likeness(word) not in dropped)
    control = is_control(nameless, words)
    return Heard(
        heard_as=heard_as,
        words=said,
        control=control,
        control_only=control and not _beside_controls(nameless, words),
        acknowledgement=is_acknowledgement(said, words),
        content=len({word for word in nameless if says_something(word, words)}),
        named_last=bool(said) and listening.likeness(said[-1]) is Likeness.NAME,
    )


def is_control(said: Tokens, words: Words) -> bool:
    """Whether these words, without his name, order silence: at their beginning, or all in all very short."""
    rest = said
    while rest and not starts_with(rest, words.controls):
        shorter = rest[max(starts_with(rest, words.openers), starts_with(rest, words.softeners)) :]
        if shorter == rest:
            return _ends_in_control(rest, words)
        rest = shorter
    return bool(rest)


def _ends_in_control(said: Tokens, words: Words) -> bool:
    if len(said) > 4:
        return False
    ending = next((phrase for phrase in words.controls if said[-len(phrase) :] == phrase), None)
    return ending is not None and said[: -len(ending)][-1:] not in words.negations


def _beside_controls(said: Tokens, words: Words) -> Tokens:
    return without_front(said, words.controls, words.openers, words.softeners, words.greetings)


def is_acknowledgement(said: Tokens, words: Words) -> bool:
    """Whether these words only say "go on", laughter included."""
    nodded = False
    while said:
        nod = max(starts_with(said, words.acknowledgements), int(is_laughter(said[0], words)))
        taken = max(nod, starts_with(said, words.glue))
        if not taken:
            return False
        nodded, said = nodded or nod > 0, said[taken:]
    return nodded


def is_laughter(word: str, words: Words) -> bool:
    """Whether this token is spelled laughter: two syllables of it or more."""
    count = 0
    while syllable := next((s for s in words.laughter if word.startswith(s)), ""):
        word, count = word[len(syllable) :], count + 1
    return count >= 2 and word in ("", "h", "j")


def says_something(word: str, words: Words) -> bool:
    """Whether this token is more than a filler, a single letter or laughter."""
    return len(word) > 1 and (word,) not in words.fillers and not is_laughter(word, words)
