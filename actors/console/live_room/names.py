"""Two people may have the same name, but nobody shall have to guess which of them is meant."""

from __future__ import annotations

import hashlib
import itertools
import unicodedata
from collections.abc import Iterable
from typing import Final

from messages.ids import PersonId, new_id

LETTERS: Final = 12
"""Of a hash, enough to tell all people of a machine apart; a token cannot be read out of them."""


def printable(name: str) -> str:
    """The name without what cannot be seen, and with single spaces; nothing if nothing is left."""
    composed = unicodedata.normalize("NFC", name)
    return " ".join("".join(sign if sign.isprintable() else " " for sign in composed).split())


def unique(name: str, others: Iterable[str]) -> str:
    """The name, with the first number from 2 on that makes it differ from all others."""
    taken = {other.casefold() for other in others}
    tries = itertools.chain([name], (f"{name} {number}" for number in itertools.count(2)))
    return next(one for one in tries if one.casefold() not in taken)


def whose(token: str | None, here: Iterable[PersonId]) -> PersonId:
    """The id of the browser with this token; somebody new if it has none, or sits here already."""
    if token is not None:
        known = PersonId(f"web-{hashlib.sha256(token.encode()).hexdigest()[:LETTERS]}")
        if known not in here:
            return known
    return PersonId(f"web-{new_id()}")
