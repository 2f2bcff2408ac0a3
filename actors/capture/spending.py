"""What an ear has used is told in sums, so that no line of it is one thing that somebody said."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.capture.decisions import Record, Step
from actors.capture.state import State
from messages.usage import Spending

BLUR_SECONDS: Final = 10.0
"""So long what was used is added up before it is put on record."""


def noted(state: State, spent: Spending, now: float) -> State:
    """More was used."""
    if state.spent is None:
        return replace(state, spent=spent, spent_since=now)
    return replace(state, spent=state.spent.plus(spent))


def due(state: State) -> float | None:
    """When what was used is to be put on record."""
    return None if state.spent is None else state.spent_since + BLUR_SECONDS


def told(state: State, reached: float) -> Step:
    """Put it on record, if that is due by then."""
    if state.spent is None or state.spent_since + BLUR_SECONDS > reached:
        return state, ()
    receipt = state.spent.on_record(state.ear.stay, "transcription")
    return replace(state, spent=None), (Record(receipt=receipt),)
