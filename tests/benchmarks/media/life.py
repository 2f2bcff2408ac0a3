"""A media process from its birth to its violent death, with three people.

Argument: how many cuts.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

from messages.audio import FRAME_SECONDS, Frame
from messages.floor import SpeechDrained, SpeechFailed, SpeechStarted
from messages.ids import CaptureId, UtteranceId
from messages.voice import OpenMicrophone
from supervisors.cli import SWITCH_SECONDS
from tests.benchmarks.bench import tell
from tests.benchmarks.figures import Values
from tests.benchmarks.kernel import private
from tests.benchmarks.media.births import births
from tests.benchmarks.media.cuts import cuts
from tests.benchmarks.media.ward import PATIENCE_SECONDS, Ward, stamped
from tests.benchmarks.pacing.speech import frames

PEOPLE: Final = 3
BIRTHS: Final = 3
LOOKS: Final = 50
"""So often we look whether a packet has come."""
HEARD: Final = 40
"""Frames of each person that are heard before he is weighed."""


_never = threading.Event()


class Ear:
    """Counts what it hears of one person."""

    def __init__(self, enough: int) -> None:
        self._left = enough
        self.heard = threading.Event()

    def put(self, _frame: Frame, /) -> None:
        """One more."""
        self._left -= 1
        if self._left == 0:
            self.heard.set()


def talked(ward: Ward, sentence: bytes) -> float:
    """Have everybody talk, himself too; the megabytes of his media process after that."""
    ears = [Ear(HEARD) for _ in ward.people]
    for person, ear in zip(ward.people, ears, strict=True):
        ward.voice.tell(OpenMicrophone(person=person, capture=CaptureId(person), sink=ear))
    ward.talk(True)
    ward.say(UtteranceId("talk"), sentence)
    for ear in ears:
        assert ear.heard.wait(PATIENCE_SECONDS), "somebody was not heard"
    ward.floor.expect(SpeechDrained)
    ward.talk(False)
    return private(ward.pid)


def revived(ward: Ward, sentence: bytes) -> Values:
    """Kill his media process in mid-sentence; the floor has him say something else at once."""
    ward.say(UtteranceId("broken"), sentence)
    ward.floor.expect(SpeechStarted)
    ward.arrivals()
    killed = time.monotonic()
    os.kill(ward.pid, signal.SIGKILL)
    failed, _ = ward.floor.expect(SpeechFailed)
    ward.say(UtteranceId("again"), sentence)
    ward.floor.expect(SpeechStarted)
    return {"known_ms": 1e3 * (failed - killed), "again_s": _first(ward, failed) - killed}


def _first(ward: Ward, after: float) -> float:
    """When his first packet of sound came after that second."""
    came: list[float] = []
    for _ in range(LOOKS):
        came = [at for at in ward.arrivals() if at > after]
        if came:
            break
        _never.wait(FRAME_SECONDS)
    assert came, "nothing came of what he said"
    return came[0]


def main(wanted: int) -> None:
    """Measure once."""
    sys.setswitchinterval(SWITCH_SECONDS)
    speech = b"".join(frames(1.0))
    with tempfile.NamedTemporaryFile() as stamps, Ward(PEOPLE, stamped(Path(stamps.name))) as ward:
        values = {"birth_ms": 1e3 * births(ward.loop, ward.ca_file, BIRTHS)}
        values["up_ms"] = 1e3 * ward.enter()
        ward.settle()
        values["media_mb"] = talked(ward, speech)
        values |= cuts(ward, speech, Path(stamps.name), wanted)
        values |= revived(ward, speech)
    tell(values)


if __name__ == "__main__":
    main(int(sys.argv[1]))
