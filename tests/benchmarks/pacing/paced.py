"""`fifo` or `ordinary`: when his packets leave while the house is busy and eight people talk to him."""

from __future__ import annotations

import ctypes
import resource
import statistics
import sys
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import pairwise
from typing import Final

from messages.audio import FRAME_SECONDS, Frame
from messages.ids import UtteranceId
from messages.voice import SoundDrained, SoundSent
from supervisors.cli import SWITCH_SECONDS
from tests.benchmarks.bench import cannot, tell
from tests.benchmarks.crowd import Crowd, CrowdedLink
from tests.benchmarks.figures import percentile
from tests.benchmarks.pacing.speech import frames

PEOPLE, BUSY = 8, 5
SPEECH_SECONDS, AHEAD_FRAMES = 3.0, 20
ENOUGH_FIRSTS, MOST_TRIES = 10, 24
FEW: Final = 25
"""Packets of which the middle one stands for a moment, since any single one may be late."""
STOLEN_SECONDS: Final = 0.0003
"""Whoever was interrupted so long while he wrote to the pipe cannot say when he did."""
NO_REAL_TIME: Final = "real time is not permitted here: run as root, or grant CAP_SYS_NICE"
_DROP_FROM_BOUNDING_SET, _PRECEDENCE = 24, 23


class Sink:
    """An ear that only counts."""

    def __init__(self) -> None:
        self.frames = 0

    def put(self, frame: Frame, /) -> None:
        """One more."""
        self.frames += 1


@contextmanager
def busy() -> Generator[None]:
    """Have five threads that never rest."""
    over = threading.Event()
    threads = [threading.Thread(target=_work, args=(over,), daemon=True) for _ in range(BUSY)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _work(over: threading.Event) -> None:
    number = 0
    while not over.is_set():
        for _ in range(1_000):
            number += 1


def give_up_precedence() -> None:
    """What this thread starts from now on gets no precedence, whoever runs it; not to be taken back."""
    ctypes.CDLL(None).prctl(_DROP_FROM_BOUNDING_SET, _PRECEDENCE, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
    resource.setrlimit(resource.RLIMIT_NICE, (0, 0))


def _paced(crowd: Crowd, one: CrowdedLink) -> Mapping[str, float]:
    """He speaks, and is given 400 ms ahead what he says, as playback does it."""
    speech, utterance, given = frames(SPEECH_SECONDS), UtteranceId("long"), 0
    with busy():
        crowd.talk(True)
        crowd.arrivals()
        sent = 0
        while given < len(speech):
            most = min(len(speech), sent + AHEAD_FRAMES)
            if given < most:
                one.link.play(one.connection, utterance, b"".join(speech[given:most]))
                given = most
            sent = one.news.expect(SoundSent, 10.0).frames
        one.link.end(one.connection, utterance)
        one.news.expect(SoundDrained, 10.0)
        crowd.talk(False)
    came = crowd.arrivals()
    return {**deviation(came), "lost": float(len(speech) - len(came))}


def deviation(came: list[float]) -> Mapping[str, float]:
    """How far apart two packets were from 20 ms, in milliseconds."""
    gaps = [1_000 * (later - earlier) for earlier, later in pairwise(came)]
    off = [abs(gap - 20) for gap in gaps]
    return {
        "p50": percentile(off, 50),
        "p99": percentile(off, 99),
        "max": max(off),
        "gaps": float(sum(gap > 40 for gap in gaps)),
        "drift": abs(1_000 * drift(came)),
    }


def drift(came: list[float]) -> float:
    """How much later than the first packets the last ones were, against a clock of 20 ms; in seconds."""
    late = [at - FRAME_SECONDS * slot for slot, at in enumerate(came)]
    few = min(FEW, len(late))
    return statistics.median(late[-few:]) - statistics.median(late[:few])


def _firsts(crowd: Crowd, one: CrowdedLink, name: str) -> Mapping[str, float]:
    """From his first PCM on the pipe to its packet, again and again."""
    (frame,) = frames(1.0)[40:41]
    written: list[tuple[float, float]] = []
    for number in range(MOST_TRIES):
        if sum(map(_undisturbed, written)) == ENOUGH_FIRSTS:
            break
        utterance, began = UtteranceId(f"{name}{number}"), time.monotonic()
        one.link.play(one.connection, utterance, frame)
        written.append((began, time.monotonic()))
        one.link.end(one.connection, utterance)
        one.news.expect(SoundDrained, 10.0)
    pairs = zip(written, crowd.arrivals(), strict=True)
    return firsts([1_000 * (at - write[0]) for write, at in pairs if _undisturbed(write)], name)


def firsts(took: Sequence[float], name: str) -> Mapping[str, float]:
    """What so many came to; nothing if they are too few for the slowest to mean the same each time."""
    if len(took) < ENOUGH_FIRSTS:
        return {}
    return {f"{name}_p50": percentile(took, 50), f"{name}_slowest": max(took)}


def _undisturbed(write: tuple[float, float]) -> bool:
    began, done = write
    return done - began < STOLEN_SECONDS


def main(scheduling: str, *houses: str) -> None:
    """Measure once; his first packets in these houses, `idle` or `busy`, as well."""
    if scheduling == "ordinary":
        give_up_precedence()
    sys.setswitchinterval(SWITCH_SECONDS)
    with Crowd(rooms=1, people=PEOPLE, seconds=SPEECH_SECONDS + 5) as crowd:
        (one,) = crowd.links()
        if scheduling == "fifo" and one.link.describe()["scheduling"] != "in real time":
            cannot(NO_REAL_TIME)
        for person in one.people:
            one.hear(person, Sink())
        values = dict(_paced(crowd, one))
        for house in houses:
            with busy() if house == "busy" else nullcontext():
                values |= _firsts(crowd, one, house)
    tell(values)


if __name__ == "__main__":
    main(*sys.argv[1:])
