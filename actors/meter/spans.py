"""One turn as spans: heard, decided, first text, first audio, drained; numbers, and nobody's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from actors.chronicle.why import Turn
from messages.lifecycle import Scalar


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of time; `began` and `ended` are wall-clock seconds since the epoch."""

    name: str
    began: float
    ended: float
    attributes: Mapping[str, Scalar]
    failed: bool = False
    children: tuple[Span, ...] = ()


def span_of(turn: Turn, ended: float) -> Span:
    """The whole turn, from the end of what was heard to the end of what he said, with its stages inside."""
    heard, ended = _heard(turn), max(ended, turn.at)
    return Span(
        name="turn",
        began=heard,
        ended=ended,
        attributes=_attributes(turn),
        failed=turn.outcome == "failed",
        children=tuple(_stages(turn, heard, ended)),
    )


def _stages(turn: Turn, heard: float, ended: float) -> Iterator[Span]:
    """Each stage ends where the next begins; one that never came about is left out."""
    marks = [("decided", turn.at)]
    if turn.first_text_ms is not None:
        marks.append(("first_text", turn.at + turn.first_text_ms / 1000))
    if turn.first_audio_ms is not None:
        marks.append(("first_audio", turn.at + turn.first_audio_ms / 1000))
        marks.append(("drained", ended))
    elif turn.model_ms is not None:
        marks.append(("answered", turn.at + turn.model_ms / 1000))
    since = heard
    for name, at in marks:
        until = min(max(at, since), ended)
        yield Span(name=name, began=since, ended=until, attributes={})
        since = until


def _heard(turn: Turn) -> float:
    """When the speech ended that asked for it; without any, when it was decided."""
    if turn.speech_end_to_first_audio_ms is None or turn.first_audio_ms is None:
        return turn.at
    return turn.at - max(0, turn.speech_end_to_first_audio_ms - turn.first_audio_ms) / 1000


def _attributes(turn: Turn) -> dict[str, Scalar]:
    named: dict[str, Scalar] = {
        "clankie.stay_id": turn.stay_id,
        "clankie.turn_id": turn.turn_id,
        "clankie.trigger": turn.trigger,
        "clankie.outcome": turn.outcome,
        "clankie.reason": turn.reason,
        "clankie.lines": len(turn.lines),
        "clankie.tools": len(turn.tools),
        "clankie.first_text_ms": turn.first_text_ms,
        "clankie.first_audio_ms": turn.first_audio_ms,
        "clankie.speech_end_to_first_audio_ms": turn.speech_end_to_first_audio_ms,
        "clankie.cut_to_silence_ms": turn.cut_to_silence_ms,
    }
    return {name: value for name, value in named.items() if value not in {None, ""}}
