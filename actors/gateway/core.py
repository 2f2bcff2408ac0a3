"""Whoever asks him something gets exactly one answer, and what happens elsewhere changes nothing here."""

from __future__ import annotations

from typing import assert_never

from actors.gateway import (
    account,
    asking,
    confirming,
    deeds,
    describing,
    joining,
    orders,
    owed,
    rooms,
    standing,
    stays,
    texts,
    unfinished,
    watching,
)
from actors.gateway.decisions import Decision, Record, Step
from actors.gateway.state import State
from messages.evidence import BridgeStopped
from messages.gateway import (
    ButtonPressed,
    CaptainOrder,
    ConfirmAsked,
    ConfirmDropped,
    ConfirmFailed,
    ConfirmOverdue,
    ConsentAsked,
    ConsentsLost,
    CostPassed,
    DeedAsked,
    DeedDone,
    DeedOverdue,
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
    MemoriesAsked,
    MessageGone,
    MessageSeen,
    NoticeDue,
    OwnVoiceHindered,
    OwnVoiceMoved,
    PostText,
    RolesKnown,
    RolesOverdue,
    RoomAsked,
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
    TurnLost,
    WatchAsked,
    WatchOpened,
    WatchOverdue,
    WhoAsks,
)
from messages.ids import StayId
from messages.lifecycle import OpenRefused
from messages.orders import StayOrderAnswered, StayOrdered


def step(state: State, event: GatewayMessage, now: float, stay_id: StayId) -> Step:
    """One event at monotonic second `now`; `stay_id` names the stay that it may begin."""
    match event:
        case JoinVoice() | LeaveVoice() | StatusAsked() | ForgetAsked() | WatchAsked() | ConsentAsked():
            return _ordered(state, event, stay_id)
        case MemoriesAsked():
            return _ordered(state, event, stay_id)
        case WhoAsks() | DeedAsked() | RoomAsked() | ConfirmAsked() | ConfirmDropped():
            return _sent_for(state, event)
        case RolesKnown() | RolesOverdue() | DeedDone() | DeedOverdue() | NoticeDue():
            return _came_back(state, event)
        case ConfirmFailed() | ConfirmOverdue() | ButtonPressed():
            return confirming.heard(state, event)
        case MessageSeen() | MessageGone() | TextAnswered() | TextOverdue() | PostText():
            return texts.heard(state, event, now)
        case TurnLost() | ConsentsLost():
            return owed.lost(state, event, now)
        case StayOrdered() | StayOrderAnswered() | CostPassed():
            return _about_a_stay(state, event)
        case StayOpened() | StayJoined() | StayChanged() | StayEnded() | OpenRefused() | JoinOverdue():
            return stays.heard(state, event)
        case GatewayReady() | GatewayAway() | GatewayBack() | GatewayGone():
            return account.heard(state, event, now)
        case OwnVoiceMoved() | OwnVoiceHindered():
            return account.heard(state, event, now)
        case RoomSeen() | RoomLost() | RoomRoster() | MemberArrived() | MemberDeparted():
            return rooms.heard(state, event)
        case WatchOpened() | WatchOverdue():
            return watching.heard(state, event)
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
        case MemoriesAsked():
            return asking.memories(state, order)
        case ForgetAsked():
            return asking.forget(state, order)
        case WatchAsked():
            return watching.asked(state, order)
        case ConsentAsked():
            return asking.consent(state, order)
        case _:
            assert_never(order)


def _about_a_stay(state: State, event: StayOrdered | StayOrderAnswered | CostPassed) -> Step:
    match event:
        case StayOrdered():
            return orders.given(state, event)
        case StayOrderAnswered():
            return orders.answered(state, event)
        case CostPassed():
            return orders.cost_passed(state, event)
        case _:
            assert_never(event)


def _sent_for(state: State, order: CaptainOrder) -> Step:
    match order:
        case WhoAsks():
            return standing.asked(state, order)
        case DeedAsked():
            return deeds.heard(state, order)
        case RoomAsked():
            return describing.asked(state, order)
        case ConfirmAsked() | ConfirmDropped():
            return confirming.heard(state, order)
        case _:
            assert_never(order)


def _came_back(state: State, event: RolesKnown | RolesOverdue | DeedDone | DeedOverdue | NoticeDue) -> Step:
    match event:
        case RolesKnown():
            return standing.known(state, event)
        case RolesOverdue():
            return standing.overdue(state, event)
        case DeedDone():
            return owed.done(state, event)
        case DeedOverdue():
            return deeds.heard(state, event)
        case NoticeDue():
            return owed.due(state, event)
        case _:
            assert_never(event)


def stopped(state: State, now: float, why: str) -> tuple[Decision, ...]:
    """Return what those are still owed who wait for an answer when this life ends, and its last receipts."""
    bridge = (Record(receipt=BridgeStopped(reason=why)),) if state.bridged else ()
    return (*stays.stopped(state), *unfinished.stopped(state, now), *bridge)
