"""Whoever asks him something gets exactly one answer, and what happens elsewhere changes nothing here."""

from __future__ import annotations

from typing import assert_never

from actors.gateway import account, asking, joining, rooms, stays, texts, watching
from actors.gateway.decisions import Decision, Record, Step
from actors.gateway.state import State
from messages.evidence import BridgeStopped
from messages.gateway import (
    ConsentAsked,
    ForgetAsked,
    GatewayAway,
    GatewayBack,
    GatewayGone,
    GatewayMessage,
    GatewayReady,
    JoinOverdue,
    JoinVoice,
    LeaveVoice,
    MemberArrived,
    MemberDeparted,
    MessageSeen,
    OwnVoiceHindered,
    OwnVoiceMoved,
    PostText,
    RoomLost,
    RoomRoster,
    RoomSeen,
    SlashOrder,
    StatusAsked,
    StayChanged,
    StayEnded,
    StayJoined,
    StayOpened,
    TextAnswered,
    TextOverdue,
    WatchAsked,
    WatchOpened,
    WatchOverdue,
)
from messages.ids import StayId
from messages.lifecycle import OpenRefused


def step(state: State, event: GatewayMessage, now: float, stay_id: StayId) -> Step:
    """One event at monotonic second `now`; `stay_id` names the stay that it may begin."""
    match event:
        case JoinVoice() | LeaveVoice() | StatusAsked() | ForgetAsked() | WatchAsked() | ConsentAsked():
            return _ordered(state, event, stay_id)
        case MessageSeen() | TextAnswered() | TextOverdue() | PostText():
            return texts.heard(state, event, now)
        case StayOpened() | StayJoined() | StayChanged() | StayEnded():
            return stays.heard(state, event)
        case OpenRefused():
            return stays.over(state, event.request.stay, event.refusal.value)
        case JoinOverdue():
            return stays.overdue(state, event.stay)
        case GatewayReady() | GatewayAway() | GatewayBack() | GatewayGone():
            return account.heard(state, event, now)
        case OwnVoiceMoved() | OwnVoiceHindered():
            return account.heard(state, event, now)
        case RoomSeen() | RoomLost() | RoomRoster() | MemberArrived() | MemberDeparted():
            return rooms.heard(state, event)
        case WatchOpened():
            return watching.opened(state, event)
        case WatchOverdue():
            return watching.overdue(state, event)
        case _:
            assert_never(event)


def _ordered(state: State, order: SlashOrder, stay_id: StayId) -> Step:
    match order:
        case JoinVoice():
            return joining.join(state, order, stay_id)
        case LeaveVoice():
            return joining.leave(state, order)
        case StatusAsked():
            return asking.status(state, order)
        case ForgetAsked():
            return asking.forget(state, order)
        case WatchAsked():
            return watching.asked(state, order)
        case ConsentAsked():
            return asking.consent(state, order)
        case _:
            assert_never(order)


def stopped(state: State, now: float, why: str) -> tuple[Decision, ...]:
    """Return what those are still owed who wait for an answer when this life ends, and its last receipts."""
    _, unanswered = texts.given_up(state, "gateway_lost", now)
    bridge = (Record(receipt=BridgeStopped(reason=why)),) if state.bridged else ()
    return (*stays.stopped(state), *unanswered, *bridge)
