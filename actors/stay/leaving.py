"""How a stay ends: his speech may finish, then the microphones close, then one `left` is on record."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never

from actors.stay import orders, people
from actors.stay.decisions import (
    Decision,
    Finish,
    Record,
    Step,
    TellCaptain,
    TellEars,
    TellFloor,
    TellGateway,
    TellVoice,
    Wake,
)
from actors.stay.state import Phase, State
from messages.captain import StayIsOver
from messages.evidence import Consent, Failed, Left
from messages.floor import AwaitQuiet
from messages.gateway import StayEnded
from messages.lifecycle import Close, Ending
from messages.stay import EndStay, LeftReason, StayOverdue
from messages.voice import CloseLink

BROKEN_NOTICE: Final = (
    "Something in me broke. With that I have left this room and lost everybody's consent: I hear nobody."
    " Have me come back and opt in again, and I will hear you."
)
_REASON_WHEN_STOPPED = {
    Ending.SHUTDOWN: LeftReason.SHUTDOWN,
    Ending.ORDERED: LeftReason.OPERATOR,
    Ending.SIBLING_FAILED: LeftReason.GATEWAY_LOST,
}


def stopped(state: State, ending: Ending, now: float) -> tuple[Decision, ...]:
    """Return the last decisions of a stay that did not end by itself: no `joined` without its `left`."""
    if state.phase is Phase.ENDED:
        return ()
    reason = state.reason or _REASON_WHEN_STOPPED.get(ending, LeftReason.CRASHED)
    crashed = reason is LeftReason.CRASHED
    lost = tuple(
        Record(receipt=people.consent_receipt(state, ear.person, "lost")) for ear in state.ears if crashed
    )
    broken = state.reason is None and (crashed or ending is Ending.SIBLING_FAILED)
    told = people.chat(state, BROKEN_NOTICE) if broken and state.joined_at is not None else ()
    return (*lost, *told, *_last_words(replace(state, reason=reason), now))


def leave(state: State, event: EndStay) -> Step:
    if state.is_over():
        return state, ()
    reason = state.reason or (LeftReason.JOIN_FAILED if state.joined_at is None else event.reason)
    if not event.after_speech:
        return close(replace(state, reason=reason))
    if state.phase is Phase.LEAVING:
        return state, ()
    state, waiting = wait(
        replace(state, phase=Phase.LEAVING, reason=reason, moving=False), state.settings.farewell_seconds
    )
    return state, (TellFloor(message=AwaitQuiet()), *waiting)


def close(state: State) -> Step:
    closing = tuple(TellEars(message=Close(name=ear.person)) for ear in state.ears)
    state, answers = orders.closing(state)
    state, waiting = wait(
        replace(state, phase=Phase.CLOSING, moving=False, ears=(), consented=frozenset()),
        state.settings.close_seconds,
    )
    return state, (*answers, *closing, TellVoice(message=CloseLink()), *waiting)


def quiet(state: State) -> Step:
    """Nothing is being said: if he was waiting for that, he goes."""
    return close(state) if state.phase is Phase.LEAVING else (state, ())


def overdue(state: State, now: float) -> Step:
    match state.phase:
        case Phase.JOINING:
            failed = Failed(stay_id=state.stay_id, stage="voice_link", reason="join_overdue")
            state, decisions = leave(state, EndStay(reason=LeftReason.JOIN_FAILED, after_speech=False))
            return state, (Record(receipt=failed), *decisions)
        case Phase.LEAVING:
            return close(state)
        case Phase.CLOSING:
            return end(state, now)
        case Phase.ACTIVE | Phase.DEGRADED | Phase.ENDED:
            return state, ()
        case _:
            assert_never(state.phase)


def end(state: State, now: float) -> Step:
    return replace(state, phase=Phase.ENDED), (*_last_words(state, now), Finish())


def _last_words(state: State, now: float) -> tuple[Decision, ...]:
    reason = state.reason or LeftReason.CRASHED
    counted = tuple(
        Record(
            receipt=Consent(
                stay_id=state.stay_id,
                person_id=one.person,
                phase="counted",
                decoded=one.decoded,
                unread=one.unread,
            )
        )
        for one in state.counts
    )
    failed = None if state.joined_at is not None else state.link_failure or reason.value
    left: tuple[Decision, ...] = ()
    if state.joined_at is not None:
        duration = round((now - state.joined_at) * 1000)
        left = (Record(receipt=Left(stay_id=state.stay_id, reason=reason.value, duration_ms=duration)),)
    over = (
        TellGateway(message=StayEnded(stay=state.stay_id, failed=failed)),
        TellCaptain(message=StayIsOver(stay=state.stay_id)),
    )
    return (*counted, *left, *over)


def wait(state: State, seconds: float) -> Step:
    state = replace(state, token=state.token + 1)
    return state, (Wake(seconds=seconds, message=StayOverdue(token=state.token)),)
