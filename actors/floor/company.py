"""Who is here, what the captain is doing for them, and when a conversation is over."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.floor.decisions import Record, TellRealtime, TellStay
from actors.floor.engagement import DORMANT
from actors.floor.moving import fallen_silent
from actors.floor.state import State
from actors.floor.turns import Membership, Wish, Work
from messages import evidence
from messages.floor import (
    AwaitQuiet,
    JustJoined,
    ResultWaiting,
    RosterChange,
    RosterTold,
    WorkBegan,
    WorkEnded,
)
from messages.ids import HandoffId, PersonId
from messages.realtime import LineOverheard, RoomObserved
from messages.stay import FloorQuiet

_WORKS = 16
_TURN_ASKED = (RosterChange.ARRIVED, RosterChange.DEPARTED, RosterChange.MOVED)


def take(
    state: State,
    event: RosterTold | JustJoined | AwaitQuiet | WorkBegan | WorkEnded | ResultWaiting,
) -> State:
    """One fact from the stay, or one piece of news about the captain's work."""
    match event:
        case RosterTold():
            return roster_told(state, event)
        case JustJoined():
            return just_joined(state)
        case AwaitQuiet():
            return await_quiet(state)
        case WorkBegan():
            return work_began(state, event)
        case WorkEnded():
            return work_ended(state, event.handoff)
        case ResultWaiting():
            return result_waiting(state, event)
        case _ as never:
            assert_never(never)


def roster_told(state: State, event: RosterTold) -> State:
    """The conversation learns it at once; a coming or going also asks for a turn, soon."""
    before = state
    state = _heard_only(replace(state, roster=event.people)).do(
        TellRealtime(message=RoomObserved(people=event.people, change=event.change, who=event.who))
    )
    if event.change is RosterChange.WITHDREW and event.who is not None:
        state = _unsaid(state, event.who.id)
    if event.change is RosterChange.MOVED:
        state = fallen_silent(state)
    if event.change in _TURN_ASKED and not state.leaving:
        settings = state.settings
        gathered = state.membership.changed(
            state.now, settings.membership_debounce, settings.membership_every
        )
        state = replace(state, membership=gathered)
    holder = before.engagement.holder
    gone = holder is not None and holder in before.humans() and holder not in state.humans()
    withdrew = event.change is RosterChange.WITHDREW and event.who is not None and event.who.id == holder
    return release(state, "holder_left") if gone or withdrew else state


def _heard_only(state: State) -> State:
    """Voices and words of those who may not be heard (any more) are nobody's."""
    voices = tuple(voice for voice in state.voices if state.may_be_heard(voice.person.id))
    cutters = tuple(cutter for cutter in state.cutters if state.may_be_heard(cutter.words.person.id))
    return replace(state, voices=voices, cutters=cutters)


def _unsaid(state: State, person: PersonId) -> State:
    """Lines of somebody who opted out ask for nothing any more, nor are they asked again."""
    wish, turn = state.wish, state.flight
    if wish is not None:
        lines = tuple(line for line in wish.lines if line.person.id != person)
        state = replace(state, wish=replace(wish, lines=lines) if lines else None)
    if turn is not None:
        lines = tuple(line for line in turn.lines if line.person.id != person)
        state = replace(state, flight=replace(turn, lines=lines))
    return state


def release(state: State, rule: str) -> State:
    """Nobody holds the floor any more."""
    receipt = evidence.Floor(stay_id=state.stay, state="dormant", rule=rule)
    return replace(state, engagement=DORMANT).do(Record(receipt=receipt))


def just_joined(state: State) -> State:
    """One greeting; whoever is here is part of it. Where he is to be silent there is none, now or later."""
    if state.leaving:
        return state
    greeting = state.now if state.hushed_until is None else None
    return replace(state, greeting=greeting, membership=Membership(asked=state.membership.asked))


def await_quiet(state: State) -> State:
    """He is leaving: whatever waits for a turn waits in vain."""
    state = without_wish(replace(state, leaving=True, quiet_told=False))
    membership = Membership(asked=state.membership.asked)
    return replace(state, greeting=None, sayings=(), results=(), membership=membership)


def without_wish(state: State) -> State:
    """Lines that will get no turn are told for the record."""
    wish: Wish | None = state.wish
    lines = () if wish is None else wish.lines
    state = replace(state, wish=None)
    return state.do(*(TellRealtime(message=LineOverheard(line=line)) for line in lines))


def tell_quiet(state: State) -> State:
    """Answer the stay once, when nothing is being said or about to be."""
    if not state.leaving or state.quiet_told or state.busy():
        return state
    return replace(state, quiet_told=True).do(TellStay(message=FloorQuiet()))


# --- the captain's work -----------------------------------------------------------------------------


def work_began(state: State, event: WorkBegan) -> State:
    """It keeps the conversation alive, and may need a word that it is going on."""
    work = Work(handoff=event.handoff, began=state.now, next_beat=state.now + state.settings.heartbeat)
    others = tuple(old for old in state.works if old.handoff != event.handoff)
    return replace(state, works=(*others, work)[-_WORKS:])


def work_ended(state: State, handoff: HandoffId) -> State:
    """Whatever came of it."""
    return replace(state, works=tuple(work for work in state.works if work.handoff != handoff))


def result_waiting(state: State, event: ResultWaiting) -> State:
    """It wants a turn of its own; several share one."""
    if state.leaving or event.handoff in state.results:
        return state
    since = state.results_since if state.results else state.now
    return replace(state, results=(*state.results, event.handoff)[-_WORKS:], results_since=since)


def beat(state: State) -> State:
    """Work going on is relevant, for a while; then it is not believed in any more."""
    if not state.works:
        return state
    settings = state.settings
    works = tuple(work for work in state.works if state.now - work.began < settings.heartbeat_limit)
    if any(work.next_beat <= state.now for work in works):
        state = replace(state, engagement=state.engagement.refreshed(state.now))
    beaten = (
        replace(work, next_beat=state.now + settings.heartbeat) if work.next_beat <= state.now else work
        for work in works
    )
    return replace(state, works=tuple(beaten))


# --- decay ------------------------------------------------------------------------------------------


def decays_at(state: State) -> float | None:
    """When he will be in no conversation any more; None while that is kept open by what is going on."""
    holder = state.engagement.holder
    holder_talks = any(voice.person.id == holder for voice in state.voices) or any(
        waiting.line.person.id == holder for waiting in state.waiting
    )
    if holder is None or state.busy() or state.wish is not None or holder_talks:
        return None
    return state.engagement.relevant + state.settings.decay


def decay(state: State) -> State:
    """A conversation that has nothing to do with him for long enough is none of his."""
    moment = decays_at(state)
    return release(state, "decayed") if moment is not None and moment <= state.now else state
