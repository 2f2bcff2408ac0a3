"""A rehearsal's own clock begins when he is asked to come, and every fact gets its second of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from messages.evidence import HeardWords, Playback, PrivateWords, Receipt, Recorded, SpokenWords
from messages.ids import PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One receipt or one piece of private words; `at` in seconds since the start of the rehearsal."""

    at: float
    what: Recorded | PrivateWords

    @property
    def receipt(self) -> Receipt | None:
        """The receipt, if it is one."""
        return self.what.receipt if isinstance(self.what, Recorded) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sounding:
    """One person's speech as it was really sent, in seconds; `text` is what the scenario says of it."""

    person: PersonId
    began: float
    ended: float
    text: str


Place: TypeAlias = Literal["room", "lobby", "operator"]
"""Where something is written: in the room's own chat, in any other channel, or on the operator's screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Something that he wrote (`who` is empty), or somebody wrote to him; `buttons` wait for a yes or no.

    Where `pressed`, the text is what stands on the button that somebody pressed.
    """

    at: float
    place: Place
    text: str
    who: str = ""
    files: tuple[str, ...] = ()
    buttons: bool = False
    pressed: bool = False


Moments: TypeAlias = tuple[Moment, ...]


def receipts(moments: Moments) -> tuple[tuple[float, Receipt], ...]:
    """Every receipt with its second."""
    return tuple((moment.at, receipt) for moment in moments if (receipt := moment.receipt) is not None)


def heard(moments: Moments) -> tuple[tuple[float, HeardWords], ...]:
    """Every line that was heard or typed, with its second."""
    return tuple((moment.at, moment.what) for moment in moments if isinstance(moment.what, HeardWords))


def said(moments: Moments) -> tuple[tuple[float, SpokenWords], ...]:
    """What the room is known to have heard of him, with its second."""
    return tuple((moment.at, moment.what) for moment in moments if isinstance(moment.what, SpokenWords))


def line_began(line: HeardWords, at: float, soundings: Sequence[Sounding]) -> float:
    """When the speech began that this line, known at second `at`, was heard in; typed ones begin there."""
    spoke = (s.began for s in soundings if s.person == line.person_id and s.began <= at and not line.typed)
    return max(spoke, default=at)


def speech_began(words: SpokenWords, at: float, moments: Moments) -> float:
    """When the room began to hear these words of his, of which `at` is the end."""
    starts = (
        when
        for when, receipt in receipts(moments)
        if isinstance(receipt, Playback)
        and receipt.phase == "started"
        and receipt.utterance_id == words.utterance_id
    )
    return next(starts, at)
