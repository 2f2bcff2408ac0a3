"""OpenAI's transcription at the other end of a line: it writes down the words that are in the sound."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from tests.stories.sound import words_of
from tests.stories.wired import Fault, Other, Plan

LATE = "words that came too late"
LEAST_BYTES = 4800
_ITEM = "conversation.item.input_audio_transcription"


class EarPeer(Other):
    """One line. What grows is written down as it grows, and once more when it is committed."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.sound = b""
        self.said = ""
        self.items: list[str] = []

    def greet(self) -> None:
        self.say({"type": "session.created", "session": {"id": "s"}})
        self.items.append("item0")

    def refusal(self) -> dict[str, object]:
        return {"type": "error", "error": {"code": "insufficient_quota", "message": f"Prose: {LATE}"}}

    def late(self) -> Iterator[dict[str, object]]:
        for item in self.items:
            yield {"type": "input_audio_buffer.committed", "item_id": item}
            yield self._more(item, LATE)
            yield self._written(item, LATE)

    def took(self, frame: dict[str, object]) -> None:
        match frame["type"]:
            case "session.update":
                self.say({"type": "session.updated", "session": {}})
            case "input_audio_buffer.append":
                self.sound += base64.b64decode(str(frame["audio"]))
                self._grow()
            case "input_audio_buffer.commit":
                assert len(self.sound) >= LEAST_BYTES, "a commit of too little"
                self._commit(self.items[-1], words_of(self.sound))
                self._next()
            case "input_audio_buffer.clear":
                self.say({"type": "input_audio_buffer.cleared"})
                if self.said:
                    self.say(self._more(self.items[-1], LATE))
                self._next()
            case kind:
                raise AssertionError(f"no frame that it knows: {kind}")

    def _grow(self) -> None:
        words = words_of(self.sound)
        if words != self.said:
            self.say(self._more(self.items[-1], words[len(self.said) :]))
            self.said = words

    def _commit(self, item: str, words: str) -> None:
        fault = self.plan.next()
        committed: dict[str, object] = {"type": "input_audio_buffer.committed", "item_id": item}
        if fault is None:
            self.say(committed, self._written(item, words))
        elif self.plan.begins:
            self.say(committed)
        if fault is Fault.SILENT:
            late = (committed, self._written(item, LATE))
            self.line.after(9.0, lambda: self.say(*late))
        elif fault is not None:
            self.strike(fault)

    def _next(self) -> None:
        self.items.append(f"item{len(self.items)}")
        self.sound, self.said = b"", ""

    def _more(self, item: str, text: str) -> dict[str, object]:
        return {"type": f"{_ITEM}.delta", "item_id": item, "delta": text}

    def _written(self, item: str, text: str) -> dict[str, object]:
        return {"type": f"{_ITEM}.completed", "item_id": item, "transcript": text}
