"""One utterance on the provider's side: opened once, told its text, and closed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from actors.tts.live.timing import Sound, Track, Words
from actors.tts.live.wire import Letter
from messages.audio import RATE
from messages.ids import UtteranceId

SILENCE_SECONDS: Final = 0.5
"""A unit of which some sound has come and for so long no more is over, if others follow: nothing is lost."""
LAST_SILENCE_SECONDS: Final = 2.5
"""The same, where what comes later would be lost."""
GRACE_SECONDS: Final = 1.0
"""The same, if all of its sound has come, and only its end was not told."""
NEARLY_BYTES: Final = RATE * 2 // 50
"""So near to the end of its last sign a unit is over: providers round."""
LATE_BYTES: Final = 10 * RATE * 2
"""More sound than this between two units is not kept for the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A unit to be spoken."""

    utterance: UtteranceId
    unit: int
    text: str = field(repr=False)
    last: bool


@dataclass(slots=True, kw_only=True)
class Unit:
    """The unit in flight."""

    number: int
    words: Words
    last: bool
    patient: bool
    """Its end will be told, and is guessed only when all of its sound has come."""
    sounded_at: float | None = None


@dataclass(slots=True)
class Context:
    """`utterance` is None once nobody listens; `left_at` is since when it only takes up a place."""

    name: str
    utterance: UtteranceId | None
    unit: Unit | None = None
    closed: bool = False
    left_at: float | None = None
    _flushes: int = 0
    _track: Track = field(default_factory=Track)
    _late: list[Sound] = field(default_factory=list)

    @property
    def told_all(self) -> bool:
        """Whether the unit in flight is over because all of it has sounded."""
        unit = self.unit
        return unit is not None and not unit.patient and not unit.last and self._covered(unit)

    @property
    def silent_at(self) -> float | None:
        """When the unit in flight is over if no more sound of it comes."""
        unit = self.unit
        if unit is None or unit.sounded_at is None:
            return None
        if self._covered(unit) and (unit.last or unit.patient):
            return unit.sounded_at + GRACE_SECONDS
        if unit.patient:
            return None
        return unit.sounded_at + (LAST_SILENCE_SECONDS if unit.last else SILENCE_SECONDS)

    def begin(self, job: Job, *, closes: bool, patient: bool) -> list[Sound]:
        """A unit was flushed, its context perhaps closed; returns sound that came after its forerunner."""
        self.unit = Unit(number=job.unit, words=Words(job.text), last=job.last, patient=patient)
        self.closed = closes
        self._flushes += 1
        late, self._late = self._late, []
        return late

    def hear(self, pcm: bytes, letters: Sequence[Letter], now: float) -> list[Sound]:
        """Sound of the unit in flight; what comes between two units is kept for the second."""
        if self.utterance is None:
            return []
        if self.unit is not None:
            for text, milliseconds in self.unit.words.tell(letters):
                self._track.mark(text, milliseconds)
        sounds = self._track.feed(pcm)
        if self.unit is None:
            self._keep(sounds)
            return []
        if sounds:
            self.unit.sounded_at = now
        return sounds

    def acknowledged(self) -> bool:
        """A flush was answered; whether it was the last one outstanding."""
        self._flushes = max(self._flushes - 1, 0)
        return self._flushes == 0

    def finish(self, now: float) -> None:
        """The unit is over."""
        self.unit = None
        self._track.forget_marks()
        if self.closed:
            self.leave(now)

    def leave(self, now: float) -> None:
        """Nobody listens any more, and its close was sent."""
        self.utterance, self.unit, self.closed = None, None, True
        self._late.clear()
        self.left_at = now

    def _covered(self, unit: Unit) -> bool:
        return unit.words.covered and self._track.ahead <= NEARLY_BYTES

    def _keep(self, sounds: list[Sound]) -> None:
        kept = sum(len(sound.pcm) for sound in self._late)
        for sound in sounds:
            if kept + len(sound.pcm) <= LATE_BYTES:
                self._late.append(sound)
                kept += len(sound.pcm)
