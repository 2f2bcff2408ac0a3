"""What a server does to his voice is said once: on record, and in the room's chat in words."""

from __future__ import annotations

from dataclasses import replace

from actors.stay.decisions import Decision, Record, Step
from actors.stay.people import chat
from actors.stay.state import State
from messages.evidence import Degraded

_NOTICES = {
    "server_muted": "I am muted on this server: I hear you, but you cannot hear me.",
    "server_deafened": "I am deafened on this server: I cannot hear you.",
    "suppressed": "I am in the audience here: you cannot hear me until I am invited to speak.",
    "may_not_speak": "I lack the permission to speak in this channel: I hear you, but you cannot hear me.",
}


def changed(state: State, hindrance: str) -> Step:
    """The server began to mute, deafen or suppress him, or it does so no longer."""
    if hindrance == state.hindrance or state.is_over():
        return state, ()
    before, state = state.hindrance, replace(state, hindrance=hindrance)
    if state.joined_at is None:
        return state, ()
    if hindrance:
        return state, seen(state)
    return state, (Record(receipt=Degraded(stay_id=state.stay_id, phase="freed", reason=before)),)


def seen(state: State) -> tuple[Decision, ...]:
    """Return what is said and recorded of a hindrance, if there is one."""
    if not state.hindrance:
        return ()
    receipt = Degraded(stay_id=state.stay_id, phase="hindered", reason=state.hindrance)
    notice = _NOTICES.get(state.hindrance)
    return (Record(receipt=receipt), *(chat(state, notice) if notice else ()))
