"""Where a word ends in the sound is where he can be said to have said it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from actors.tts.live.wire import Letter

_WORD: Final = re.compile(r"\S+")
MOST_SKIPPED: Final = 4
"""So many words in a row may be said otherwise than they were written."""
_SAMPLE_BYTES: Final = 2
_SAMPLES_PER_MS: Final = 24


class Sound(NamedTuple):
    """Whole samples, and the words that end with them."""

    pcm: bytes
    text: str


class Words:
    """The words of one unit, ticked off as the provider tells where it says them.

    What it says otherwise than it was written, as a number in words, ends with the next word that is as
    written; so that nothing is told before it was said.
    """

    def __init__(self, text: str) -> None:
        self._words = deque(_words(text))
        self._last_sign = text.rstrip()[-1:]
        self._said = self._sign = ""
        self.covered = False
        """Whether the place of the very last sign is known."""

    def tell(self, letters: Iterable[Letter]) -> Iterator[tuple[str, float]]:
        """Words of the unit that end with these letters, and when; at last nothing, and when it is over."""
        for letter in letters:
            if letter.sign.isspace():
                yield from self._ticked(self._skipped(), letter.end)
                self._said = ""
            else:
                self._said += letter.sign.casefold() if letter.sign.isalnum() else ""
                self._sign = letter.sign
                yield from self._ticked(self._is_next(), letter.end)
            if not self.covered and not self._words and self._sign == self._last_sign:
                self.covered = True
                yield "", letter.end

    def _is_next(self) -> int:
        return 1 if self._words and self._words[0][0] == self._said else 0

    def _skipped(self) -> int:
        """How many words end with one that is not the next, but soon."""
        for number in range(1, min(MOST_SKIPPED + 1, len(self._words))):
            if self._words[number][0] == self._said:
                return number + 1
        return 0

    def _ticked(self, number: int, end: float) -> Iterator[tuple[str, float]]:
        if number:
            self._said = ""
            yield " ".join([self._words.popleft()[1] for _ in range(number)]), end


def _words(text: str) -> Iterator[tuple[str, str]]:
    """The letters and digits of each word, and the word with what is no word behind it."""
    letters, start, end = "", 0, 0
    for word in _WORD.finditer(text):
        its_letters = "".join(sign.casefold() for sign in word.group() if sign.isalnum())
        if its_letters and letters:
            yield letters, text[start:end]
            letters, start = "", word.start()
        letters, end = letters + its_letters, word.end()
    yield letters, text[start:end]


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
            text = f"{before} {text}".rstrip()
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
