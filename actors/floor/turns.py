"""He answers one thing at a time; whatever comes meanwhile waits, and is answered together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from messages.floor import Outcome, Trigger
from messages.ids import HandoffId, PersonId, TurnId, UtteranceId
from messages.people import Line, LineSource

_RANK = (Trigger.VOLITION, Trigger.OFFER, Trigger.TYPED, Trigger.ADDRESS)
"""Which trigger names a turn whose lines had several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Lines that wait for their turn, which has a name already.

    `since` is when the last one was said, or the first one written: who writes on and on puts nothing off.
    """

    turn: TurnId
    trigger: Trigger
    lines: tuple[Line, ...]
    since: float
    again: bool = False
    """It was asked before, and lost."""

    def people(self) -> frozenset[PersonId]:
        """Who said the spoken ones."""
        return frozenset(line.person.id for line in self.lines if line.source is LineSource.SPOKEN)


def joined(wish: Wish | None, more: Wish) -> Wish:
    """One wish of two, in the order of their lines; it keeps the first one's name."""
    if wish is None:
        return more
    return replace(
        wish,
        trigger=max(wish.trigger, more.trigger, key=_RANK.index),
        lines=(*wish.lines, *more.lines),
        since=more.since if more.people() else wish.since,
    )


def shed(wish: Wish, most: int) -> tuple[Wish, tuple[Line, ...]]:
    """The wish with so many lines at the most, and those for which there was no room.

    What was written makes room for what was said, and the old for the new.
    """
    by_worth = sorted(wish.lines, key=lambda line: line.source is LineSource.SPOKEN)
    gone = tuple(by_worth[: max(0, len(by_worth) - most)])
    return replace(wish, lines=tuple(line for line in wish.lines if line not in gone)), gone


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """Words of the operator's that wait for their turn."""

    text: str = field(repr=False)
    since: float
    again: bool = False
    """They had a turn before, and it was lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The turn in flight, until it is answered and what it said has been heard, or has failed."""

    id: TurnId
    trigger: Trigger
    lines: tuple[Line, ...]
    asked: float
    again: bool
    saying: str = field(default="", repr=False)
    """What is said in it to the letter; empty where that is his own decision."""
    give_up_at: float | None
    """When it is given up without a sign of life; None while its speech has a limit of its own."""
    answered: Outcome | None = None
    lost: bool = False
    """The conversation went without an answer to it, and has put that on record."""
    utterance: UtteranceId | None = None
    """What will be heard of it, as soon as anybody has said so."""
    started: float | None = None
    spoken: Outcome | None = None
    """How its speech ended: spoke, silent (nobody can have heard it), cut or failed."""

    def speech_ended_at(self) -> float | None:
        """When the last spoken line of it ended."""
        return max((line.ended for line in self.lines if line.source is LineSource.SPOKEN), default=None)

    def outcome(self) -> Outcome | None:
        """Its outcome if it is over, else None."""
        if self.spoken is Outcome.CUT:
            return Outcome.CUT
        if self.answered is None or (self.utterance is not None and self.spoken is None):
            return None
        return self.spoken if self.spoken in (Outcome.FAILED, Outcome.SILENT) else self.answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """Comings and goings that nobody has told him of in a turn: since when, and when it may be."""

    since: float | None = None
    due: float = 0.0
    asked: float | None = None

    def changed(self, now: float, debounce: float, every: float) -> Membership:
        """Somebody came or went; what is gathered already stays due when it was."""
        if self.since is not None:
            return self
        earliest = now + debounce if self.asked is None else max(now + debounce, self.asked + every)
        return replace(self, since=now, due=earliest)

    def told(self, now: float) -> Membership:
        """A turn covers all of it."""
        return Membership(asked=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The captain is at work; `spoken` once the room has heard something since it began."""

    handoff: HandoffId
    began: float
    next_beat: float
    spoken: bool = False
