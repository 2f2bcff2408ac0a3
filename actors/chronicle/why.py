"""Why he spoke, or did not: what was heard, what it was taken for, what was decided, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from messages.evidence import StayReceipt
from messages.ids import LineId, PersonId, StayId, TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedLine:
    """One line of somebody, and what the floor made of it; `at` is wall-clock seconds since the epoch."""

    at: float
    stay_id: StayId
    line_id: LineId
    person_id: PersonId
    heard_as: str
    """none | mentioned | addressed | …: what kind of line it was."""
    decision: str
    rule: str
    turn_id: TurnId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn from its trigger to its outcome; milliseconds, None where that never happened or is not known."""

    turn_id: TurnId
    stay_id: StayId
    at: float
    """Wall-clock seconds at which it was first heard of."""
    lines: tuple[LineId, ...] = ()
    """The lines that asked for it."""
    trigger: str = ""
    outcome: str = ""
    """spoke | silent | tool | failed | cut; empty while it goes on."""
    reason: str = ""
    """Why it failed, or by which rule it was cut."""
    tools: tuple[str, ...] = ()
    model_ms: int | None = None
    """From the request to the model's end."""
    first_text_ms: int | None = None
    first_audio_ms: int | None = None
    """From the decision to the first audible frame."""
    speech_end_to_first_audio_ms: int | None = None
    cut_to_silence_ms: int | None = None
    ended_at: float | None = None


def line_of(receipt: StayReceipt, at: float) -> JudgedLine | None:
    """The line that this receipt judges, if it does."""
    raise NotImplementedError


def turn_of(receipt: StayReceipt) -> TurnId | None:
    """The turn that this receipt tells something about."""
    raise NotImplementedError


def after(turn: Turn | None, receipt: StayReceipt, at: float) -> Turn | None:
    """The turn of `turn_of(receipt)` with what this receipt tells; None before it is known to be one."""
    raise NotImplementedError
