"""The little words that decide a conversation, kept as data because every language has its own."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from importlib import resources

from actors.floor.text import Phrases, longest_first, tokens

LANGUAGES = ("en", "de", "es", "fr")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One language's phrases, normalised by `tokens`."""

    greetings: Phrases
    """May stand before a name that is called, and nowhere else at the beginning."""
    openers: Phrases
    """May stand before a name that is called, but begin other sentences as well."""
    softeners: Phrases
    """Add nothing: please, now."""
    pointing: Phrases
    """Before the name: he is talked about."""
    auxiliaries: Phrases
    """After the name: he is talked about, unless it begins a question to him."""
    inverting: Phrases
    """After an auxiliary: it did."""
    third_person: Phrases
    """After the name: he is talked about."""
    third_person_endings: tuple[str, ...]
    """Endings of a word that after the name mean the same."""
    third_person_exceptions: Phrases
    """Words with such an ending that do not."""
    controls: Phrases
    """Order him to be silent."""
    negations: Phrases
    """Before a control: it is none."""
    acknowledgements: Phrases
    """Say "go on": no cut, no turn."""
    glue: Phrases
    """May stand in an acknowledgement without changing it."""
    laughter: tuple[str, ...]
    """Syllables of written laughter; two of them are laughter."""
    fillers: Phrases
    """Words that say nothing by themselves."""


def load_words(language: str) -> Words:
    """Read one language's list; ValueError names the languages there are, or what is wrong with a list."""
    if language not in LANGUAGES:
        raise ValueError(
            f"floor.language must be one of {', '.join(LANGUAGES)}, got {language!r}; choose one"
        )
    file = resources.files("actors.floor").joinpath("words", f"{language}.toml")
    return parse_words(file.read_text("utf-8"))


def parse_words(toml: str) -> Words:
    """Words from the text of a list: every key an array of strings, none missing, none unknown."""
    lists = {key: [str(entry) for entry in entries] for key, entries in tomllib.loads(toml).items()}
    known = {field.name for field in fields(Words)}
    if lists.keys() != known:
        wrong = sorted(lists.keys() ^ known)
        raise ValueError(f"a word list must have exactly {sorted(known)}, differs in {wrong}")
    spelled = {key: longest_first([tokens(entry) for entry in entries]) for key, entries in lists.items()}
    return Words(
        greetings=spelled["greetings"],
        openers=spelled["openers"],
        softeners=spelled["softeners"],
        pointing=spelled["pointing"],
        auxiliaries=spelled["auxiliaries"],
        inverting=spelled["inverting"],
        third_person=spelled["third_person"],
        third_person_endings=_joined(spelled["third_person_endings"]),
        third_person_exceptions=spelled["third_person_exceptions"],
        controls=spelled["controls"],
        negations=spelled["negations"],
        acknowledgements=spelled["acknowledgements"],
        glue=spelled["glue"],
        laughter=_joined(spelled["laughter"]),
        fillers=spelled["fillers"],
    )


def _joined(phrases: Phrases) -> tuple[str, ...]:
    return tuple(sorted(("".join(phrase) for phrase in phrases), key=len))
