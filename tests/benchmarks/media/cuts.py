"""From the floor's word that he shall be silent, through two actors and a pipe, to silence."""

from __future__ import annotations

import os
import random
import statistics
import threading
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from messages.audio import FRAME_SECONDS
from messages.floor import SpeechCut, SpeechStarted
from messages.ids import UtteranceId
from messages.playback import CutSpeech
from tests.benchmarks.figures import Values
from tests.benchmarks.media.stamped import STAMP
from tests.benchmarks.media.ward import Ward

MOST_SPOKEN: Final = 0.06
"""Seconds of a sentence before it is cut, at most."""
QUIET_SECONDS: Final = 0.045
"""Whatever should still have come of it has come by then."""

READ_SECONDS: Final = 0.2
"""By then the crowd has read what has come."""

_never = threading.Event()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Monotonic seconds: when the floor said so, the port was told, it was done, and the floor knew of it."""

    decided: float
    ordered: float
    handled: float
    told: float


def cuts(ward: Ward, sentence: bytes, stamps: Path, wanted: int) -> Values:
    """So many sentences cut off at a random moment."""
    ward.arrivals()
    with stamps.open("rb", buffering=0) as written:
        found = [_cut(ward, sentence, number, written.fileno()) for number in range(wanted)]
    _never.wait(READ_SECONDS)
    return figures(found, ward.arrivals())


def figures(found: Sequence[Cut], arrivals: Sequence[float]) -> Values:
    """What these cuts come to, with the arrivals of all his packets of sound."""
    lasts = [arrivals[bisect_right(arrivals, cut.told + QUIET_SECONDS) - 1] for cut in found]
    handled = [1e3 * (cut.handled - cut.decided) for cut in found]
    silent = [last + FRAME_SECONDS - cut.decided for last, cut in zip(lasts, found, strict=True)]
    return {
        "handled_ms": statistics.median(handled),
        "link_ms": statistics.median(1e3 * (cut.handled - cut.ordered) for cut in found),
        "told_ms": statistics.median(1e3 * (cut.told - cut.decided) for cut in found),
        "silent_ms": 1e3 * statistics.median(silent),
        "late": float(sum(last > cut.told for last, cut in zip(lasts, found, strict=True))),
    }


def _cut(ward: Ward, sentence: bytes, number: int, written: int) -> Cut:
    utterance = UtteranceId(f"cut{number}")
    ward.say(utterance, sentence)
    ward.floor.expect(SpeechStarted)
    _never.wait(random.uniform(0.0, MOST_SPOKEN))
    decided = ward.clock.now()
    ward.playback.tell(CutSpeech(utterance=utterance))
    told, _ = ward.floor.expect(SpeechCut)
    (handled,) = STAMP.unpack(os.read(written, STAMP.size))
    _never.wait(QUIET_SECONDS)
    return Cut(decided=decided, ordered=ward.link.cut_at, handled=handled, told=told)
