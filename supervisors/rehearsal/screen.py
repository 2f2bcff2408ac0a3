"""What others wrote is shown on a terminal, and never obeyed by it."""

from __future__ import annotations

import unicodedata
from typing import Final

TEXT, NAME, LINE = 200, 40, 1000
"""Characters of a text, a name and a whole complaint that are shown at most."""
_UNSEEN: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING: Final = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
"""Marks that turn the direction of the text after them."""


def shown(text: str, most: int = TEXT) -> str:
    """The text on one line without control characters and turned directions, shortened to `most`."""
    short = text if len(text) <= most else f"{text[: most - 1]}…"
    return "".join("�" if is_hostile(letter) else letter for letter in short)


def is_hostile(letter: str) -> bool:
    """Whether it moves something on the screen instead of standing there."""
    return letter in _TURNING or unicodedata.category(letter) in _UNSEEN
