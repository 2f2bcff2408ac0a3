"""What a log says that matters, and what must stand nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Final

from messages.evidence import Receipt
from tests.reliability.chaos.history import Exposed, Logged

LONGEST: Final = 300
_LINE: Final = re.compile(r"^[\d:.]+ (?P<level>[A-Z]+) +(?P<text>.*)$")
_QUIET: Final = frozenset(("DEBUG", "INFO", "SUCCESS", "TRACE"))
_UNNAMED: Final = "UNNAMED"


def logged(line: str, at: float, life: int) -> Logged | None:
    """This line of a log, unless it only tells of the ordinary."""
    found = _LINE.match(line)
    level, text = (found["level"], found["text"]) if found else (_UNNAMED, line)
    if level in _QUIET or not text.strip():
        return None
    return Logged(at=at, life=life, level=level, text=text[:LONGEST])


def exposed_in(
    text: str, at: float, where: str, secrets: Iterable[str], words: Iterable[str]
) -> Iterator[Exposed]:
    """Which of these secrets and words stand in a text; it says that they do, never what they are."""
    if any(secret in text for secret in secrets):
        yield Exposed(at=at, where=where, what="a secret")
    folded = text.casefold()
    if any(said.casefold() in folded for said in words):
        yield Exposed(at=at, where=where, what="somebody's words")


def exposed_by(
    receipt: Receipt, at: float, secrets: Iterable[str], words: Iterable[str]
) -> Iterable[Exposed]:
    """The same of a receipt."""
    text = "\n".join(str(value) for value in asdict(receipt).values())
    return exposed_in(text, at, "a receipt", secrets, words)
