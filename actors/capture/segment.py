"""A segment is a stretch of one person's voice, counted in windows so that nothing drifts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from actors.capture.settings import CaptureSettings
from messages.ids import Connection, SegmentId

NEVER = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """An open segment; all counts are windows, `began` and `last_voice` monotonic seconds."""

    id: SegmentId
    connection: Connection | None
    """The listener that has its sound; None when there was none to give it to."""
    began: float
    last_voice: float
    length: int
    voiced: int
    heard_to: int
    """The window up to which there was voice."""
    asked_at: int = NEVER
    """The window in which words were last asked for, and `asked_to` how far the voice went then."""
    asked_to: int = NEVER
    guessed_to: int = NEVER
    """How far the voice went when a speculative final was asked for."""
    said: str = ""
    """The last words that the floor was told of it."""

    @property
    def silence(self) -> int:
        """Windows since the last voice."""
        return self.length - self.heard_to

    @property
    def settled(self) -> bool:
        """Whether a speculative final covers all the voice there was."""
        return self.guessed_to == self.heard_to


def seconds(windows: int, settings: CaptureSettings) -> float:
    """How long so many windows last."""
    return windows * settings.window_seconds


def windows(duration: float, settings: CaptureSettings) -> int:
    """The least number of windows that last `duration` seconds."""
    return max(1, -int(-(duration - 1e-9) // settings.window_seconds))


def longer(segment: Segment, probability: float, at: float, settings: CaptureSettings) -> Segment:
    """The same segment with one more window."""
    length = segment.length + 1
    if probability < settings.end_probability:
        return replace(segment, length=length)
    voiced = segment.voiced + (probability >= settings.begin_probability)
    return replace(segment, length=length, voiced=voiced, heard_to=length, last_voice=at)


def has_words(segment: Segment, settings: CaptureSettings) -> bool:
    """Whether there is enough voice for words at all."""
    return segment.voiced >= windows(settings.voiced_seconds, settings)


def wants_partial(segment: Segment, settings: CaptureSettings) -> bool:
    """Whether an open segment should be transcribed now, while he speaks."""
    if segment.asked_to == segment.heard_to or not has_words(segment, settings):
        return False
    if segment.silence >= windows(settings.pause_seconds, settings):
        return True
    if segment.asked_at == NEVER:
        return segment.length >= windows(settings.first_partial_seconds, settings)
    return segment.length - segment.asked_at >= windows(settings.partial_seconds, settings)


def wants_guess(segment: Segment, settings: CaptureSettings) -> bool:
    """Whether the silence is long enough to ask for what may be the final words."""
    quiet = segment.silence >= windows(settings.speculate_seconds, settings)
    return quiet and not segment.settled and has_words(segment, settings)


def more_held(before: Segment, after: Segment, settings: CaptureSettings) -> bool:
    """Whether the voice grew past another mark that the floor is told of."""

    def marks(segment: Segment) -> int:
        return int(seconds(segment.voiced, settings) / settings.held_seconds)

    return marks(after) > marks(before)
