"""Who is in which room, and whether the account is: facts, passed on to the stay that they concern."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.gateway.decisions import Decision, Step, TellStay, Warn
from actors.gateway.state import State, StayAt
from messages.gateway import (
    ConsentAsked,
    GatewayGone,
    GatewayReady,
    MemberArrived,
    MemberDeparted,
    MessageSeen,
    OwnVoiceMoved,
    RoomRoster,
)
from messages.ids import PersonId, RoomId
from messages.people import Person
from messages.stay import (
    ConsentGiven,
    ConsentWithdrawn,
    EndStay,
    LeftReason,
    PersonArrived,
    PersonDeparted,
    PersonTyped,
    RemovedFromRoom,
    RosterKnown,
    StayMessage,
)


def account(state: State, event: GatewayReady | GatewayGone | OwnVoiceMoved) -> Step:
    """News of the account itself."""
    match event:
        case GatewayReady():
            known = {room.id: state.rooms.get(room.id, ()) for room in event.rooms}
            return replace(state, ready=True, rooms=known), ()
        case GatewayGone():
            lost = EndStay(reason=LeftReason.GATEWAY_LOST, after_speech=False)
            decisions: list[Decision] = [Warn(reason=event.reason, remedy=event.remedy)]
            for stay in state.stays:
                state, told = end(state, stay, lost)
                decisions += told
            return replace(state, ready=False), tuple(decisions)
        case OwnVoiceMoved():
            return _moved(state, event.room)
        case _:
            assert_never(event)


def _moved(state: State, room: RoomId | None) -> Step:
    """The account was seen in `room`. Only who was seen inside before can have been removed or moved."""
    decisions: list[Decision] = []
    for stay in state.stays:
        if stay.room == room:
            state = with_stay(state, replace(stay, inside=True))
        elif stay.inside and stay.ending is None:
            moved = EndStay(reason=LeftReason.MOVED, after_speech=False)
            decisions += tell(stay, RemovedFromRoom() if room is None else moved)
            state = with_stay(state, replace(stay, inside=False))
    return state, tuple(decisions)


def room(
    state: State, event: RoomRoster | MemberArrived | MemberDeparted | MessageSeen | ConsentAsked
) -> Step:
    """News of a room; a room without a stay only changes who is known to be there."""
    stay, people = _at(state, event.room), _people_in(state, event.room)
    match event:
        case RoomRoster():
            return _people(state, event.room, event.people, RosterKnown(people=event.people))
        case MemberArrived():
            if any(person.id == event.person.id for person in people):
                return state, ()
            news = PersonArrived(person=event.person)
            return _people(state, event.room, (*people, event.person), news)
        case MemberDeparted():
            left = _without(people, event.person)
            if left == people:
                return state, ()
            return _people(state, event.room, left, PersonDeparted(person=event.person))
        case MessageSeen():
            typed = PersonTyped(person=event.person, text=event.text)
            return state, () if event.person.bot else tell(stay, typed)
        case ConsentAsked():
            here = any(person.id == event.person for person in people)
            return _consent(state, stay, event) if here or not event.granted else (state, ())
        case _:
            assert_never(event)


def _at(state: State, room: RoomId | None) -> StayAt | None:
    return None if room is None else state.at(room)


def _people_in(state: State, room: RoomId | None) -> tuple[Person, ...]:
    return () if room is None else state.rooms.get(room, ())


def _people(state: State, room: RoomId, people: tuple[Person, ...], news: StayMessage) -> Step:
    rooms = {**state.rooms, room: people}
    return replace(state, rooms=rooms), tell(state.at(room), news)


def _consent(state: State, stay: StayAt | None, event: ConsentAsked) -> Step:
    said = ConsentGiven(person=event.person) if event.granted else ConsentWithdrawn(person=event.person)
    if stay is None or stay.mailbox is not None:
        return state, tell(stay, said)
    others = tuple(one for one in stay.consents if one.person != said.person)
    return with_stay(state, replace(stay, consents=(*others, said))), ()


def _without(people: tuple[Person, ...], gone: PersonId) -> tuple[Person, ...]:
    return tuple(person for person in people if person.id != gone)


def end(state: State, stay: StayAt, order: EndStay) -> Step:
    """Have a stay end: at once, or as soon as it lives."""
    return with_stay(state, replace(stay, ending=order)), tell(stay, order)


def tell(stay: StayAt | None, message: StayMessage) -> tuple[Decision, ...]:
    """Tell a stay, if it lives."""
    if stay is None or stay.mailbox is None:
        return ()
    return (TellStay(mailbox=stay.mailbox, message=message),)


def with_stay(state: State, changed: StayAt) -> State:
    """The same state with this stay in place of the one of its name."""
    stays = tuple(changed if stay.stay == changed.stay else stay for stay in state.stays)
    return replace(state, stays=stays)
