"""Turns that go on: each is told as spans once its last sound is out, or it is clear that it has none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from actors.chronicle.why import Turn, after, turn_of
from actors.meter.spans import Span, span_of
from messages.evidence import FloorDecision, Left, ModelResponse, StayReceipt, Volition
from messages.ids import TurnId

MOST_TURNS: Final = 256
"""One that is never heard of again makes room for others."""
Turns: TypeAlias = Mapping[TurnId, Turn]


def told(turns: Turns, receipt: StayReceipt, at: float) -> tuple[Turns, tuple[Span, ...]]:
    """The turns that go on after this receipt, and those that are over now."""
    if isinstance(receipt, Left):
        over = tuple(span_of(turn, at) for turn in turns.values() if turn.stay_id == receipt.stay_id)
        return {name: turn for name, turn in turns.items() if turn.stay_id != receipt.stay_id}, over
    name = turn_of(receipt)
    if name is None or (name not in turns and not _begins(receipt)):
        return turns, ()
    turn = after(turns.get(name), receipt, at)
    if turn is None:
        return turns, ()
    others = {one: other for one, other in turns.items() if one != name}
    if _is_over(turn):
        return others, (span_of(turn, at),)
    crowded = tuple(others)[: max(0, len(others) + 1 - MOST_TURNS)]
    spans = tuple(span_of(others.pop(one), at) for one in crowded)
    return {**others, name: turn}, spans


def _begins(receipt: StayReceipt) -> bool:
    """Of a turn that is over, something may still be told; that is no new turn."""
    asked = isinstance(receipt, ModelResponse) and receipt.phase == "requested"
    offered = isinstance(receipt, Volition) and receipt.outcome == "offered"
    return asked or offered or isinstance(receipt, FloorDecision)


def _is_over(turn: Turn) -> bool:
    """What could be heard of it is accounted for once that it was heard is told."""
    return turn.ended_at is not None and (turn.audible_at is None or turn.first_audio_ms is not None)
