"""What a stay says of itself: that it lives, has joined, has changed, is over, or is silent for too long."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from actors.gateway import orders, watching
from actors.gateway.decisions import AnswerJoin, Decision, Enter, Leave, Record, Step, TellStay
from actors.gateway.state import State, StayAt, Waiting
from actors.gateway.telling import end, tell
from messages.evidence import Failed
from messages.gateway import (
    Joined,
    JoinOverdue,
    JoinRefused,
    RefusedJoin,
    StayChanged,
    StayEnded,
    StayJoined,
    StayOpened,
)
from messages.ids import StayId
from messages.lifecycle import OpenRefused
from messages.stay import (
    BeginStay,
    ConsentGiven,
    ConsentWithdrawn,
    EndStay,
    LeftReason,
    MovedToRoom,
    RosterKnown,
    StayMessage,
    VoiceHindered,
)

StayNews: TypeAlias = StayOpened | StayJoined | StayChanged | StayEnded | OpenRefused[BeginStay] | JoinOverdue


def heard(state: State, event: StayNews) -> Step:
    """News of a stay: from itself, from whoever should have begun it, or that there is none."""
    match event:
        case StayOpened():
            return _opened(state, event)
        case StayJoined():
            return _joined(state, event)
        case StayChanged():
            return _changed(state, event)
        case StayEnded():
            return _over(state, event.stay, event.failed or "ended")
        case OpenRefused():
            return _over(state, event.request.stay, event.refusal.value)
        case JoinOverdue():
            return _overdue(state, event.stay)
        case _:
            assert_never(event)


def _opened(state: State, event: StayOpened) -> Step:
    """It is told what it missed: who is here, who may be heard, who may not, and only then is he seen."""
    stay = state.named(event.stay)
    if stay is None:
        over = EndStay(reason=LeftReason.REPLACED, after_speech=False)
        return state, (TellStay(mailbox=event.mailbox, message=over),)
    stay = replace(stay, mailbox=event.mailbox)
    state = state.with_stay(stay)
    if stay.ending is not None:
        return state, tell(stay, stay.ending)
    missed = [told for fact in _missed(state, stay, event) for told in tell(stay, fact)]
    missed += orders.opened(state, stay)
    # Consent is passed on once: a life that replaces this one has lost it.
    return state.with_stay(replace(stay, consents=())), (*missed, Enter(room=stay.room))


def _missed(state: State, stay: StayAt, event: StayOpened) -> tuple[StayMessage, ...]:
    people = state.people.get(stay.room, ())
    here = event.room == stay.room
    hindrance = state.hindrances.get(stay.guild, "")
    return (
        RosterKnown(people=people) if here else MovedToRoom(room=stay.room, people=people),
        *(ConsentWithdrawn(person=person) for guild, person in state.refused if guild == stay.guild),
        *(ConsentGiven(person=person) for person in stay.consents),
        *((VoiceHindered(hindrance=hindrance),) if hindrance else ()),
    )


def _joined(state: State, event: StayJoined) -> Step:
    """Whoever asked is told, and whether he is heard because he did."""
    stay = state.named(event.stay)
    if stay is None:
        return state, ()
    answers = tuple(_welcome(state, stay, asker) for asker in stay.askers)
    return state.with_stay(replace(stay, joined=True, askers=())), answers


def _welcome(state: State, stay: StayAt, asker: Waiting) -> AnswerJoin:
    heard = asker.heard is not None and (
        state.is_in(asker.heard, stay.room) and (stay.guild, asker.heard) not in state.refused
    )
    name = state.name_of(stay.room)
    answer = Joined(room=stay.room, stay=stay.stay, opted_in=heard, name=name)
    return AnswerJoin(asker=asker.mailbox, answer=answer)


def _changed(state: State, event: StayChanged) -> Step:
    """Kept for whoever asks."""
    stay = state.named(event.facts.stay)
    return (state if stay is None else state.with_stay(replace(stay, facts=event.facts))), ()


def _over(state: State, name: StayId, why: str) -> Step:
    """Nobody waits for this stay any more, and the account is seen in its room no longer."""
    stay = state.named(name)
    if stay is None:
        return state, ()
    state, closed = watching.close(state, stay)
    state, unanswered = orders.over(state, name)
    answers = tuple(_refused(asker, why) for asker in stay.askers)
    others = tuple(other for other in state.stays if other.stay != name)
    gone = Leave(room=stay.seen_in or stay.room)
    return replace(state, stays=others), (gone, *answers, *unanswered, *closed)


def _overdue(state: State, name: StayId) -> Step:
    """A stay that never spoke is given up."""
    stay = state.named(name)
    if stay is None or stay.joined:
        return state, ()
    failed = Failed(stay_id=name, stage="voice_link", reason="join_overdue")
    state, told = end(state, stay, EndStay(reason=LeftReason.JOIN_FAILED, after_speech=False))
    state, answers = _over(state, name, "join_overdue")
    return state, (Record(receipt=failed), *told, *answers)


def stopped(state: State) -> tuple[Decision, ...]:
    """Return what those are still owed who wait for an answer when this life ends."""
    joins = tuple(_refused(asker, "gateway_lost") for stay in state.stays for asker in stay.askers)
    return (*joins, *orders.stopped(state), *watching.stopped(state))


def _refused(asker: Waiting, why: str) -> AnswerJoin:
    return AnswerJoin(asker=asker.mailbox, answer=JoinRefused(reason=RefusedJoin.FAILED, detail=why))
