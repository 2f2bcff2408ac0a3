"""The life of a stay as a pure machine: joining, active or degraded, leaving, closing, ended."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.stay import facts, hearing, hindrance, leaving, link, losing, moving, orders, people
from actors.stay.decisions import Record, Step, TellFloor, TellRealtime
from actors.stay.state import Awaited, Phase, State
from messages.evidence import TextInput
from messages.floor import AwaitQuiet, LineTyped, RosterTold
from messages.ids import LineId
from messages.lifecycle import OpenRefused
from messages.orders import Hush, Interrupt, SayAloud, StayOrderAnswered, WithdrawConsent
from messages.people import Line, LineSource
from messages.realtime import CostObserved, RoomObserved
from messages.stay import (
    ConsentGiven,
    ConsentWithdrawn,
    ConversationOpened,
    CostReached,
    EarClosed,
    EarOpened,
    EarsOpened,
    EarTroubled,
    EarWorks,
    EndStay,
    FloorOpened,
    FloorQuiet,
    LeftReason,
    LinkClosed,
    LinkDegraded,
    LinkGone,
    LinkOpened,
    LinkPrivate,
    LinkReady,
    MovedToRoom,
    OpenEar,
    PersonArrived,
    PersonDeparted,
    PersonTyped,
    RemovedFromRoom,
    RosterKnown,
    SayInChat,
    StayMessage,
    StayOverdue,
    VoiceHindered,
)


def begin(state: State) -> Step:
    """Return the first decisions of a stay: it has so long to get in."""
    state, waiting = leaving.wait(state, state.settings.join_seconds)
    return facts.tell(state, waiting)


def step(state: State, event: StayMessage, now: float, line_id: LineId) -> Step:
    """Return the stay after `event`, and what it decided; `line_id` names a typed line, if this is one."""
    state, decisions = _think(state, event, now, line_id)
    return facts.tell(state, decisions)


def _think(state: State, event: StayMessage, now: float, line_id: LineId) -> Step:
    match event:
        case PersonArrived() | PersonDeparted() | ConsentGiven() | ConsentWithdrawn():
            return _people_changed(state, event)
        case EarOpened() | EarClosed() | OpenRefused() | EarTroubled() | EarWorks():
            return _ear_changed(state, event)
        case LinkOpened() | LinkReady() | LinkPrivate() | LinkDegraded() | LinkGone() | LinkClosed():
            return link.changed(state, event, now)
        case RosterKnown():
            return _roster_known(state, event, now)
        case PersonTyped():
            return _typed(state, event, now, line_id)
        case FloorOpened() | ConversationOpened() | EarsOpened():
            return _hello(state, event, now)
        case SayAloud() | Hush() | Interrupt() | WithdrawConsent():
            return orders.given(state, event)
        case StayOrderAnswered():
            return orders.answered(state, event, now)
        case CostReached():
            return _cost_reached(state, event)
        case SayInChat():
            return state, () if state.is_over() else people.chat(state, event.text)
        case RemovedFromRoom() | MovedToRoom() | VoiceHindered() | EndStay():
            return _done_to_him(state, event)
        case FloorQuiet():
            return moving.settled(state) if state.moving else leaving.quiet(state)
        case StayOverdue():
            return _overdue(state, now) if event.token == state.token else (state, ())
        case _:
            assert_never(event)


def _ear_changed(
    state: State, event: EarOpened | EarClosed | OpenRefused[OpenEar] | EarTroubled | EarWorks
) -> Step:
    match event:
        case EarOpened():
            return people.ear_opened(state, event)
        case EarClosed():
            return losing.ear_closed(state, event)
        case OpenRefused():
            return losing.ear_refused(state, event)
        case EarTroubled() | EarWorks():
            return hearing.changed(state, event)
        case _:
            assert_never(event)


def _done_to_him(state: State, event: RemovedFromRoom | MovedToRoom | VoiceHindered | EndStay) -> Step:
    match event:
        case RemovedFromRoom():
            return leaving.leave(state, EndStay(reason=LeftReason.KICKED, after_speech=False))
        case MovedToRoom():
            return moving.moved(state, event)
        case VoiceHindered():
            return hindrance.changed(state, event.hindrance)
        case EndStay():
            return leaving.leave(state, event)
        case _:
            assert_never(event)


def _overdue(state: State, now: float) -> Step:
    return moving.settled(state) if state.moving else leaving.overdue(state, now)


def _roster_known(state: State, event: RosterKnown, now: float) -> Step:
    if Awaited.ROSTER not in state.awaited:
        return people.compared(state, event.people)
    return link.arrived(replace(state, people=event.people), Awaited.ROSTER, now)


def _people_changed(
    state: State, event: PersonArrived | PersonDeparted | ConsentGiven | ConsentWithdrawn
) -> Step:
    match event:
        case PersonArrived():
            return people.arrived(state, event.person)
        case PersonDeparted():
            return people.departed(state, event.person)
        case ConsentGiven():
            return people.granted_to(state, event.person)
        case ConsentWithdrawn():
            return people.withdrawn_by(state, event.person, forget=event.forget)
        case _:
            assert_never(event)


def _typed(state: State, event: PersonTyped, now: float, line_id: LineId) -> Step:
    if event.person.bot or state.joined_at is None or state.is_over():
        return state, ()
    receipt = TextInput(
        stay_id=state.stay_id, person_id=event.person.id, line_id=line_id, characters=len(event.text)
    )
    line = Line(
        id=line_id, person=event.person, text=event.text, source=LineSource.TYPED, began=now, ended=now
    )
    return state, (Record(receipt=receipt), TellFloor(message=LineTyped(line=line)))


def _cost_reached(state: State, event: CostReached) -> Step:
    """Each amount is told once, and none that is less than what he knows."""
    if state.is_over() or event.amount <= state.cost:
        return state, ()
    observed = CostObserved(amount=event.amount, currency=event.currency)
    return replace(state, cost=event.amount), (TellRealtime(message=observed),)


def _hello(state: State, event: FloorOpened | ConversationOpened | EarsOpened, now: float) -> Step:
    match event:
        case FloorOpened():
            leaving_already = (TellFloor(message=AwaitQuiet()),) if state.phase is Phase.LEAVING else ()
            told = TellFloor(message=RosterTold(people=state.presences(), change=None, who=None))
            ordered = orders.floor_opened(state, now)
            state, joined = link.arrived(state, Awaited.FLOOR, now)
            # A floor that has just opened says nothing of what was said before he was moved.
            state, settled = moving.settled(state)
            return state, (told, *ordered, *leaving_already, *joined, *settled)
        case ConversationOpened():
            told_realtime = TellRealtime(
                message=RoomObserved(people=state.presences(), change=None, who=None, room=state.room)
            )
            state, joined = link.arrived(state, Awaited.CONVERSATION, now)
            return state, (told_realtime, *joined)
        case EarsOpened():
            state, opening = losing.ears_opened(state)
            state, joined = link.arrived(state, Awaited.EARS, now)
            return state, (*opening, *joined)
        case _:
            assert_never(event)
