"""Who is talking right now, and whose words are still on their way."""

from __future__ import annotations

from dataclasses import dataclass, replace

from messages.capture import CaptureMessage
from messages.floor import WordsHeard
from messages.ids import PersonId, SegmentId
from messages.mailbox import Mailbox
from messages.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """A segment whose final words are not here yet; `open` while it is still being spoken."""

    person: Person
    segment: SegmentId
    began: float
    ear: Mailbox[CaptureMessage]
    voiced: float = 0.0
    before: float = 0.0
    """How much of `voiced` came before he began to be heard."""
    open: bool = True
    words: WordsHeard | None = None
    """What it says so far."""
    lost_at: float
    """When it is given up without further news."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingLine:
    """A final line that waits until `due` for the words of those who began earlier."""

    line: WordsHeard
    due: float


def without(voices: tuple[Voice, ...], segment: SegmentId) -> tuple[Voice, ...]:
    """The others."""
    return tuple(voice for voice in voices if voice.segment != segment)


def find(voices: tuple[Voice, ...], segment: SegmentId) -> Voice | None:
    """This segment's voice, if it is outstanding."""
    return next((voice for voice in voices if voice.segment == segment), None)


def put(voices: tuple[Voice, ...], changed: Voice) -> tuple[Voice, ...]:
    """The same voices with one of them changed, or one more."""
    if find(voices, changed.segment) is None:
        return (*voices, changed)
    return tuple(changed if voice.segment == changed.segment else voice for voice in voices)


def anyone(voices: tuple[Voice, ...]) -> bool:
    """Whether somebody is talking right now."""
    return any(voice.open for voice in voices)


def goes_on(voices: tuple[Voice, ...], people: frozenset[PersonId]) -> bool:
    """Whether one of these people has words on their way."""
    return any(voice.person.id in people for voice in voices)


def released(
    voices: tuple[Voice, ...], waiting: tuple[WaitingLine, ...], now: float
) -> tuple[tuple[WordsHeard, ...], tuple[WaitingLine, ...]]:
    """The waiting lines whose turn has come, by who began first, and those that go on waiting."""
    ordered = sorted(waiting, key=lambda entry: entry.line.began)
    ready: list[WordsHeard] = []
    while ordered:
        blocked = any(voice.began < ordered[0].line.began for voice in voices)
        if blocked and not any(entry.due <= now for entry in ordered):
            break
        ready.append(ordered.pop(0).line)
    return tuple(ready), tuple(ordered)


def at_start(voices: tuple[Voice, ...]) -> tuple[Voice, ...]:
    """He begins to be heard: voice from before that does not count as talking over him."""
    return tuple(replace(voice, before=voice.voiced) for voice in voices)
