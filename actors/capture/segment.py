"""A segment is a stretch of one person's voice, counted in windows so that nothing drifts."""

from __future__ import annotations

from dataclasses import dataclass

from actors.capture.settings import CaptureSettings
from messages.ids import Connection, SegmentId

NEVER = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """How many windows the settings mean: the least number that lasts so many seconds."""

    begin: int
    end: int
    packets_end: int
    longest: int
    voiced: int
    pause: int
    speculate: int
    first_partial: int
    partial: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How far a segment has come: what every window changes. All but `last_voice`, a second, are windows."""

    length: int
    voiced: int
    heard_to: int
    """The window up to which there was voice."""
    last_voice: float

    @property
    def silence(self) -> int:
        """Windows since the last voice."""
        return self.length - self.heard_to


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The window in which words were last asked for, and `to` which one the voice went then."""

    at: int = NEVER
    to: int = NEVER
    guessed_to: int = NEVER
    """How far the voice went when a speculative final was asked for."""


_NOTHING_ASKED = Asked()


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A segment that `began` at that monotonic second."""

    id: SegmentId
    connection: Connection | None
    """The listener that has its sound; None when there was none to give it to."""
    began: float
    extent: Extent
    asked: Asked = _NOTHING_ASKED
    said: str = ""
    """The last words that the floor was told of it."""

    @property
    def settled(self) -> bool:
        """Whether a speculative final covers all the voice there was."""
        return self.asked.guessed_to == self.extent.heard_to


def seconds(windows: int, settings: CaptureSettings) -> float:
    """How long so many windows last."""
    return windows * settings.window_seconds


def lengths(settings: CaptureSettings) -> Lengths:
    """What these settings come to."""

    def windows(duration: float) -> int:
        return max(1, -int(-(duration - 1e-9) // settings.window_seconds))

    return Lengths(
        begin=windows(settings.begin_seconds),
        end=windows(settings.end_seconds),
        packets_end=windows(settings.packets_end_silence),
        longest=windows(settings.longest_seconds),
        voiced=windows(settings.voiced_seconds),
        pause=windows(settings.pause_seconds),
        speculate=windows(settings.speculate_seconds),
        first_partial=windows(settings.first_partial_seconds),
        partial=windows(settings.partial_seconds),
    )


def longer(segment: Segment, probability: float, at: float, settings: CaptureSettings) -> Segment:
    """The same segment with one more window."""
    extent = segment.extent
    length, voice = extent.length + 1, probability >= settings.end_probability
    return Segment(
        id=segment.id,
        connection=segment.connection,
        began=segment.began,
        extent=Extent(
            length=length,
            voiced=extent.voiced + (probability >= settings.begin_probability),
            heard_to=length if voice else extent.heard_to,
            last_voice=at if voice else extent.last_voice,
        ),
        asked=segment.asked,
        said=segment.said,
    )


def has_words(segment: Segment, lengths: Lengths) -> bool:
    """Whether there is enough voice for words at all."""
    return segment.extent.voiced >= lengths.voiced


def wants_partial(segment: Segment, lengths: Lengths) -> bool:
    """Whether an open segment should be transcribed now, while he speaks."""
    extent, asked = segment.extent, segment.asked
    if asked.to == extent.heard_to or not has_words(segment, lengths):
        return False
    if extent.silence >= lengths.pause:
        return True
    if asked.at == NEVER:
        return extent.length >= lengths.first_partial
    return extent.length - asked.at >= lengths.partial


def wants_guess(segment: Segment, lengths: Lengths) -> bool:
    """Whether the silence is long enough to ask for what may be the final words."""
    quiet = segment.extent.silence >= lengths.speculate
    return quiet and not segment.settled and has_words(segment, lengths)


def more_held(before: Segment, after: Segment, settings: CaptureSettings) -> bool:
    """Whether the voice grew past another mark that the floor is told of."""

    def marks(voiced: int) -> int:
        return int(seconds(voiced, settings) / settings.held_seconds)

    old, new = before.extent.voiced, after.extent.voiced
    return new > old and marks(new) > marks(old)
