"""How an answer begins is kept back as long as it may be one that nobody should hear."""

from __future__ import annotations

import json
import re
from typing import Final

from pydantic import BaseModel, ValidationError

from actors.net.plain import plain_json
from actors.realtime.tools import NAMES

_HUSHED: Final = re.compile(
    r"\s*[(\[*_]+\s*(?:silence|silent|stays? silent|says nothing)\s*[)\]*_]+[.\s]*", re.IGNORECASE
)
_LONGEST_HUSH: Final = 24
_OWN_NAME: Final = "clankie:"
_NAMED: Final = re.compile(rf"\A\s*{_OWN_NAME}\s*", re.IGNORECASE)
_OBJECT: Final = re.compile(r'\s*\{\s*(?:"|$)')


class Opening:
    """Lets an answer through as it comes, but neither the word for silence nor an object of JSON.

    Small models answer in the form of the lines that they read, or write a call down instead of calling, or
    begin with their own name and a colon as in a play, which is left out.
    """

    def __init__(self) -> None:
        self._held = ""
        self.is_known = False
        """Whether it is known to be an answer for people, who have been told how it begins."""

    def take(self, text: str) -> str:
        """Add a piece, and return what is to be told now."""
        if self.is_known:
            return text
        self._held = _NAMED.sub("", self._held + text)
        return "" if _is_undecided(self._held) else self._told(self._held)

    def rest(self) -> str:
        """What of that which was held back is to be told when nothing follows."""
        if _OBJECT.match(self._held) is None:
            return self._told(self._held)
        written = _object(self._held)
        return "" if written is None else self._told(written.text)

    def call(self) -> tuple[str, str] | None:
        """Tool and arguments where all of the answer is a call that was written down."""
        return written_call(self._held)

    def _told(self, text: str) -> str:
        if is_silence(text):
            return ""
        self._held, self.is_known = "", True
        return text


def is_silence(answer: str) -> bool:
    """Whether an answer, or all that came of it, is one that nobody should hear."""
    return not answer.strip() or _HUSHED.fullmatch(answer) is not None


def written_call(text: str) -> tuple[str, str] | None:
    """Tool and arguments of a call of ours that somebody wrote down as JSON."""
    written = _object(text)
    if written is None or written.name not in NAMES:
        return None
    return written.name, json.dumps(written.arguments or written.parameters)


class _Written(BaseModel):
    """What is known of an object that is no answer; most of its fields are somebody's guess at a form."""

    text: str = ""
    name: str = ""
    arguments: dict[str, object] = {}
    parameters: dict[str, object] = {}


def _object(text: str) -> _Written | None:
    try:
        return _Written.model_validate_json(plain_json(text))
    except ValidationError:
        return None


def _is_undecided(opening: str) -> bool:
    """Whether an answer that begins so may yet turn out to be one that nobody should hear."""
    text = opening.strip()
    if is_silence(text) or _OBJECT.match(text) is not None or _OWN_NAME.startswith(text.lower()):
        return True
    return text[0] in "([*_" and len(text) < _LONGEST_HUSH and not re.search(r"[)\]]", text)
