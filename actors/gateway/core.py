"""Whoever asks him to come gets exactly one answer, and what happens in other rooms changes nothing here."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.gateway import rooms
from actors.gateway.decisions import (
    AnswerJoin,
    AnswerLeave,
    Begin,
    Decision,
    Enter,
    Leave,
    Post,
    Record,
    Step,
    TellStay,
    Wake,
)
from actors.gateway.state import State, StayAt
from messages.evidence import Failed
from messages.gateway import (
    AskedBy,
    ConsentAsked,
    ForgetAsked,
    GatewayAway,
    GatewayBack,
    GatewayGone,
    GatewayMessage,
    GatewayReady,
    Joined,
    JoinOverdue,
    JoinRefused,
    JoinVoice,
    LeaveAnswered,
    LeaveVoice,
    MemberArrived,
    MemberDeparted,
    MessageSeen,
    OwnVoiceHindered,
    OwnVoiceMoved,
    PostText,
    RefusedJoin,
    RoomLost,
    RoomRoster,
    RoomSeen,
    StatusAsked,
    StayChanged,
    StayEnded,
    StayJoined,
    StayOpened,
    WatchAsked,
    WatchOpened,
)
from messages.ids import RoomId, StayId
from messages.lifecycle import OpenRefused
from messages.stay import BeginStay, EndStay, LeftReason, RosterKnown

MOST_CHARACTERS = 2_000
LEAVING = {
    AskedBy.OPERATOR: EndStay(reason=LeftReason.OPERATOR, after_speech=False),
    AskedBy.SLASH: EndStay(reason=LeftReason.SLASH, after_speech=False),
    AskedBy.CAPTAIN: EndStay(reason=LeftReason.CAPTAIN, after_speech=True),
}


def step(state: State, event: GatewayMessage, stay_id: StayId) -> Step:
    """One event; `stay_id` names the stay that it may begin."""
    match event:
        case JoinVoice():
            return _join(state, event, stay_id)
        case LeaveVoice():
            return _leave(state, event)
        case PostText():
            return state, (Post(room=event.room, text=event.text[:MOST_CHARACTERS]),)
        case StayOpened():
            return _stay_opened(state, event)
        case StayJoined():
            return _stay_joined(state, event)
        case StayEnded():
            return _stay_over(state, event.stay, event.failed or "ended")
        case OpenRefused():
            return _stay_over(state, event.request.stay, event.refusal.value)
        case JoinOverdue():
            return _overdue(state, event.stay)
        case GatewayReady() | GatewayGone() | OwnVoiceMoved():
            return rooms.account(state, event)
        case RoomRoster() | MemberArrived() | MemberDeparted() | MessageSeen() | ConsentAsked():
            return rooms.room(state, event)
        case (
            StatusAsked()
            | ForgetAsked()
            | WatchAsked()
            | StayChanged()
            | GatewayAway()
            | GatewayBack()
            | RoomSeen()
            | RoomLost()
            | OwnVoiceHindered()
            | WatchOpened()
        ):
            return state, ()
        case _:
            assert_never(event)


# --- orders ---------------------------------------------------------------------------------------


def _join(state: State, order: JoinVoice, stay_id: StayId) -> Step:
    if order.room is None:
        refused = JoinRefused(reason=RefusedJoin.NO_OWNER)
        return state, (AnswerJoin(asker=order.reply_to, answer=refused),)
    here = state.at(order.room)
    if here is not None and here.joined and here.ending is None:
        return state, (AnswerJoin(asker=order.reply_to, answer=Joined(room=here.room, stay=here.stay)),)
    if here is not None and here.ending is None:
        return rooms.with_stay(state, replace(here, askers=(*here.askers, order.reply_to))), ()
    refusal = _refusal(state, order.room, here)
    if refusal is not None:
        return state, (AnswerJoin(asker=order.reply_to, answer=refusal),)
    stay = StayAt(stay=stay_id, room=order.room, askers=(order.reply_to,))
    return replace(state, stays=(*state.stays, stay)), (
        Begin(stay=BeginStay(stay=stay_id, room=order.room)),
        Wake(seconds=state.settings.join_seconds, message=JoinOverdue(stay=stay_id)),
    )


def _refusal(state: State, room: RoomId, here: StayAt | None) -> JoinRefused | None:
    if here is not None:
        return JoinRefused(reason=RefusedJoin.FAILED, detail="leaving")
    if not state.ready:
        return JoinRefused(reason=RefusedJoin.FAILED, detail="not_ready")
    if room not in state.rooms:
        return JoinRefused(reason=RefusedJoin.FAILED, detail="no_such_room")
    if len(state.stays) >= state.settings.max_stays:
        return JoinRefused(reason=RefusedJoin.OTHER_GUILD)
    return None


def _leave(state: State, order: LeaveVoice) -> Step:
    staying = [stay for stay in state.stays if stay.ending is None]
    room = staying[0].room if staying else None
    decisions: list[Decision] = [AnswerLeave(asker=order.reply_to, answer=LeaveAnswered(room=room))]
    for stay in staying:
        state, told = rooms.end(state, stay, LEAVING[order.asked_by])
        decisions += told
    return state, tuple(decisions)


# --- from stays -----------------------------------------------------------------------------------


def _stay_opened(state: State, event: StayOpened) -> Step:
    stay = state.named(event.stay)
    if stay is None:
        over = EndStay(reason=LeftReason.REPLACED, after_speech=False)
        return state, (TellStay(mailbox=event.mailbox, message=over),)
    stay = replace(stay, mailbox=event.mailbox)
    state = rooms.with_stay(state, stay)
    if stay.ending is not None:
        return state, rooms.tell(stay, stay.ending)
    facts = (RosterKnown(people=state.rooms.get(stay.room, ())), *stay.consents)
    return state, (*(told for fact in facts for told in rooms.tell(stay, fact)), Enter(room=stay.room))


def _stay_joined(state: State, event: StayJoined) -> Step:
    stay = state.named(event.stay)
    if stay is None:
        return state, ()
    answer = Joined(room=stay.room, stay=stay.stay)
    answers = tuple(AnswerJoin(asker=asker, answer=answer) for asker in stay.askers)
    return rooms.with_stay(state, replace(stay, joined=True, askers=())), answers


def _stay_over(state: State, name: StayId, why: str) -> Step:
    stay = state.named(name)
    if stay is None:
        return state, ()
    refused = JoinRefused(reason=RefusedJoin.FAILED, detail=why)
    answers = tuple(AnswerJoin(asker=asker, answer=refused) for asker in stay.askers)
    others = tuple(other for other in state.stays if other is not stay)
    return replace(state, stays=others), (Leave(room=stay.room), *answers)


def stopped(state: State) -> tuple[AnswerJoin, ...]:
    """Return what those are still owed who wait for an answer when this life ends."""
    refused = JoinRefused(reason=RefusedJoin.FAILED, detail="gateway_lost")
    return tuple(AnswerJoin(asker=asker, answer=refused) for stay in state.stays for asker in stay.askers)


def _overdue(state: State, name: StayId) -> Step:
    stay = state.named(name)
    if stay is None or stay.joined:
        return state, ()
    failed = Failed(stay_id=name, stage="voice_link", reason="join_overdue")
    told = rooms.tell(stay, EndStay(reason=LeftReason.JOIN_FAILED, after_speech=False))
    state, answers = _stay_over(state, name, "join_overdue")
    return state, (Record(receipt=failed), *told, *answers)
