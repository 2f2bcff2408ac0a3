"""Of what a model writes only the answer is spoken: not its thoughts, its calls, or its word for silence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from actors.net.reasons import of_code
from actors.realtime.live.chunks import MOST_CALLS, Calls, Piece
from actors.realtime.live.opening import Opening, written_call
from messages.realtime import ResponseEnding

MOST_CHARACTERS: Final = 64_000
"""A server that sends more than this in one answer has gone mad."""
MOST_OUTPUT: Final = "max_output_tokens"
_WHOLE: Final = frozenset({"stop", "tool_calls", "function_call", "eos"})
_CUT: Final = {"length": MOST_OUTPUT, "model_length": MOST_OUTPUT, "content_filter": "content_filter"}
_CALL: Final = "tool_call"
_TAGS: Final = tuple(f"<{slash}{name}>" for name in ("think", "thinking", _CALL) for slash in ("", "/"))
_TAG: Final = re.compile(f"<(/?)(think|thinking|{_CALL})>")


class Asides:
    """Lets text through as it comes, but not what stands between <think> and </think>, nor a bare tag.

    What stands between <tool_call> and </tool_call> is kept, where a server has left it to us.
    """

    def __init__(self) -> None:
        self.calls: list[str] = []
        self._held = ""
        self._inside: str | None = None

    def take(self, text: str) -> str:
        """What of this, and of what was held back, is for people; the beginning of a tag is held back."""
        text, spoken = self._held + text, ""
        while (tag := _TAG.search(text)) is not None:
            spoken += self._passed(text[: tag.start()])
            self._turn(tag[2], begins=not tag[1])
            text = text[tag.end() :]
        cut = _beginning_of_a_tag(text)
        self._held = text[cut:]
        return spoken + self._passed(text[:cut])

    def rest(self) -> str:
        """What was held back, now that nothing follows it."""
        held, self._held = self._held, ""
        return self._passed(held)

    def _turn(self, aside: str, *, begins: bool) -> None:
        """An aside begins or ends; a call that is only thought of is a thought."""
        if aside == _CALL and self._inside not in (None, _CALL):
            return
        self._inside = aside if begins else None
        if self._inside == _CALL:
            self.calls.append("")

    def _passed(self, text: str) -> str:
        if self._inside == _CALL:
            self.calls[-1] += text
        return "" if self._inside else text


def _beginning_of_a_tag(text: str) -> int:
    """Where the end of a text may be the beginning of a tag; its length if nowhere."""
    at = text.rfind("<")
    return at if at >= 0 and any(tag.startswith(text[at:]) for tag in _TAGS) else len(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How an answer ended: the tools that it calls in earnest, with their arguments as they were written."""

    ending: ResponseEnding
    reason: str = ""
    calls: tuple[tuple[str, str], ...] = field(default=(), repr=False)


class Answer:
    """One answer as it comes in."""

    def __init__(self) -> None:
        self.text = ""
        """What was given to be spoken so far."""
        self._asides, self._opening, self._calls = Asides(), Opening(), Calls()
        self._size = 0

    def take(self, piece: Piece) -> str:
        """Add a piece and return what is to be spoken now; raises ValueError where there is no end of it."""
        self._size += len(piece.text) + sum(len(call.arguments) for call in piece.calls)
        if self._size > MOST_CHARACTERS:
            raise ValueError("an answer without end")
        self._calls.take(piece.calls)
        return self._spoken(self._opening.take(self._asides.take(piece.text)))

    def rest(self) -> str:
        """What is to be spoken when nothing follows."""
        return self._spoken(self._opening.take(self._asides.rest()) + self._opening.rest())

    def verdict(self, finish: str) -> Verdict:
        """What the server's reason to finish makes of it, once everything was taken.

        One that was too long is still an answer if anybody heard of it, but its calls may be cut short.
        """
        if finish in _WHOLE:
            return Verdict(ending=ResponseEnding.COMPLETED, calls=self._calls.whole() or self._written())
        if finish in _CUT and self.text:
            return Verdict(ending=ResponseEnding.COMPLETED)
        return Verdict(ending=ResponseEnding.FAILED, reason=_CUT.get(finish) or of_code(finish))

    def _written(self) -> tuple[tuple[str, str], ...]:
        """The calls that were written down instead of made."""
        written = (self._opening.call(), *map(written_call, self._asides.calls))
        return tuple(call for call in written if call is not None)[:MOST_CALLS]

    def _spoken(self, text: str) -> str:
        self.text += text
        return text
