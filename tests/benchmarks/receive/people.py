"""People who talk: the same speech for whoever is measured, locked for their group and for the road."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from actors.audio.opus import OpusEncoder
from actors.voice.media.cipher import Cipher
from actors.voice.media.rtp import Outgoing
from tests.benchmarks.pacing.speech import frames

PEOPLE: Final = 8
SECONDS: Final = 8.0
APART: Final = 37
"""Frames between two people who say the same."""
FIRST_SSRC: Final = 1_000

Seal = Callable[[bytes], bytes]


@functools.cache
def spoken() -> tuple[bytes, ...]:
    """Some seconds of somebody who reads aloud, as Opus."""
    encoder = OpusEncoder(bitrate=64_000, complexity=5)
    try:
        return tuple(map(encoder.encode, frames(SECONDS)))
    finally:
        encoder.close()


def packets(place: int, seal: Seal, road: Cipher) -> Iterator[bytes]:
    """All that one person will ever say, as a voice server passes it on; `place` is his among the others."""
    headers = Outgoing(FIRST_SSRC + place, lambda _bits: 0)
    for opus in itertools.islice(itertools.cycle(spoken()), APART * place, None):
        yield road.seal(headers.next(), seal(opus))


def in_turn(people: Sequence[Iterator[bytes]]) -> Iterator[bytes]:
    """Everybody's next packet, and so on."""
    for person in itertools.cycle(people):
        yield next(person)
