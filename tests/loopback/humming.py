"""The voice of a provider who has none: a steady sound, as long as the text would take."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

Speak: TypeAlias = Callable[[str], Iterator[bytes]]
"""Text to sound, 24 kHz mono s16le, in pieces of any length; called and turned on a thread of its own."""

RATE: Final = 24_000
SECONDS_A_CHARACTER: Final = 0.06
"""A hundred characters are six seconds, as with a person."""


def hum(text: str) -> Iterator[bytes]:
    """Make a sound as long as the text, of a pitch that is the text's own."""
    if not text.strip():
        return
    hertz = 200 + sum(text.encode()) % 200
    period = RATE // hertz
    wave = array("h", (round(6_000 * math.sin(math.tau * at / period) + 500) for at in range(period)))
    samples = round(len(text.rstrip()) * SECONDS_A_CHARACTER * RATE)
    yield (wave * (samples // period + 1))[:samples].tobytes()
