"""An order to come or go is looked at in one sequence, and the first thing in its way is the answer."""

from __future__ import annotations

from dataclasses import replace

from actors.gateway.decisions import AnswerJoin, AnswerLeave, Begin, Decision, Step, Wake
from actors.gateway.state import State, StayAt, Waiting
from actors.gateway.telling import end
from messages.gateway import (
    AskedBy,
    Asker,
    Joined,
    JoinOverdue,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    RefusedJoin,
    RefusedLeave,
    Room,
)
from messages.ids import PersonId, StayId
from messages.stay import BeginStay, EndStay, LeftReason

LEAVING = {
    AskedBy.OPERATOR: EndStay(reason=LeftReason.OPERATOR, after_speech=False),
    AskedBy.SLASH: EndStay(reason=LeftReason.SLASH, after_speech=False),
    AskedBy.CAPTAIN: EndStay(reason=LeftReason.CAPTAIN, after_speech=True),
}

MOST_ASKERS = 64
"""So many people may wait for him to come into one room."""


def join(state: State, order: JoinVoice, stay_id: StayId) -> Step:
    """Authority, voice, whereabouts, allowlist, active elsewhere, already there, shut; then a stay begins."""
    room = destination(state, order)
    if isinstance(room, JoinRefused):
        return state, (AnswerJoin(asker=order.reply_to, answer=room),)
    here = state.in_guild(room.guild)
    refused = _active_elsewhere(state, here, room)
    if refused is not None:
        return state, (AnswerJoin(asker=order.reply_to, answer=refused),)
    if here is None:
        shut = _shut(state, room)
        if shut:
            answer = JoinRefused(reason=RefusedJoin.FAILED, detail=shut)
            return state, (AnswerJoin(asker=order.reply_to, answer=answer),)
        return _begin(state, order, room, stay_id)
    if here.joined:
        already = Joined(room=here.room, stay=here.stay, name=room.name)
        return state, (AnswerJoin(asker=order.reply_to, answer=already),)
    if len(here.askers) >= MOST_ASKERS:
        busy = JoinRefused(reason=RefusedJoin.FAILED, detail="busy")
        return state, (AnswerJoin(asker=order.reply_to, answer=busy),)
    return state.with_stay(replace(here, askers=(*here.askers, Waiting(mailbox=order.reply_to)))), ()


def destination(state: State, order: JoinVoice) -> Room | JoinRefused:
    """Return the room that the order brings him to, if he may be there, and else why not."""
    authority = state.authority
    refused = _refused_authority(state, order)
    if refused is not None:
        return JoinRefused(reason=refused)
    if not authority.voice_enabled:
        return JoinRefused(reason=RefusedJoin.VOICE_DISABLED)
    if not state.ready:
        return JoinRefused(reason=RefusedJoin.FAILED, detail="account_not_ready")
    room = _wanted(state, order)
    if isinstance(room, Room) and not authority.allows(room.guild, room.id):
        return JoinRefused(reason=RefusedJoin.ALLOWLIST)
    return room


def _refused_authority(state: State, order: JoinVoice) -> RefusedJoin | None:
    if order.asker is not None:
        return None if state.authority.may_move(order.asker) else RefusedJoin.AUTHORITY
    if order.asked_by is not AskedBy.OPERATOR:
        return RefusedJoin.AUTHORITY
    nowhere = order.room is None and state.authority.owner is None and _only_room(state) is None
    return RefusedJoin.NO_OWNER if nowhere else None


def _wanted(state: State, order: JoinVoice) -> Room | JoinRefused:
    if order.room is not None:
        room = state.rooms.get(order.room)
        if room is None:
            return JoinRefused(reason=RefusedJoin.FAILED, detail="no_such_room")
        abroad = order.asker is not None and order.asker.guild != room.guild
        return JoinRefused(reason=RefusedJoin.AUTHORITY) if abroad else room
    if order.asker is not None:
        return _room_of(state, order.asker)
    return _room_of_owner(state)


def _room_of_owner(state: State) -> Room | JoinRefused:
    """Where the operator means; in a house of one room without an owner there is no other."""
    room = _only_room(state) if state.authority.owner is None else None
    return room or _room_anywhere(state, state.authority.owner)


def _only_room(state: State) -> Room | None:
    """The room in this process, where it is the only one that there is."""
    room = next(iter(state.rooms.values())) if len(state.rooms) == 1 else None
    return room if room is not None and room.guild == state.authority.home else None


def _room_of(state: State, asker: Asker) -> Room | JoinRefused:
    """Where he is now, in the guild in which he asks; a private message comes from no guild, or any."""
    if not asker.guild:
        return _room_anywhere(state, asker.person.id)
    here = (room for room in state.whereabouts(asker.person.id) if room.guild == asker.guild)
    return next(here, JoinRefused(reason=RefusedJoin.NOT_IN_VOICE))


def _room_anywhere(state: State, person: PersonId | None) -> Room | JoinRefused:
    """An order of the owner's, or a private one, follows who is meant, but never beyond the allowlist."""
    rooms = () if person is None else state.whereabouts(person)
    allowed = [room for room in rooms if state.authority.allows(room.guild, room.id)]
    if not allowed:
        return JoinRefused(reason=RefusedJoin.NOT_IN_VOICE)
    if len(allowed) == 1:
        return allowed[0]
    staying = (room for room in allowed if state.at(room.id) is not None)
    return next(staying, JoinRefused(reason=RefusedJoin.AMBIGUOUS))


def _active_elsewhere(state: State, here: StayAt | None, room: Room) -> JoinRefused | None:
    """With as many stays as there may be, and always within one guild, he is in one room only."""
    if here is None:
        full = len(state.stays) >= state.settings.max_stays
        return JoinRefused(reason=RefusedJoin.OTHER_GUILD) if full else None
    if here.is_leaving():
        return JoinRefused(reason=RefusedJoin.FAILED, detail="leaving")
    if here.room != room.id:
        return JoinRefused(reason=RefusedJoin.OTHER_GUILD, detail="other_room")
    return None


def _shut(state: State, room: Room) -> str:
    """Why Discord would not let him in, which it never says by itself; empty if it will."""
    if room.barred:
        return f"missing_permission_{room.barred}"
    full = room.seats is not None and len(state.people.get(room.id, ())) >= room.seats
    return "channel_full" if full else ""


def _begin(state: State, order: JoinVoice, room: Room, stay_id: StayId) -> Step:
    heard = _opted_in(state, order, room)
    if heard is not None:
        state = replace(state, refused=tuple(one for one in state.refused if one != (room.guild, heard)))
    stay = StayAt(
        stay=stay_id,
        guild=room.guild,
        room=room.id,
        askers=(Waiting(mailbox=order.reply_to, heard=heard),),
        consents=() if heard is None else (heard,),
    )
    return replace(state, stays=(*state.stays, stay)), (
        Begin(stay=BeginStay(stay=stay_id, room=room.id)),
        Wake(seconds=state.settings.join_seconds, message=JoinOverdue(stay=stay_id)),
    )


def _opted_in(state: State, order: JoinVoice, room: Room) -> PersonId | None:
    """Who is heard from the beginning: who shows himself the disclosure, or an owner who has not refused."""
    if order.asker is None or not state.is_in(order.asker.person.id, room.id):
        return None
    person = order.asker.person.id
    owns = state.authority.owner_only and (room.guild, person) not in state.refused
    return person if order.asked_by is AskedBy.SLASH or owns else None


# --- leaving --------------------------------------------------------------------------------------


def leave(state: State, order: LeaveVoice) -> Step:
    """The asker's guild is left, and no other; an operator has him leave wherever he is, or one stay by name.

    In a private message only the owner has him leave: the room that he is in himself, or, if he is in none
    of them, the only one that there is.
    """
    stays = tuple(stay for stay in _meant(state, order.asker) if order.stay in (None, stay.stay))
    refused: RefusedLeave | None = None
    if not _may_end(state, order):
        refused = RefusedLeave.AUTHORITY
    elif not stays:
        refused = RefusedLeave.NOT_IN_VOICE
    if refused is not None:
        answer = LeaveAnswered(room=None, refused=refused)
        return state, (AnswerLeave(asker=order.reply_to, answer=answer),)
    room = stays[0].room
    left = LeaveAnswered(room=room, name=state.name_of(room))
    decisions: list[Decision] = [AnswerLeave(asker=order.reply_to, answer=left)]
    for stay in stays:
        state, told = end(state, stay, LEAVING[order.asked_by])
        decisions += told
    return state, tuple(decisions)


def _may_end(state: State, order: LeaveVoice) -> bool:
    if order.asker is None:
        return order.asked_by is AskedBy.OPERATOR
    owns = order.asker.person.id == state.authority.owner
    return state.authority.may_move(order.asker) and (bool(order.asker.guild) or owns)


def _meant(state: State, asker: Asker | None) -> tuple[StayAt, ...]:
    if asker is None:
        return state.stays
    if asker.guild:
        return tuple(stay for stay in state.stays if stay.guild == asker.guild)
    stay = state.stay_of(asker)
    if stay is None:
        return state.stays if len(state.stays) == 1 else ()
    return (stay,)
