"""What is too long for a chat ends between two words."""

from __future__ import annotations

from typing import Final

MOST_CHARACTERS: Final = 2_000


def shortened(text: str, most: int = MOST_CHARACTERS) -> str:
    """At most `most` characters; what is longer ends between two words, with an ellipsis."""
    text = text.strip()
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    if not text[most - 1].isspace():
        whole = kept.rsplit(maxsplit=1)[0]
        # Not every script has spaces between words.
        kept = whole if len(whole) > most // 2 else kept
    return f"{kept.rstrip()}…"
