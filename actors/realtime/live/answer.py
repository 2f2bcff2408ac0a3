"""Of what a model writes only the answer is spoken: not its thoughts, and not its word for silence."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from actors.net.reasons import of_code
from actors.realtime.live import wording
from actors.realtime.live.chunks import Calls, Piece
from messages.realtime import ResponseEnding

MOST_CHARACTERS: Final = 64_000
"""A server that sends more than this in one answer has gone mad."""
MOST_OUTPUT: Final = "max_output_tokens"
_WHOLE: Final = frozenset({"stop", "tool_calls", "function_call", "eos"})
_CUT: Final = frozenset({"length", "model_length"})
_TAGS: Final = ("<think>", "</think>", "<thinking>", "</thinking>")
_TAG: Final = re.compile(r"<(/?)think(?:ing)?>")


class Thoughts:
    """Lets text through as it comes, but not what stands between <think> and </think>, nor a bare tag."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False

    def take(self, text: str) -> str:
        """What of this, and of what was held back, is no thought; the beginning of a tag is held back."""
        text, spoken = self._held + text, ""
        while (tag := _TAG.search(text)) is not None:
            spoken += self._passed(text[: tag.start()])
            self._thinking = not tag[1]
            text = text[tag.end() :]
        cut = _beginning_of_a_tag(text)
        self._held = text[cut:]
        return spoken + self._passed(text[:cut])

    def rest(self) -> str:
        """What was held back, now that nothing follows it."""
        held, self._held = self._held, ""
        return self._passed(held)

    def _passed(self, text: str) -> str:
        return "" if self._thinking else text


def _beginning_of_a_tag(text: str) -> int:
    """Where the end of a text may be the beginning of a tag; its length if nowhere."""
    at = text.rfind("<")
    return at if at >= 0 and any(tag.startswith(text[at:]) for tag in _TAGS) else len(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How an answer ended: the tools that it really calls, with their arguments as they were written."""

    ending: ResponseEnding
    reason: str = ""
    calls: tuple[tuple[str, str], ...] = ()


class Answer:
    """One answer as it comes in."""

    def __init__(self) -> None:
        self.text = ""
        """What was given to be spoken so far."""
        self._thoughts, self._calls = Thoughts(), Calls()
        self._opening = ""
        self._size = 0

    def take(self, piece: Piece) -> str:
        """Add a piece and return what is to be spoken now; raises ValueError where there is no end of it."""
        self._size += len(piece.text) + sum(len(call.arguments) for call in piece.calls)
        if self._size > MOST_CHARACTERS:
            raise ValueError("an answer without end")
        self._calls.take(piece.calls)
        return self._spoken(self._thoughts.take(piece.text), wording.may_be_silence)

    def rest(self) -> str:
        """What is to be spoken when nothing follows."""
        return self._spoken(self._thoughts.rest(), wording.is_silence)

    def verdict(self, finish: str) -> Verdict:
        """What the server's reason to finish makes of it, once everything was taken.

        One that was too long is still an answer if anybody heard of it, but its calls may be cut short.
        """
        if finish in _WHOLE:
            return Verdict(ending=ResponseEnding.COMPLETED, calls=self._calls.whole())
        if finish in _CUT and self.text:
            return Verdict(ending=ResponseEnding.COMPLETED)
        reason = MOST_OUTPUT if finish in _CUT else of_code(finish)
        return Verdict(ending=ResponseEnding.FAILED, reason=reason)

    def _spoken(self, text: str, hushed: Callable[[str], bool]) -> str:
        """The opening waits until it is known not to be the word for silence."""
        if not self.text:
            text, self._opening = self._opening + text, ""
            if hushed(text):
                self._opening, text = text, ""
        self.text += text
        return text
