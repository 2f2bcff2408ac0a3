"""A room as the captain may know it: who is there, who is heard, and where he is himself."""

from __future__ import annotations

from typing import Final

from actors.gateway.decisions import AnswerRoom, Step
from actors.gateway.state import State, StayAt
from messages.gateway import RoomAsked, RoomDescribed
from messages.ids import PersonId
from messages.people import Presence

MOST_PEOPLE: Final = 25


def asked(state: State, event: RoomAsked) -> Step:
    """The people are those of the room that he is in, if he is in one of that guild."""
    stay = _stay(state, event)
    room = event.room if stay is None else stay.room
    people = () if room is None else state.people.get(room, ())
    heard = frozenset[PersonId]() if stay is None or stay.facts is None else frozenset(stay.facts.heard)
    description = RoomDescribed(
        room=state.name_of(event.room),
        stay=None if stay is None else stay.stay,
        stay_room="" if stay is None else state.name_of(stay.room),
        phase=_phase(stay),
        people=tuple(Presence(person=one, consented=one.id in heard) for one in people[:MOST_PEOPLE]),
        humans=sum(not one.bot for one in people),
    )
    return state, (AnswerRoom(asker=event.reply_to, answer=description),)


def _stay(state: State, event: RoomAsked) -> StayAt | None:
    """Without a room and a guild it is an operator who asks: about the stay that there is."""
    if event.room is None and event.guild is None:
        return next(iter(state.stays), None)
    room = None if event.room is None else state.rooms.get(event.room)
    guild = event.guild if room is None else room.guild
    return None if guild is None else state.in_guild(guild)


def _phase(stay: StayAt | None) -> str:
    if stay is None:
        return ""
    return "joining" if stay.facts is None else stay.facts.phase
