"""When it was really loud and when it was really quiet, told by the packets and not by the receipts."""

from __future__ import annotations

from itertools import pairwise

from actors.audio.opus import OpusDecoder
from actors.audio.pcm import rms_dbfs
from messages.evidence import Interrupted
from messages.ids import PersonId
from supervisors.rehearsal.moments import Moments, receipts
from supervisors.rehearsal.people import AUDIBLE_DBFS
from supervisors.rehearsal.recorder import Recorder
from supervisors.rehearsal.seat import Start

BREATH_SECONDS = 0.5
"""A longer pause parts two stretches of one voice."""


class Stopwatch(Recorder):
    """A recorder that notes when each audible frame began, in seconds of the rehearsal."""

    def __init__(self, start: Start) -> None:
        super().__init__(start)
        self._zero = start
        self._ear = OpusDecoder()
        self._voices: dict[PersonId, list[float]] = {}
        self._his: list[float] = []

    def people(self, person: PersonId, pcm: bytes, at: float) -> None:
        """A packet of somebody's leaves his microphone."""
        super().people(person, pcm, at)
        if rms_dbfs(pcm) > AUDIBLE_DBFS:
            self._voices.setdefault(person, []).append(at - self._zero.monotonic)

    def clankie(self, packet: bytes, at: float) -> None:
        """One of his packets is on the wire."""
        super().clankie(packet, at)
        if rms_dbfs(self._ear.decode(packet)) > AUDIBLE_DBFS:
            self._his.append(at - self._zero.monotonic)

    def close(self) -> None:
        """Free both decoders."""
        super().close()
        self._ear.close()

    def frames_after_decisions(self, moments: Moments) -> tuple[int, ...]:
        """How many audible frames of what was cut began after the receipt of each cut."""
        return tuple(
            sum(at < frame <= self._last_of_his(at) for frame in self._his) for at, _ in _cuts(moments)
        )

    def silent_after_words(self, moments: Moments) -> tuple[float, ...]:
        """Seconds from the end of the words of each cut to his last audible frame, at least 0."""
        return tuple(
            max(0.0, self._last_of_his(at) - _stretch(self._voices[cut.person_id], at)[1])
            for at, cut in _cuts(moments)
        )

    def answered_after(self, moments: Moments) -> tuple[float, ...]:
        """Seconds from the last words before each of his utterances to its first audible frame."""
        starts = [now for before, now in pairwise([-1.0, *self._his]) if now - before > BREATH_SECONDS]
        frames = sorted(at for voice in self._voices.values() for at in voice)
        return tuple(
            now - max(at for at in frames if at < now) for now in starts if frames and frames[0] < now
        )

    def _last_of_his(self, cut_at: float) -> float:
        return _stretch(self._his, cut_at)[1]


def _cuts(moments: Moments) -> tuple[tuple[float, Interrupted], ...]:
    return tuple((at, what) for at, what in receipts(moments) if isinstance(what, Interrupted))


def _stretch(frames: list[float], around: float) -> tuple[float, float]:
    """Beginnings of the first and of the last frame of the last stretch that began before this second."""
    begun = [at for at in frames if at < around]
    first = last = begun[-1]
    for at in reversed(begun):
        if first - at > BREATH_SECONDS:
            break
        first = at
    for at in frames[len(begun) :]:
        if at - last > BREATH_SECONDS:
            break
        last = at
    return first, last
