"""Behind the addresses of this OpenAI is whatever a test wants to answer, to speak and to listen."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tests.loopback.discord.body import Body
from tests.loopback.openai.chat import Call
from tests.loopback.openai.speech import RATE

Answered: TypeAlias = tuple[str, tuple[Call, ...]]
"""A text and the functions that are to be called; both may be empty."""
TONE_HERTZ = 440
SECONDS_A_CHARACTER = 0.06


@dataclass(slots=True, kw_only=True)
class Brains:
    """May be replaced one by one, and are asked in threads of their own."""

    answer: Callable[[Body], Answered]
    """From the body of a chat completion."""
    speak: Callable[[str], Iterator[bytes]]
    """24 kHz mono 16-bit samples, in pieces of any length."""
    hear: Callable[[bytes], str]
    """The words in such samples."""


def simple() -> Brains:
    """Brains that always say the same, hum, and hear nothing."""
    return Brains(answer=lambda _: ("Hello there. How are you?", ()), speak=hum, hear=lambda _: "")


def hum(text: str) -> Iterator[bytes]:
    """A tone that is as long as the text would be."""
    count = int(len(text) * SECONDS_A_CHARACTER * RATE)
    wave = (round(8_000 * math.sin(2 * math.pi * TONE_HERTZ * place / RATE)) for place in range(count))
    yield array("h", wave).tobytes()
