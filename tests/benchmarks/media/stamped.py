"""A media process like any other that also writes down when it has obeyed an order to be silent."""

from __future__ import annotations

import os
import struct
import sys
import time
from typing import Final

from actors.voice.media.__main__ import main
from actors.voice.pacing import Speaker
from messages.ids import UtteranceId
from messages.voice import SoundEvent

STAMP: Final = struct.Struct("@d")


def stamp(path: str) -> None:
    """Add the monotonic second of every cut to this file, once nothing is left to be said."""
    fd, cut = os.open(path, os.O_WRONLY | os.O_APPEND), Speaker.cut

    def stamped(speaker: Speaker, utterance: UtteranceId, now: float) -> tuple[SoundEvent, ...]:
        news = cut(speaker, utterance, now)
        os.write(fd, STAMP.pack(time.monotonic()))
        return news

    Speaker.cut = stamped  # type: ignore[method-assign,assignment]


if __name__ == "__main__":
    stamp(sys.argv.pop(1))
    main()
