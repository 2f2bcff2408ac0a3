"""Where a word ends in the sound is where he can be said to have said it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from actors.tts.live.wire import Letter

_WORD: Final = re.compile(r"\S+")
_SAMPLE_BYTES: Final = 2
_SAMPLES_PER_MS: Final = 24


class Sound(NamedTuple):
    """Whole samples, and the words that end with them."""

    pcm: bytes
    text: str


class Words:
    """The words of one unit, ticked off as the provider tells where its letters and digits sound."""

    def __init__(self, text: str) -> None:
        self._ends = deque(_ends(text))
        self._missing = sum(sign.isalnum() for sign in text)
        self._told = 0

    @property
    def covered(self) -> bool:
        """Whether the place of every letter and digit is known."""
        return self._told >= self._missing

    def tell(self, letters: Iterable[Letter]) -> Iterator[tuple[str, float]]:
        """Words of the unit that end with these letters, and when. The letters are counted, not compared."""
        for letter in letters:
            if not letter.sign.isalnum():
                continue
            self._told += 1
            if self._ends and self._told >= self._ends[0][0]:
                yield self._ends.popleft()[1], letter.end


def _ends(text: str) -> Iterator[tuple[int, str]]:
    """Each word with what is no word behind it, and how many letters and digits there are to its end."""
    count, start, end = 0, 0, 0
    for word in _WORD.finditer(text):
        letters = sum(sign.isalnum() for sign in word.group())
        if letters and count:
            yield count, text[start:end]
            start = word.start()
        count, end = count + letters, word.end()
    yield count, text[start:end]


class Track:
    """All sound of one context, cut where words end."""

    def __init__(self) -> None:
        self._odd = b""
        self._given = 0
        self._marks: deque[tuple[int, str]] = deque()

    def mark(self, text: str, milliseconds: float) -> None:
        """`text` ends so long after the beginning of the chunk that is fed next."""
        samples = max(round(milliseconds * _SAMPLES_PER_MS), 1)
        place = self._given + samples * _SAMPLE_BYTES
        if self._marks and self._marks[-1][0] >= place:
            place, before = self._marks.pop()
            text = f"{before} {text}"
        self._marks.append((place, text))

    @property
    def ahead(self) -> int:
        """How many bytes of sound are still to come until the last of the words that were marked ends."""
        return self._marks[-1][0] - self._given if self._marks else 0

    def forget_marks(self) -> None:
        """Nobody asks any more where these words end."""
        self._marks.clear()

    def feed(self, pcm: bytes) -> list[Sound]:
        """More sound; half a sample is kept for the next time."""
        pcm = self._odd + pcm
        whole = len(pcm) - len(pcm) % _SAMPLE_BYTES
        sounds: list[Sound] = []
        begin, end = 0, self._given + whole
        while self._marks and self._marks[0][0] <= end:
            place, text = self._marks.popleft()
            sounds.append(Sound(pcm[begin : place - self._given], text))
            begin = place - self._given
        if begin < whole:
            sounds.append(Sound(pcm[begin:whole], ""))
        self._odd, self._given = pcm[whole:], end
        return sounds
