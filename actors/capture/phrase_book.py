"""Where the language data of the filters is read, once for the whole house."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files

from actors.capture.filters import PhraseBook, bare


@functools.cache
def phrase_book() -> PhraseBook:
    """The packaged phrases of all languages; the ones that recognisers make up know no borders."""
    data = tomllib.loads(files("actors.capture").joinpath("phrase_book.toml").read_text("utf-8"))
    return PhraseBook(
        phrases=frozenset(bare(phrase) for listed in data["phrases"].values() for phrase in listed),
        scripts={language: frozenset(scripts) for language, scripts in data["scripts"].items()},
    )
