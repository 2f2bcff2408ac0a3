"""What an ear waits for has an end, and what a window cannot have changed is not looked up again."""

from __future__ import annotations

from actors.capture import spending
from actors.capture.state import State


def nothing_due_sooner(before: State, after: State) -> bool:
    """Whether no deadline came closer: a window only moves them away, unless it begins a pause."""
    return (
        after.transcriber is before.transcriber
        and after.spent is before.spent
        and after.wake_at == before.wake_at
        and (after.open is None or (before.open is not None and _quiet(after) == _quiet(before)))
    )


def packets_end(state: State) -> float:
    """When an open segment is over if no packet comes: sooner after silence, as clients go quiet."""
    settings = state.ear.settings
    return state.flow.heard_at + (settings.packets_end_seconds if _quiet(state) else settings.end_seconds)


def idle_end(state: State) -> float | None:
    """When a transcriber that nobody needs is closed."""
    transcriber = state.transcriber
    if transcriber.connection is None or state.open is not None or transcriber.awaited:
        return None
    return transcriber.idle_since + state.ear.settings.idle_seconds


def next_due(state: State) -> float | None:
    """The first of all deadlines."""
    due = [one.closed_at + state.ear.settings.final_seconds for one in state.transcriber.awaited]
    if state.open is not None:
        due.append(packets_end(state))
    due += (moment for moment in (idle_end(state), spending.due(state)) if moment is not None)
    return min(due, default=None)


def _quiet(state: State) -> bool:
    """Whether an open segment has come to a pause in which an end of packets is no loss of packets."""
    return state.open is not None and state.open.extent.silence >= state.ear.lengths.packets_end
