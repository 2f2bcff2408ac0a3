"""That no words come of what is said is told the room once, and not again until some have come."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.stay.decisions import Step
from actors.stay.people import chat
from actors.stay.state import State
from messages.stay import EarTroubled, EarWorks

_BECAUSE = {
    "unauthorized": "my key for the service that writes them down is not accepted",
    "forbidden": "the service that writes them down does not let me in",
    "quota": "what was paid for writing them down is used up",
    "not_found": "the service that writes them down does not know the model that I ask for",
    "rate_limited": "I ask more of the service that writes them down than it allows",
    "too_many_listeners": "too many people are talking at once",
    "unreachable": "the service that writes them down cannot be reached",
    "timeout": "the service that writes them down cannot be reached",
}


def changed(state: State, event: EarTroubled | EarWorks) -> Step:
    """One of the ears gets no words, or gets some."""
    match event:
        case EarWorks():
            return replace(state, ears_work=True), ()
        case EarTroubled(reason=reason):
            if not state.ears_work or state.is_over():
                return state, ()
            because = _BECAUSE.get(reason, f"the service that writes them down fails ({reason})")
            notice = f"I cannot make out words at the moment: {because}."
            return replace(state, ears_work=False), chat(state, notice)
        case _:
            assert_never(event)
