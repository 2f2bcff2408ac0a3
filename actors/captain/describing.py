"""If he is silent, this says why."""

from __future__ import annotations

from actors.captain.state import State
from messages.lifecycle import Scalar


def facts(state: State) -> dict[str, Scalar]:
    """For the status page: numbers and codes, and no words of anybody."""
    at_work = sum(turn.at_work for turn in state.turns)
    return {
        "lanes": len(state.lanes),
        "at_work": at_work,
        "waiting": len(state.turns) - at_work,
        "done": state.done,
        "failed": state.failed,
        "trouble": state.trouble,
        "notes": len(state.notes),
        "machine_tools": len(state.all_machines()),
        "servers_in_trouble": ", ".join(f"{name}: {why}" for name, why in sorted(state.ill.items())),
    }
