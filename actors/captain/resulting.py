"""What comes back from other rooms belongs to one call of one turn, or to nobody any more."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.captain import acting, answering, confirming, telling
from actors.captain.decisions import TellEvidence
from actors.captain.events import NotesKept
from actors.captain.state import Call, CallStage, State, Turn
from messages.captain import Answering, AskCaptain, CallDone, Confirmed, MachineDone, ToolAnswer
from messages.evidence import ReceiptsAsked, ReceiptsKnown
from messages.gateway import (
    DeedAnswered,
    Joined,
    JoinRefused,
    LeaveAnswered,
    RoomDescribed,
    WatchAnswered,
)
from messages.ids import CallId, HandoffId
from messages.tools import ObserveRoom, Remember, UseMachine


def take(state: State, event: CallDone | MachineDone | NotesKept) -> State:
    """Something has answered."""
    match event:
        case CallDone():
            return _done(state, event)
        case MachineDone():
            return _machine(state, event)
        case NotesKept():
            return _kept(state, event)
        case _:
            assert_never(event)


def overdue(state: State, turn: Turn) -> State:
    """Whatever has not come in time does not count any more when it comes."""
    for call in turn.calls:
        now = state.turn(turn.id)
        if now is None or not state.is_due(call.due):
            continue
        if call.stage is CallStage.HELD:
            state = acting.order(state, turn.id, call)
            continue
        state = confirming.drop(state, now, call)
        told = telling.refused("timeout") if call.room is None else telling.room(call.room, None)
        state = answering.answer(state, now, call, told)
    return state


def _done(state: State, event: CallDone) -> State:
    """Another room has answered."""
    turn, call = _open(state, event.handoff, event.call)
    if turn is None or call is None:
        return state
    answer = event.answer
    match answer:
        case Confirmed():
            return _confirmed(state, turn, call, answer)
        case RoomDescribed():
            return _described(state, turn, call, answer)
        case ReceiptsKnown():
            if call.room is None:
                return state
            return answering.answer(state, turn, call, telling.room(call.room, answer))
        case Joined() | JoinRefused() | LeaveAnswered() | WatchAnswered() | DeedAnswered():
            if call.stage is not CallStage.ORDERED:
                return state
            told = telling.told(answer, transcripts_kept=state.transcripts_kept)
            return answering.answer(_leaving(state, turn, answer), turn, call, told)
        case _:
            assert_never(answer)


def _leaving(state: State, turn: Turn, answer: ToolAnswer) -> State:
    """Who has had him go is answered in writing: the conversation may be gone before it hears the rest."""
    if isinstance(answer, LeaveAnswered) and answer.refused is None and isinstance(turn.first, AskCaptain):
        return state.without_stay(turn.first.stay)
    return state


def _machine(state: State, event: MachineDone) -> State:
    """A server's tool has answered; its files go along with the answer to whoever asked."""
    turn, call = _open(state, event.handoff, event.call)
    if turn is None or call is None or not isinstance(call.request, UseMachine):
        return state
    if call.stage is not CallStage.ORDERED:
        return state
    turn = answering.with_files(turn, event.attachments)
    return answering.answer(state, turn, call, telling.machine(event), failed=True)


def _kept(state: State, event: NotesKept) -> State:
    """A note is on disk, or could not be written there and lasts only as long as this life."""
    if event.turn is None or event.call is None:
        return state
    turn, call = _open(state, event.turn, event.call)
    if turn is None or call is None or not isinstance(call.request, Remember):
        return state
    return answering.answer(state, turn, call, telling.kept() if event.kept else telling.refused("not_kept"))


def _confirmed(state: State, turn: Turn, call: Call, answer: Confirmed) -> State:
    if call.stage is not CallStage.CONFIRMING:
        return state
    if answer.refused:
        told = telling.told(answer, transcripts_kept=state.transcripts_kept)
        return answering.answer(state, turn, call, told)
    state = state.with_turn(replace(turn, news_at=state.now))
    return acting.order(state, turn.id, call)


def _described(state: State, turn: Turn, call: Call, answer: RoomDescribed) -> State:
    """Where he is in a room, the record knows what happened there last."""
    if call.room is not None or not isinstance(call.request, ObserveRoom):
        return state
    if answer.stay is None:
        return answering.answer(state, turn, call, telling.room(answer, None))
    to: Answering[ReceiptsKnown] = Answering(handoff=turn.id, call=call.id, captain=state.here)
    state = state.with_turn(replace(turn.with_call(replace(call, room=answer)), news_at=state.now))
    return state.do(TellEvidence(message=ReceiptsAsked(stay=answer.stay, reply_to=to)))


def _open(state: State, handoff: HandoffId, name: CallId) -> tuple[Turn | None, Call | None]:
    """The call that this is about, if it still waits."""
    turn = state.turn(handoff)
    call = None if turn is None else turn.call(name)
    return turn, None if call is None or call.stage is CallStage.ANSWERED else call
