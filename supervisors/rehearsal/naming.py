"""A name must fit into one line of text and into the path of an ear, whatever the alphabet."""

from __future__ import annotations

from typing import Final

from supervisors.rehearsal.screen import is_hostile

LONGEST: Final = 100


def oddity(name: str) -> str | None:
    """What is wrong with a name or an id, as a clause with a remedy; None where nothing is."""
    if not name.strip():
        return "is empty; write one"
    if len(name) > LONGEST:
        return f"has {len(name)} characters; write at most {LONGEST}"
    if "/" in name:
        return "has a slash in it, which divides the path of an ear; leave it out"
    if (hostile := next((letter for letter in name if is_hostile(letter)), None)) is not None:
        what = "a line break" if hostile in "\r\n\u2028\u2029" else f"the character U+{ord(hostile):04X}"
        return f"has {what} in it, which does not stand in a line of text; leave it out"
    if name != name.strip():
        return "begins or ends with a space; leave it out"
    return None
