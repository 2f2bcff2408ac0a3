"""Why he spoke, or did not: what was heard, what it was taken for, what was decided, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from messages.evidence import (
    Failed,
    FloorDecision,
    Interrupted,
    ModelResponse,
    Playback,
    RealtimeTool,
    Response,
    StayReceipt,
    Volition,
)
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
    """One turn from its trigger to its outcome; milliseconds are None where they are not known."""

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
    audible_at: float | None = None
    """When the room began to hear him."""
    ended_at: float | None = None


_AUDIBLY_OVER: Final = frozenset({"drained", "cut", "failed"})


def line_of(receipt: StayReceipt, at: float) -> JudgedLine | None:
    """The line that this receipt judges, if it does."""
    if not isinstance(receipt, FloorDecision):
        return None
    return JudgedLine(
        at=at,
        stay_id=receipt.stay_id,
        line_id=receipt.line_id,
        person_id=receipt.person_id,
        heard_as=receipt.heard_as,
        decision=receipt.decision,
        rule=receipt.rule,
        turn_id=receipt.turn_id,
    )


def turn_of(receipt: StayReceipt) -> TurnId | None:
    """The turn that this receipt tells something about."""
    match receipt:
        case (
            FloorDecision(turn_id=turn)
            | Interrupted(turn_id=turn)
            | ModelResponse(turn_id=turn)
            | RealtimeTool(turn_id=turn)
            | Playback(turn_id=turn)
            | Response(turn_id=turn)
            | Volition(turn_id=turn)
            | Failed(turn_id=turn)
        ):
            return turn
        case _:
            return None


def after(turn: Turn | None, receipt: StayReceipt, at: float) -> Turn | None:
    """The turn of `turn_of(receipt)` with what this receipt tells; None before it is known to be one."""
    name = turn_of(receipt)
    if name is None or (turn is not None and turn.turn_id != name):
        return turn
    turn = turn or Turn(turn_id=name, stay_id=receipt.stay_id, at=at)
    match receipt:
        case FloorDecision(line_id=line):
            return turn if line in turn.lines else replace(turn, lines=(*turn.lines, line))
        case RealtimeTool(phase="called", name=tool):
            return replace(turn, tools=(*turn.tools, tool))
        case Interrupted(rule=rule):
            return replace(turn, outcome="cut", reason=rule)
        case Volition():
            return replace(turn, trigger=turn.trigger or "volition")
        case Failed(reason=reason):
            return replace(turn, reason=turn.reason or reason)
        case ModelResponse():
            return _answered(turn, receipt, at)
        case Playback():
            return _sounded(turn, receipt, at)
        case Response():
            return _heard(turn, receipt)
        case _:
            return turn


def _answered(turn: Turn, receipt: ModelResponse, at: float) -> Turn:
    """The model is done with it; what it said may still have to be heard."""
    turn = replace(turn, trigger=receipt.trigger or turn.trigger)
    if receipt.phase == "requested":
        return turn
    turn = replace(
        turn,
        outcome=turn.outcome or receipt.outcome or receipt.phase,
        reason=turn.reason or receipt.reason or "",
        model_ms=receipt.latency_ms,
        first_text_ms=receipt.first_text_ms,
    )
    return turn if turn.outcome == "spoke" or turn.ended_at is not None else replace(turn, ended_at=at)


def _sounded(turn: Turn, receipt: Playback, at: float) -> Turn:
    if receipt.phase == "started":
        return replace(turn, audible_at=turn.audible_at or at, ended_at=None)
    if receipt.phase not in _AUDIBLY_OVER:
        return turn
    outcome = receipt.phase
    if receipt.phase == "drained":
        outcome = turn.outcome if turn.audible_at is not None else "silent"
    silence = receipt.decision_to_silence_ms
    return replace(
        turn,
        outcome=outcome,
        reason=turn.reason or receipt.reason or "",
        cut_to_silence_ms=turn.cut_to_silence_ms if silence is None else silence,
        ended_at=at,
    )


def _heard(turn: Turn, receipt: Response) -> Turn:
    return replace(
        turn,
        trigger=turn.trigger or receipt.trigger,
        outcome=turn.outcome or ("spoke" if receipt.whole else "cut"),
        first_audio_ms=receipt.decision_to_first_audio_ms,
        speech_end_to_first_audio_ms=receipt.speech_end_to_first_audio_ms,
    )
