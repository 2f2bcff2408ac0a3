"""How long a media process takes from nothing to its first word."""

from __future__ import annotations

import statistics
import threading
import time
from pathlib import Path
from typing import Final

from actors.net.loop import IoLoop
from actors.voice.live.child import PROGRAM, Child
from actors.voice.live.cradle import HELLO_SECONDS, begin
from actors.voice.media import mail
from actors.voice.settings import VoiceSettings

END_SECONDS: Final = 2.0


class Newborn(Child):
    """Tells when it said its first word."""

    def __init__(self, loop: IoLoop, start: mail.Begin) -> None:
        self.greeted = 0.0
        self.spoke = threading.Event()
        super().__init__(
            loop,
            start,
            news=lambda _: None,
            died=lambda _: None,
            hello_seconds=HELLO_SECONDS,
            program=PROGRAM,
        )

    def _greet(self, hello: mail.Hello) -> None:
        self.greeted = time.monotonic()
        super()._greet(hello)
        self.spoke.set()


def births(loop: IoLoop, ca_file: Path | None, wanted: int) -> float:
    """The median seconds of so many births, one after the other."""
    start = begin(VoiceSettings(), ca_file=ca_file, proxy=None, opus_library=None)
    return statistics.median(_birth(loop, start) for _ in range(wanted))


def _birth(loop: IoLoop, start: mail.Begin) -> float:
    began = time.monotonic()
    child = Newborn(loop, start)
    assert child.spoke.wait(HELLO_SECONDS), "the media process said nothing"
    child.end(END_SECONDS)
    return child.greeted - began
