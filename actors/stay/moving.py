"""Moved to another room he stays himself, but hears nobody there until they say so."""

from __future__ import annotations

from dataclasses import replace

from actors.stay import leaving, link, people
from actors.stay.decisions import Decision, Record, Step, TellFloor, TellRealtime, TellVoice
from actors.stay.state import Awaited, Phase, State
from messages.evidence import Degraded, Membership
from messages.floor import RosterChange, RosterTold
from messages.realtime import RoomObserved
from messages.stay import MovedToRoom
from messages.voice import OpenLink

_NOTICE = "I was moved here, and hear nobody yet. Whoever wants to be heard opts in, also if he did before."


def moved(state: State, event: MovedToRoom) -> Step:
    """Every ear is closed, every consent gone and he is silent before the new room's link is asked for."""
    if state.is_over():
        return state, ()
    state, closing = _heard_no_longer(state)
    state = replace(
        state,
        room=event.room,
        people=event.people,
        encryption="",
        privacy_code="",
        awaited=state.awaited - {Awaited.ROSTER},
    )
    if state.phase is Phase.LEAVING:
        state, closed = leaving.close(state)
        return state, (*closing, *closed)
    if state.phase is Phase.JOINING:
        state = replace(state, awaited=state.awaited | {Awaited.LINK})
        return state, (*closing, TellVoice(message=OpenLink(room=state.room)))
    state = replace(state, phase=Phase.DEGRADED, link_trouble="moved", moving=True)
    state, patience = leaving.wait(state, state.settings.close_seconds)
    told = _told(state)
    asked_anew = people.chat(state, _NOTICE)
    state, granted = people.granted_by_presence(state)
    return state, (*closing, *told, *patience, *(granted or asked_anew))


def settled(state: State) -> Step:
    """Nothing of the old room is on his lips any more: now he may be heard in the new one."""
    if not state.moving:
        return state, ()
    state = replace(state, moving=False)
    return state, link.connect(state)


def _heard_no_longer(state: State) -> Step:
    decisions: list[Decision] = []
    for one in state.people:
        if one.id in state.consented:
            decisions.append(Record(receipt=people.consent_receipt(state, one.id, "moved")))
            state, closing = people.deafened(state, one.id)
            decisions += closing
    return state, tuple(decisions)


def _told(state: State) -> tuple[Decision, ...]:
    """What he was saying is not for these people: the floor drops it with its old roster."""
    lost = Degraded(stay_id=state.stay_id, phase="lost", reason="moved", room_id=state.room)
    here = (
        Membership(stay_id=state.stay_id, person_id=one.id, change="moved", humans=state.humans())
        for one in state.people
    )
    return (
        Record(receipt=lost),
        *(Record(receipt=one) for one in here),
        TellRealtime(message=RoomObserved(people=state.presences(), change=None, who=None, room=state.room)),
        TellFloor(message=RosterTold(people=state.presences(), change=RosterChange.MOVED, who=None)),
    )
