"""An ear that is gone costs its person's consent, and the room is told so, unless the whole stay is going."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.stay.decisions import Decision, Record, Step, TellFloor
from actors.stay.people import FULL_NOTICE, about, chat, consent_receipt, deafened, open_ear
from actors.stay.state import State
from messages.evidence import Failed
from messages.floor import RosterTold
from messages.ids import CaptureId, PersonId
from messages.lifecycle import Ending, OpenRefused, Refusal
from messages.stay import EarClosed, OpenEar

_LOST_NOTICE: Final = "I have lost my ear for {label}. Opt in again and I will hear you."
_WANTED: Final = frozenset((Ending.REMOVED, Ending.SHUTDOWN))
_WITH_ALL: Final = frozenset((Ending.GIVEN_UP, Ending.SIBLING_FAILED, Ending.ORDERED))
"""It was not its own fault: all ears are beginning anew, or the whole stay is on its way out."""


def ear_closed(state: State, message: EarClosed) -> Step:
    """A listener is gone; unless that was wanted, it costs this person's consent."""
    if message.ending in _WANTED:
        return _ear_gone(state, message.person, message.capture, None)
    reason = message.ending.value
    if message.ending not in _WITH_ALL:
        return _ear_gone(state, message.person, message.capture, reason)
    before = state.consented
    state, closing = _ear_gone(state, message.person, message.capture, None)
    if message.person not in before - state.consented:
        return state, closing
    lost = Record(receipt=consent_receipt(state, message.person, "lost"))
    return replace(state, bereft=(*state.bereft, (message.person, reason))), (*closing, lost)


def ear_refused(state: State, message: OpenRefused[OpenEar]) -> Step:
    """There are as many listeners as there may be; one that is open already needs no other."""
    if message.refusal is not Refusal.FULL:
        return state, ()
    person, reason = message.request.person.id, message.refusal.value
    return _ear_gone(state, person, message.request.capture, reason, FULL_NOTICE)


def ears_opened(state: State) -> Step:
    """The listeners' supervisor takes requests (again): ask it for every listener that has not opened."""
    opening = tuple(
        open_ear(person, ear.capture)
        for ear in state.ears
        if ear.sink is None and (person := state.person(ear.person)) is not None
    )
    told: tuple[Decision, ...] = ()
    for person_id, reason in state.bereft:
        if state.ear(person_id) is None and person_id not in state.refused:
            told = (*told, *_told(state, person_id, reason, _LOST_NOTICE))
    return replace(state, bereft=()), (*opening, *told)


def _ear_gone(
    state: State, person_id: PersonId, capture: CaptureId, reason: str | None, notice: str = _LOST_NOTICE
) -> Step:
    ear = state.ear(person_id)
    if ear is None or ear.capture != capture:
        return state, ()
    state, closing = deafened(state, person_id)
    if reason is None or state.person(person_id) is None:
        return state, closing
    lost = Record(receipt=consent_receipt(state, person_id, "lost"))
    failed, *told = _told(state, person_id, reason, notice)
    return state, (*closing, failed, lost, *told)


def _told(state: State, person_id: PersonId, reason: str, notice: str) -> tuple[Decision, ...]:
    """What the record, the floor and the room are told of a loss; nothing of somebody who is gone himself."""
    person = state.person(person_id)
    if person is None:
        return ()
    failed = Failed(stay_id=state.stay_id, stage="capture", reason=reason, person_id=person.id)
    return (
        Record(receipt=failed),
        TellFloor(message=RosterTold(people=state.presences(), change=None, who=None)),
        *chat(state, about(person, notice, state)),
    )
