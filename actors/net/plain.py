"""JSON may hold half a letter, which no file, socket or console can write down; here it becomes a mark."""

from __future__ import annotations

import re
from typing import Final

MARK: Final = "\ufffd"
_HALF: Final = re.compile("[\ud800-\udfff]")
_ESCAPE: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)


_UNSEEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What moves on a terminal or turns the text behind it, and halves of letters; emojis are not among it."""


def one_line(name: str, most: int) -> str:
    """A name as it can stand in a line, whoever chose it."""
    return " ".join(_UNSEEN.sub(" ", name).split())[:most].rstrip()


def plain(text: str) -> str:
    """The same with U+FFFD for each half of a letter."""
    return _HALF.sub(MARK, text)


def plain_json(written: str) -> str:
    """The same JSON with U+FFFD for each half of a letter in its strings, escaped or not."""
    return plain(_ESCAPE.sub(lambda escape: r"\ufffd" if escape[1] else escape[0], written))
