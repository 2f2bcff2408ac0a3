"""Moved to another room he stays himself, but hears nobody there until they say so."""

from __future__ import annotations

from dataclasses import replace

from actors.stay import leaving, people
from actors.stay.decisions import Decision, Record, Step, TellFloor, TellRealtime, TellVoice
from actors.stay.state import Awaited, Phase, State
from messages.evidence import Degraded, Membership
from messages.floor import RosterChange, RosterTold
from messages.realtime import RoomObserved
from messages.stay import MovedToRoom
from messages.voice import OpenLink

_NOTICE = "I was moved here, and hear nobody yet. Whoever wants to be heard opts in, also if he did before."


def moved(state: State, event: MovedToRoom) -> Step:
    """Every ear is closed and every consent gone before the link of the new room is asked for."""
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
    reopen = TellVoice(message=OpenLink(room=state.room))
    if state.phase is Phase.JOINING:
        return replace(state, awaited=state.awaited | {Awaited.LINK}), (*closing, reopen)
    state = replace(state, phase=Phase.DEGRADED, link_trouble="moved")
    asked_anew = people.chat(state, _NOTICE)
    told = _told(state)
    state, granted = people.granted_by_presence(state)
    return state, (*closing, reopen, *told, *(granted or asked_anew))


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
