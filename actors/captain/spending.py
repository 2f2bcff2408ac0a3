"""What a step of the mind has used is for the stay in which it was asked aloud, and else for the house."""

from __future__ import annotations

from actors.captain.decisions import TellEvidence
from actors.captain.state import State
from messages.captain import AskCaptain, MindSpent
from messages.evidence import CaptainUsage


def noted(state: State, event: MindSpent) -> State:
    """Put it on record, also where the turn is over already."""
    turn, spent = state.turn(event.handoff), event.spent
    aloud = turn.first.stay if turn is not None and isinstance(turn.first, AskCaptain) else None
    usage = CaptainUsage(
        handoff_id=event.handoff,
        provider=spent.provider,
        model=spent.model,
        input_tokens=spent.input_tokens,
        cached_tokens=spent.cached_tokens,
        output_tokens=spent.output_tokens,
        stay_id=aloud,
    )
    return state.do(TellEvidence(message=usage))
