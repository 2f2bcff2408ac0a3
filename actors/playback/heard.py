"""What was heard is what was sent, and half a word was not heard at all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """Sound up to byte `end` of an utterance says this text, from where the piece before it ends."""

    end: int
    text: str


def divide(aligned: tuple[Aligned, ...], sent: int) -> tuple[str, str]:
    """The text that was heard when `sent` bytes of the sound were sent, and the text that was not.

    Inside a piece, text is taken to be as far along as its sound, and cut back to whole words.
    """
    heard: list[str] = []
    unheard: list[str] = []
    start = 0
    for piece in aligned:
        if sent >= piece.end:
            heard.append(piece.text)
        elif sent <= start:
            unheard.append(piece.text)
        else:
            place = _whole_words(piece.text, (sent - start) / (piece.end - start))
            heard.append(piece.text[:place].strip())
            unheard.append(piece.text[place:].strip())
        start = piece.end
    return _joined(heard), _joined(unheard)


def _whole_words(text: str, part: float) -> int:
    """How many characters of `text` are whole words within its first `part` (0 to 1)."""
    place = int(len(text) * part)
    while place > 0 and not text[place].isspace():
        place -= 1
    return place


def _joined(texts: list[str]) -> str:
    return " ".join(text for text in texts if text)
