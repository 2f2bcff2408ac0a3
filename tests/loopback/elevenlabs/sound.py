"""Sound as the vendor sends it: cut anywhere, and with a time for every character of what is said in it."""

from __future__ import annotations

import itertools
import math
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from tests.loopback.humming import RATE

_AUDIBLE = 130
_SENTENCE = re.compile(r"\S.*?(?:[.!?…]+(?=\s)|$)\s*", re.DOTALL)


def sentences(text: str) -> list[str]:
    """Cut a text after its sentences, with the space that follows them; nothing of it is lost but a lead."""
    return [match.group() for match in _SENTENCE.finditer(text)]


def at_rate(pcm: bytes, rate: int) -> bytes:
    """Bring 24 kHz to another rate by repeating and leaving out samples."""
    if rate == RATE:
        return pcm
    samples = array("h", pcm)
    return array("h", (samples[at * RATE // rate] for at in range(len(samples) * rate // RATE))).tobytes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """The characters that begin in a chunk, and when and for how long, in ms from the chunk's beginning."""

    chars: tuple[str, ...]
    starts: tuple[int, ...]
    durations: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of sound as it goes out, at the rate that was asked for, of any number of bytes."""

    audio: bytes
    timed: Timed | None


def chunks(text: str, pcm: bytes, rate: int, size: int, *, every: bool) -> Iterator[Chunk]:
    """Cut the sound of a sentence into chunks of `size` bytes, odd or even, with their alignments.

    `every` chunk has its own, or the first has one of all the characters.
    """
    begun = _starts(text, pcm)
    sound = at_rate(pcm, rate)
    per_ms = rate * 2 / 1_000
    for at in range(0, len(sound), size):
        end = at + size
        last = end >= len(sound)
        if every:
            yield Chunk(
                audio=sound[at:end],
                timed=_between(text, begun, at / per_ms, math.inf if last else end / per_ms),
            )
        else:
            yield Chunk(audio=sound[at:end], timed=None if at else _between(text, begun, 0, math.inf))


def _starts(text: str, pcm: bytes) -> list[float]:
    """When each character begins, in ms, and when the last one ends: even steps between the silences."""
    samples = array("h", pcm[: len(pcm) // 2 * 2])
    audible = (at for at, sample in enumerate(samples) if abs(sample) > _AUDIBLE)
    first = next(audible, 0)
    tail = itertools.takewhile(lambda sample: abs(sample) <= _AUDIBLE, reversed(samples))
    last = max(first, len(samples) - sum(1 for _ in tail))
    step = (last - first) / max(1, len(text))
    return [(first + at * step) / RATE * 1_000 for at in range(len(text) + 1)]


def _between(text: str, begun: list[float], start: float, end: float) -> Timed | None:
    within = [at for at in range(len(text)) if start <= begun[at] < end]
    if not within:
        return None
    return Timed(
        chars=tuple(text[at] for at in within),
        starts=tuple(round(begun[at] - start) for at in within),
        durations=tuple(round(begun[at + 1] - begun[at]) for at in within),
    )
