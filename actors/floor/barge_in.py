"""Loudness makes him quieter; only words make him stop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from actors.floor.addressing import HeardAs
from actors.floor.understanding import Heard
from actors.floor.voices import Voice
from messages.floor import WordsHeard
from messages.ids import PersonId, SegmentId, TurnId, UtteranceId

_ROUNDING = 1e-6
"""Tenths of seconds do not add up exactly."""


class CutRule(StrEnum):
    """Which words cut him off."""

    CONTROL = "control"
    ADDRESS = "address"
    CONTENT = "content"


@dataclass(frozen=True, slots=True, kw_only=True)
class Duck:
    """Somebody's voice made him quieter; `quiet_since` is None while there is any voice."""

    person: PersonId
    segment: SegmentId
    since: float
    quiet_since: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """One utterance from its queueing to its end."""

    utterance: UtteranceId
    turn: TurnId
    give_up_at: float
    started: float | None = None
    cut: bool = False
    """The order to silence it was given; it is given once."""
    duck: Duck | None = None
    dismissed: frozenset[SegmentId] = frozenset()
    """Voices that made him quieter before and turned out to be nothing."""

    def audible(self) -> bool:
        """Whether it can be heard, and cut."""
        return self.started is not None and not self.cut


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutter:
    """A segment that cut him off and is not decided yet: by which rule, and its words so far."""

    rule: CutRule
    words: WordsHeard


def find_cutter(cutters: tuple[Cutter, ...], segment: SegmentId) -> Cutter | None:
    """What this segment cut him off with, if it did."""
    return next((cutter for cutter in cutters if cutter.words.segment == segment), None)


def more_words(cutters: tuple[Cutter, ...], event: WordsHeard) -> tuple[Cutter, ...]:
    """The same cutters, that of this segment with its newest words."""
    return tuple(
        replace(cutter, words=event) if cutter.words.segment == event.segment else cutter
        for cutter in cutters
    )


def talks_over(speech: Speech, voice: Voice, after: float) -> bool:
    """Whether this voice has been heard over the speech for `after` seconds for the first time."""
    enough = voice.open and voice.voiced - voice.before >= after - _ROUNDING
    return enough and speech.audible() and speech.duck is None and voice.segment not in speech.dismissed


def hushed(speech: Speech, quiet_since: float | None) -> Speech:
    """Note since when nobody talks over a ducked speech; None while somebody does."""
    if speech.duck is None:
        return speech
    return replace(speech, duck=replace(speech.duck, quiet_since=quiet_since))


def rises_at(duck: Duck, resume_after: float, hold_limit: float | None) -> float | None:
    """When he is as loud as before, as far as is known; he holds still for at most `hold_limit` seconds."""
    moments = [duck.quiet_since + resume_after] if duck.quiet_since is not None else []
    if hold_limit is not None:
        moments.append(duck.since + hold_limit)
    return min(moments, default=None)


def risen(speech: Speech, voices: tuple[Voice, ...]) -> Speech:
    """As loud as before; whoever is still talking does not count again."""
    talking = frozenset(voice.segment for voice in voices)
    return replace(speech, duck=None, dismissed=speech.dismissed | talking)


def rule_to_cut(
    heard: Heard, *, holds: bool, nobody_holds: bool, partial: bool, content_words: int
) -> CutRule | None:
    """Which rule lets these words, said while he is heard, cut him off; None for none.

    A control counts from the holder, and from anyone together with his name. Where nobody holds the floor (a
    greeting, a word about who came in) it counts from anyone: a room must always be able to silence him.
    """
    addressed = heard.heard_as is HeardAs.ADDRESSED
    if heard.control and (holds or nobody_holds or addressed):
        return CutRule.CONTROL
    if addressed and not (partial and heard.named_last):
        return CutRule.ADDRESS
    content = holds and not heard.acknowledgement and heard.heard_as is HeardAs.NONE
    return CutRule.CONTENT if content and heard.content >= content_words else None
