"""What a conversation consists of, each thing said by whom it was said by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from messages.floor import Trigger
from messages.ids import CallId, HandoffId, TurnId, UtteranceId
from messages.people import Line, Presence


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A person's line; label and text are untrusted."""

    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """His own words, as far as the room heard them; `interrupted` when that was not all."""

    utterance: UtteranceId
    text: str
    interrupted: bool = False
    dictated: bool = False
    """No response made them: the operator had him say it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """Something that happened in the room, in words; labels in it are untrusted."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswered:
    """The one output of a tool call. outcome: accepted | handed_off | taken_back | refused |
    cancelled | error."""

    call: CallId
    outcome: str
    text: str


Remembered: TypeAlias = Heard | Said
Item: TypeAlias = Heard | Said | Observed | CallAnswered
"""What may be added to an open conversation; a Said there corrects what was said under that utterance,
or, where it is `dictated`, is new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of a hand-off: the captain's text, or why there is none (`failed`, a bounded code)."""

    handoff: HandoffId
    request: str
    text: str
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """What a new conversation begins with."""

    persona: str
    people: tuple[Presence, ...] | None
    """None as long as nobody has said who is here."""
    remembered: tuple[Remembered, ...]
    open_requests: tuple[str, ...]
    """What the captain is being asked at the moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBrief:
    """What one response is about; `lines` are in the conversation already."""

    turn: TurnId
    utterance: UtteranceId
    """The name of what will be said: a Said that is added later under it is what was heard of this answer."""
    trigger: Trigger
    lines: tuple[Line, ...]
    people: tuple[Presence, ...] | None
    """Who is here; None as long as nobody has said so, which is not the same as nobody."""
    results: tuple[Result, ...]
    open_requests: tuple[str, ...]
