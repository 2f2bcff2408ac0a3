"""ElevenLabs at the other end of a line, in either dialect: it sounds what it is given, or fails at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from tests.actors.tts.live.talk import error, final, is_dialogue, sound, sounding, turn_over
from tests.stories.wired import Other, Plan

MOST = 4
LATE = b"\x07\x00" * 480


class Provider:
    """All lines of one house; `held` are texts whose sound begins and is never complete."""

    def __init__(self, model: str, plan: Plan, held: Iterable[str] = ()) -> None:
        self.model, self.plan, self.held = model, plan, frozenset(held)
        self.most = 0
        """The most contexts that any line ever had."""
        self.finals = True
        """Whether it ever tells that a context is over."""

        self.wakes: float | None = None
        """After how many seconds it answers all the same where it was to be silent."""
        self.peers: list[VoicePeer] = []

    def __call__(self) -> VoicePeer:
        self.peers.append(VoicePeer(self))
        return self.peers[-1]


class VoicePeer(Other):
    """One line."""

    def __init__(self, provider: Provider) -> None:
        super().__init__(provider.plan)
        self.provider, self.model = provider, provider.model
        self.live: dict[str, str] = {}
        self.used: set[str] = set()
        self.unfinished: set[str] = set()

    def refusal(self) -> dict[str, object]:
        return error("quota_exceeded")

    def late(self) -> Iterator[dict[str, object]]:
        for context in sorted(self.used):
            yield self._late(context)
            yield final(self.model, context)

    def took(self, frame: dict[str, object]) -> None:
        context = str(frame["context_id"])
        if "voice_settings" in frame:
            assert context not in self.used, "a context was opened twice"
            self.used.add(context)
            self.live[context] = ""
            self.provider.most = max(self.provider.most, len(self.live))
            return
        assert context in self.live, f"a frame for a context that is not open: {frame}"
        if "flush" in frame:
            self._answer(context, self.live[context])
        elif "close_context" in frame:
            self._close(context)
        else:
            self.live[context] = _text(frame)

    def _answer(self, context: str, text: str) -> None:
        held = text in self.provider.held
        fault = None if held else self.plan.next()
        first, rest = halves(text)
        if held or fault is None or self.plan.begins:
            self.say(sound(self.model, context, first))
        if held:
            self.unfinished.add(context)
        elif fault is not None:
            self.unfinished.add(context)
            self.strike(fault)
            if self.provider.wakes is not None:
                self.line.after(self.provider.wakes, partial(self._complete, context, text))
        else:
            self._complete(context, rest)

    def _complete(self, context: str, text: str) -> None:
        self.say(sound(self.model, context, text))
        if is_dialogue(self.model):
            self.say(turn_over(context))

    def _close(self, context: str) -> None:
        if context in self.unfinished:
            self.say(self._late(context))
        if self.provider.finals:
            self.line.later(lambda: self.live.pop(context))
            self.say(final(self.model, context), self._late(context))

    def _late(self, context: str) -> dict[str, object]:
        return sound(self.model, context, "", LATE)


def halves(text: str) -> tuple[str, str]:
    """The first word of a text, and the rest."""
    first, rest = text.split(maxsplit=1)
    return f"{first} ", rest


def sounding_of(text: str) -> bytes:
    """All the sound of one unit."""
    return b"".join(map(sounding, halves(text)))


def _text(frame: dict[str, object]) -> str:
    match frame:
        case {"inputs": [{"text": str(text)}]} | {"text": str(text)}:
            return text.strip()
        case _:
            raise AssertionError(f"no text: {frame}")
