"""Which emoji somebody means, whether he puts it there or calls it by its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_SIGN = (
    "[\U0001f1e6-\U0001f1ff]{2}"
    "|[\u2190-\u21ff\u2300-\u27bf\u2934-\u2b55\u3030\u303d\U0001f000-\U0001faff]\ufe0f?[\U0001f3fb-\U0001f3ff]?"
)
_OWN = r"<a?(?P<own>:\w{2,30}:)\d+>|:(?!\d+:)\w{2,30}:"
_EMOJI: Final = re.compile(rf"(?:{_SIGN})(?:\u200d(?:{_SIGN})){{0,4}}|{_OWN}")
_NAMED: Final[Mapping[str, str]] = {
    "thumbs up": "👍",
    "thumb up": "👍",
    "thumbs down": "👎",
    "thumb down": "👎",
    "heart": "❤️",
    "laugh": "😂",
    "fire": "🔥",
    "party": "🎉",
    "eyes": "👀",
    "check mark": "✅",
    "wave": "👋",
    "clap": "👏",
    "smile": "🙂",
    "rocket": "🚀",
    "star": "⭐",
}


def emoji_in(text: str, *, named: bool = True) -> str | None:
    """The first emoji of a text, `:name:` for one of a server's own; or, if it may be `named`, so called."""
    found = _EMOJI.search(text)
    if found is not None:
        return found["own"] or found[0]
    if not named:
        return None
    plain = text.casefold().replace("-", " ")
    return next((sign for name, sign in _NAMED.items() if re.search(rf"\b{name}s?\b", plain)), None)
