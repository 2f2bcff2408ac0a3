"""He begins to speak at the first full stop, not at the last, but never in the middle of 5.30."""

from __future__ import annotations

import re
from typing import Final

_CLOSERS: Final = r"[\"'”’»)\]*_~」』）]*"
_STOPS: Final = "[.!?…:;؟؛۔।]"
_STOP: Final = re.compile(rf"(?<!{_STOPS}){_STOPS}++{_CLOSERS}(?=\s)|[。！？；：]+{_CLOSERS}|\n")
"""Chinese and Japanese have no white space behind a full stop, and no other use for it.

A row of stops is looked at once, as a whole: a model that has gone mad says nothing else.
"""


def speakable(text: str, ended: bool, most: int) -> tuple[tuple[str, ...], str]:
    """Units of `text` that can be spoken now, and the rest that has to wait for more of it.

    A unit ends after . ! ? … : or ; with white space behind it, or their like in other scripts, at a line's
    end, or at the last space within `most` characters (without one: after `most`). It has a letter or digit
    in it.
    Unless the text has `ended`, its very end is no end of a unit, since "5." may become "5.30".
    """
    units: list[str] = []
    while (end := _end(text, most)) is not None:
        units.append(text[:end].strip())
        text = text[end:]
    if not ended:
        return tuple(units), text
    last = text.strip()
    return (*units, last) if _says_something(last) else tuple(units), ""


def beyond(text: str, said: str) -> str:
    """What of a unit's `text` is left when `said` of it has been; as many words on, where the two differ."""
    text, said = text.strip(), said.strip()
    if text.startswith(said):
        return text[len(said) :].lstrip()
    return " ".join(text.split()[len(said.split()) :])


def _end(text: str, most: int) -> int | None:
    """Where the first unit ends; None if that cannot be said yet."""
    start = len(text) - len(text.lstrip())
    for stop in _STOP.finditer(text, start, start + most + 1):
        if stop.end() - start > most:
            break
        if _says_something(text[start : stop.end()]):
            return stop.end()
    if len(text) - start <= most:
        return None
    space = max(text.rfind(" ", start, start + most + 1), text.rfind("\n", start, start + most + 1))
    return space if space > start else start + most


def _says_something(text: str) -> bool:
    return any(sign.isalnum() for sign in text)
