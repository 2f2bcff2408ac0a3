"""The mind and the voice of a night: each answer has a number, and sounds like its number."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from actors.audio.pcm import RATE
from messages.floor import Trigger
from tests.loopback.discord.body import Body, decode
from tests.loopback.openai.chat import Call
from tests.loopback.openai.mind import Asked, Reply, pieces_of
from tests.reliability import marks

SECONDS_A_CHARACTER: Final = 0.06
STORY_SENTENCES: Final = 12
NUMBERED: Final = marks.NUMBERS - 100
"""Answers are numbered below this, and begin anew there; what is no answer has the numbers above."""
_NUMBER: Final = re.compile(r"[Nn]umber (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One answer of the mind: `speakers` are those whose lines were new, `lines` what they said."""

    number: int
    trigger: str
    speakers: frozenset[str]
    lines: tuple[str, ...]
    at: float


class Mind:
    """Answers every address, aloud or typed, with a numbered sentence, "a long story" with a dozen."""

    def __init__(self) -> None:
        self.answers: list[Answered] = []
        """What it has answered, in order."""
        self.pause = 0.0
        """Seconds before each piece of a text."""
        self.wording = "This is number {}."
        """What each sentence of an answer is."""
        self.sentences = 1
        """How many an answer has that is no story."""
        self.hands_over = ""
        """Whoever says this last has the captain asked, and is told what came of it; empty: nobody."""
        self._lock = threading.Lock()
        self._others: dict[str, int] = {}

    def think(self, asked: Asked) -> Reply:
        """See Think."""
        if asked.trigger not in {Trigger.ADDRESS, Trigger.TYPED, Trigger.HANDOFF_RESULT}:
            return Reply(pause=self.pause)
        spoken = [body for said in asked.new if said.role == "user" for body in _lines(said.text)]
        with self._lock:
            number = len(self.answers) % NUMBERED
            answered = Answered(
                number=number,
                trigger=asked.trigger,
                speakers=frozenset(body.text("speaker") for body in spoken),
                lines=tuple(body.text("text") for body in spoken),
                at=time.monotonic(),
            )
            self.answers.append(answered)
        if self.hands_over and any(self.hands_over in line for line in answered.lines[-1:]):
            call = Call(name="ask_clankie", arguments=json.dumps({"request": self.hands_over}))
            return Reply(calls=(call,), pause=self.pause)
        told = any("long story" in line for line in answered.lines)
        sentence = self.wording.format(number)
        text = " ".join([sentence] * (STORY_SENTENCES if told else self.sentences))
        return Reply(pieces=pieces_of(text), pause=self.pause)

    def number(self, sentence: str) -> int:
        """What a sentence sounds like: its own number, or one from NUMBERED on for any other text."""
        if (found := _NUMBER.search(sentence)) is not None:
            return int(found[1]) % NUMBERED
        with self._lock:
            return NUMBERED + self._others.setdefault(sentence, len(self._others)) % (
                marks.NUMBERS - NUMBERED
            )

    def speak(self, text: str) -> Iterator[bytes]:
        """See Speak: the chord of the number, as long as a person would take for the text."""
        if text.strip():
            yield marks.chord(self.number(text), round(len(text.strip()) * SECONDS_A_CHARACTER * RATE))


def _lines(text: str) -> Iterator[Body]:
    """The line of somebody in an item; anything else is none."""
    body = decode(text)
    if "speaker" in body and "text" in body:
        yield body
