"""What people may know of a stay is told whenever it changes, and never twice."""

from __future__ import annotations

from dataclasses import replace

from actors.stay.decisions import Decision, Step, TellGateway
from actors.stay.state import Phase, State
from messages.gateway import StayChanged, StayFacts


def tell(state: State, decisions: tuple[Decision, ...]) -> Step:
    """Return the same decisions, before them what has changed by them; a stay that has ended says no more."""
    facts = of(state)
    if state.phase is Phase.ENDED or facts == state.told:
        return state, decisions
    return replace(state, told=facts), (TellGateway(message=StayChanged(facts=facts)), *decisions)


def of(state: State) -> StayFacts:
    """Return what those in the room may know; people who are heard in the order of their coming."""
    return StayFacts(
        stay=state.stay_id,
        room=state.room,
        phase=state.phase.value,
        encryption=state.encryption,
        privacy_code=state.privacy_code,
        humans=state.humans(),
        heard=tuple(one.id for one in state.people if one.id in state.consented),
        hindrance=state.hindrance or state.link_trouble,
        ear_trouble=state.ear_trouble,
    )
