"""A crowd and the stays in its rooms, measured for some seconds at a time while some of them talk."""

from __future__ import annotations

import os
import select
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import monotonic
from typing import Final, NamedTuple

from messages.audio import FRAME_SECONDS
from tests.benchmarks import kernel
from tests.benchmarks.capacity.stays import Ear, Stay
from tests.benchmarks.crowd import Crowd
from tests.benchmarks.figures import percentile

SETTLE_SECONDS: Final = 0.5
"""So long he and everybody talk before it counts."""
SEND_BUDGET_MS: Final = 3.0
HEAR_BUDGET_MS: Final = 20.0
LOST_MS: Final = 1000.0
"""Instead of how late it was, of what did not come at all."""
TRAILING_SILENCE: Final = 5
ALMOST_ALL: Final = 0.97
"""What ends with the measured seconds does not end on a packet; whatever is less than this is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Some seconds in which so many stays talked; milliseconds, and shares of one core."""

    stays: int
    speakers: int
    send_p99: float
    hear_p50: float
    hear_p99: float
    heard: float
    """Frames taken by ears for each packet that was sent to them."""
    said: float
    """His packets for each slot that there was."""
    dropped: int
    """Frames that fell out of a pipe unread."""
    crowded: float
    """Packets that people sent for each that they should."""
    house: float
    media: float
    crowd: float

    @property
    def in_budget(self) -> bool:
        """Whether nothing was late, and nothing is missing."""
        return (
            self.send_p99 <= SEND_BUDGET_MS
            and self.hear_p99 <= HEAR_BUDGET_MS
            and not self.dropped
            and self.heard >= ALMOST_ALL
            and self.said >= ALMOST_ALL
            and self.crowded >= ALMOST_ALL
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What was spent, dropped and heard so far; seconds of CPU."""

    house: float
    media: float
    crowd: float
    dropped: int
    heard: tuple[int, ...]


class Span(NamedTuple):
    """From when to when so many stays talked, what people sent, and when his packets came."""

    stays: int
    began: float
    ended: float
    sent: int
    arrivals: list[list[float]]


class Scene:
    """The first so many stays, or the first so many people of one, talk for a while."""

    def __init__(self, crowd: Crowd, stays: Sequence[Stay]) -> None:
        self._crowd, self._stays = crowd, stays
        self.sent = 0
        """Packets that were sent to his ears so far, silent ones included."""

    @property
    def media(self) -> list[int]:
        """The media processes."""
        return [stay.crowded.pid for stay in self._stays]

    def pin(self, cores: Sequence[int]) -> None:
        """Keep the house and its media processes to these cores, and the people with them."""
        kernel.pin((os.getpid(), *self.media, self._crowd.pid), cores)

    def sample(self, stays: int, seconds: float, people: int | None = None) -> Sample:
        """Let them talk and see what comes of it once it runs evenly; afterwards all may use any core."""
        talking, rooms = self._stays[:stays], range(stays)
        ears = [ear for stay in talking for ear in stay.ears[:people]]
        self._begin(talking, people)
        _wait(SETTLE_SECONDS)
        self._traffic(rooms, 0.0, 0.0)
        before, began = self._look(ears), monotonic()
        _wait(seconds)
        after, ended = self._look(ears), monotonic()
        self.pin(range(os.cpu_count() or 1))
        sent, arrivals = self._traffic(rooms, began, ended)
        self._end(talking, people)
        return _sample(before, after, ears, Span(stays, began, ended, sent, arrivals))

    def _begin(self, talking: Sequence[Stay], people: int | None) -> None:
        self._crowd.talk(True, range(len(talking)), people)
        for stay in talking:
            stay.mouth.begin()

    def _end(self, talking: Sequence[Stay], people: int | None) -> None:
        for stay in talking:
            stay.mouth.end()
        self._crowd.talk(False, range(len(talking)), people)
        for stay in talking:
            stay.wait_until_silent()
        self._traffic(range(len(talking)), 0.0, 0.0)
        self.sent += TRAILING_SILENCE * sum(len(stay.ears[:people]) for stay in talking)

    def _traffic(self, rooms: Sequence[int], began: float, ended: float) -> tuple[int, list[list[float]]]:
        """What people sent, and when his packets came, between these two moments."""
        sent, arrivals = 0, list[list[float]]()
        for room in rooms:
            arrivals.append([at for at in self._crowd.arrivals(room) if began <= at <= ended])
            for left in self._crowd.departures(room):
                self.sent += len(left)
                sent += sum(began <= at <= ended for at in left)
        return sent, arrivals

    def _look(self, ears: Sequence[Ear]) -> Look:
        return Look(
            house=kernel.cpu_seconds(os.getpid()),
            media=sum(map(kernel.cpu_seconds, self.media)),
            crowd=kernel.cpu_seconds(self._crowd.pid),
            dropped=sum(ear.pipe.dropped for ear in ears),
            heard=tuple(len(ear.pipe.ages) for ear in ears),
        )


def _sample(before: Look, after: Look, ears: Sequence[Ear], span: Span) -> Sample:
    seconds = span.ended - span.began
    slots = seconds / FRAME_SECONDS
    ages = [
        age * 1000
        for ear, first, last in zip(ears, before.heard, after.heard, strict=True)
        for age in ear.pipe.ages[first:last]
    ]
    off = [abs(b - a - FRAME_SECONDS) * 1000 for room in span.arrivals for a, b in pairwise(room)]
    return Sample(
        stays=span.stays,
        speakers=len(ears),
        send_p99=percentile(off, 99) if off else LOST_MS,
        hear_p50=percentile(ages, 50) if ages else LOST_MS,
        hear_p99=percentile(ages, 99) if ages else LOST_MS,
        heard=len(ages) / max(1, span.sent),
        said=sum(map(len, span.arrivals)) / (slots * span.stays),
        dropped=after.dropped - before.dropped,
        crowded=span.sent / (slots * len(ears)),
        house=(after.house - before.house) / seconds,
        media=(after.media - before.media) / seconds,
        crowd=(after.crowd - before.crowd) / seconds,
    )


def _wait(seconds: float) -> None:
    select.select((), (), (), seconds)
