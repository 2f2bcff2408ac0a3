"""That no words come of what is said is told the room once, and not again until some have come."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.stay.decisions import Step
from actors.stay.people import chat
from actors.stay.state import State
from messages.reasons import in_words
from messages.stay import EarTroubled, EarWorks


def changed(state: State, event: EarTroubled | EarWorks) -> Step:
    """One of the ears gets no words, or gets some; what an ear says that was closed meanwhile is old."""
    ear = state.ear(event.person)
    if ear is None or ear.capture != event.capture:
        return state, ()
    match event:
        case EarWorks():
            return replace(state, ear_trouble=""), ()
        case EarTroubled() if state.ear_trouble:
            return state, ()
        case EarTroubled(reason=reason):
            notice = f"I cannot make out words at the moment: {in_words(reason)}."
            return replace(state, ear_trouble=reason), chat(state, notice)
        case _:
            assert_never(event)
