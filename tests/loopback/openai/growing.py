"""Of sound that still comes, only the words are told that two hearings in a row agree on."""

from __future__ import annotations

import re

_SIGNS = re.compile(r"[^\w']+")


class Growing:
    """The text of one item as it grows, word by word; what was told stays told."""

    def __init__(self) -> None:
        self._before: list[str] = []
        self._told = 0

    def heard(self, text: str) -> str:
        """What is new and certain after another hearing of all the sound so far; empty if nothing is."""
        words = text.split()
        agreed = 0
        for word, before in zip(words, self._before, strict=False):
            if _plain(word) != _plain(before):
                break
            agreed += 1
        self._before = words
        fresh = words[self._told : agreed]
        if fresh and agreed == len(words):
            fresh[-1] = fresh[-1].rstrip(".,!?…")  # here the sound ended, not the sentence
        return self._tell(fresh)

    def finally_heard(self, text: str) -> str:
        """What was not told yet of the whole text."""
        return self._tell(text.split()[self._told :])

    def said(self, text: str) -> None:
        """Somebody else told this."""
        self._told += len(text.split())

    def _tell(self, fresh: list[str]) -> str:
        space = " " if self._told and fresh else ""
        self._told += len(fresh)
        return space + " ".join(fresh)


def _plain(word: str) -> str:
    return _SIGNS.sub("", word).casefold()
