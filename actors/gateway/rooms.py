"""Who is in which room: facts, passed on to the stay that they concern."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from actors.gateway import account
from actors.gateway.decisions import Step
from actors.gateway.state import State
from actors.gateway.telling import tell
from messages.gateway import MemberArrived, MemberDeparted, RoomLost, RoomRoster, RoomSeen
from messages.ids import RoomId
from messages.people import Person
from messages.stay import PersonArrived, PersonDeparted, RosterKnown, StayMessage

RoomNews: TypeAlias = RoomSeen | RoomLost | RoomRoster | MemberArrived | MemberDeparted


def heard(state: State, event: RoomNews) -> Step:
    """News of a room; one without a stay only changes who is known to be there."""
    match event:
        case RoomSeen():
            return replace(state, rooms={**state.rooms, event.room.id: event.room}), ()
        case RoomLost():
            return account.lost(state, event.room)
        case RoomRoster():
            return _people(state, event.room, event.people, RosterKnown(people=event.people))
        case MemberArrived():
            if state.is_in(event.person.id, event.room):
                return state, ()
            people = (*state.people.get(event.room, ()), event.person)
            return _people(state, event.room, people, PersonArrived(person=event.person))
        case MemberDeparted():
            if not state.is_in(event.person, event.room):
                return state, ()
            left = tuple(one for one in state.people[event.room] if one.id != event.person)
            return _people(state, event.room, left, PersonDeparted(person=event.person))
        case _:
            assert_never(event)


def _people(state: State, room: RoomId, people: tuple[Person, ...], news: StayMessage) -> Step:
    """Whoever goes before anybody could hear him takes his consent along, as he would afterwards."""
    state, stay = replace(state, people={**state.people, room: people}), state.at(room)
    if stay is not None and stay.consents:
        here = {one.id for one in people}
        state = state.with_stay(replace(stay, consents=tuple(one for one in stay.consents if one in here)))
    return state, tell(stay, news)
