"""When there is no account any more, nobody is left waiting for one."""

from __future__ import annotations

from actors.gateway import confirming, deeds, replying, standing
from actors.gateway.decisions import Decision, Step
from actors.gateway.state import State


def given_up(state: State, reason: str, now: float) -> Step:
    """End everything that only the account could have finished: what was written, and every errand."""
    state, decisions = replying.given_up(state, reason, now)
    for give_up in (standing.given_up, deeds.given_up, confirming.given_up):
        state, told = give_up(state)
        decisions = (*decisions, *told)
    return state, decisions


def stopped(state: State, now: float) -> tuple[Decision, ...]:
    """Return what is owed when this life ends while the account can still take buttons away."""
    return (*confirming.stopped(state), *given_up(state, "gateway_lost", now)[1])
