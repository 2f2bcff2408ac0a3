"""The account itself: whether it is connected, which room it is seen in, and what is done to its voice."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from actors.gateway import owed, unfinished, watching
from actors.gateway.decisions import Decision, Enter, Record, Step, Warn
from actors.gateway.state import State, StayAt
from actors.gateway.telling import end, tell
from messages.evidence import BridgeReady, BridgeStopped
from messages.gateway import (
    GatewayAway,
    GatewayBack,
    GatewayGone,
    GatewayReady,
    OwnVoiceHindered,
    OwnVoiceMoved,
)
from messages.ids import RoomId
from messages.stay import EndStay, LeftReason, MovedToRoom, RemovedFromRoom, VoiceHindered

AccountNews: TypeAlias = (
    GatewayReady | GatewayAway | GatewayBack | GatewayGone | OwnVoiceMoved | OwnVoiceHindered
)
_LOST = EndStay(reason=LeftReason.GATEWAY_LOST, after_speech=False)
_MOVED = EndStay(reason=LeftReason.MOVED, after_speech=False)
_KICKED = EndStay(reason=LeftReason.KICKED, after_speech=False)


def heard(state: State, event: AccountNews, now: float) -> Step:
    """News of the account."""
    match event:
        case GatewayReady():
            return _ready(state, event, now)
        case GatewayAway():
            return replace(state, ready=False, trouble=event.reason, remedy=event.remedy), ()
        case GatewayBack():
            return owed.paid(replace(state, ready=True, trouble="", remedy=""), now, again=True)
        case GatewayGone():
            return _gone(state, event, now)
        case OwnVoiceMoved():
            return _seen(state, event)
        case OwnVoiceHindered():
            known = {**state.hindrances, event.guild: event.hindrance}
            told = tell(state.in_guild(event.guild), VoiceHindered(hindrance=event.hindrance))
            return replace(state, hindrances=known), told
        case _:
            assert_never(event)


def _ready(state: State, event: GatewayReady, now: float) -> Step:
    """Perhaps not for the first time: every stay is entered again whose room is still there."""
    state = replace(
        state,
        ready=True,
        trouble="",
        remedy="",
        rooms={room.id: room for room in event.rooms},
        people={},
        hindrances={},
        bridged=True,
        text=replace(state.text, account=event.account.label),
    )
    decisions: list[Decision] = [Record(receipt=BridgeReady(rooms=len(event.rooms)))]
    for stay in state.stays:
        if stay.room not in state.rooms:
            state, told = end(state, stay, _LOST)
            decisions += told
        elif stay.mailbox is not None and stay.ending is None:
            state = state.with_stay(replace(stay, seen_in=None))
            decisions.append(Enter(room=stay.room))
    state, said = owed.paid(state, now, again=True)
    return state, (*decisions, *said)


def _gone(state: State, event: GatewayGone, now: float) -> Step:
    state, unanswered = unfinished.given_up(state, "account_gone", now)
    stopped = Record(receipt=BridgeStopped(reason=event.reason))
    decisions: list[Decision] = [Warn(reason=event.reason, remedy=event.remedy), *unanswered, stopped]
    for stay in state.stays:
        state, told = end(state, stay, _LOST)
        decisions += told
    gone = replace(state, ready=False, bridged=False, trouble=event.reason, remedy=event.remedy)
    return gone, tuple(decisions)


def _seen(state: State, event: OwnVoiceMoved) -> Step:
    """Only who was seen inside before can have been removed or moved: all else is news of an earlier stay."""
    stay = state.in_guild(event.guild)
    if stay is None:
        return state, ()
    if event.room == stay.room:
        return state.with_stay(replace(stay, seen_in=event.room)), ()
    if stay.seen_in is None:
        return state, ()
    state = state.with_stay(replace(stay, seen_in=event.room))
    if stay.ending is not None:
        return state, ()
    return _removed(state, stay) if event.room is None else _moved(state, stay, event.room)


def _removed(state: State, stay: StayAt) -> Step:
    kicked = replace(stay, seen_in=None, ending=_KICKED)
    return state.with_stay(kicked), tell(kicked, RemovedFromRoom())


def _moved(state: State, stay: StayAt, room: RoomId) -> Step:
    """The stay goes on where he may be; nobody has consented there, and the play surface stays behind."""
    if not state.authority.allows(stay.guild, room):
        return end(state, replace(stay, seen_in=room), _MOVED)
    state, closed = watching.close(state, stay)
    moved = replace(stay, room=room, seen_in=room)
    news = MovedToRoom(room=room, people=state.people.get(room, ()))
    return state.with_stay(moved), (*tell(moved, news), *closed)


def lost(state: State, room: RoomId) -> Step:
    """A room is there no longer, and he cannot be in it."""
    state = replace(
        state,
        rooms={name: one for name, one in state.rooms.items() if name != room},
        people={name: people for name, people in state.people.items() if name != room},
    )
    stay = state.at(room)
    return (state, ()) if stay is None or stay.ending is not None else _removed(state, stay)
