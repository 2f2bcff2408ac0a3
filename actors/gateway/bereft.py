"""A house that was killed took everybody's consent with it: the next one says so in the room, once."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from actors.gateway import deeds
from actors.gateway.decisions import Decision, Do, Record, Step, Wake
from actors.gateway.state import State
from messages.evidence import Consent
from messages.gateway import ConsentsLost, DeedDone, NoticeDue
from messages.ids import DeedId, RoomId
from messages.tools import SendUpdate

CONSENTS_NOTICE: Final = (
    "I crashed, and had to be started again. With that I have left this room and lost everybody's consent:"
    " I hear nobody. Have me come back and opt in again, and I will hear you."
)
MOST_BEREFT: Final = 16
LATER: Final = frozenset({"gateway_lost", "busy"})
"""Discord was not asked, or has not answered: the same name is no second notice, so it may be tried again."""
AGAIN_SECONDS: Final = 30.0


def lost(state: State, event: ConsentsLost) -> Step:
    """Somebody is to be told as soon as there is an account; where nothing may be written it is on record."""
    if event.room is None:
        return state, _recorded(event)
    others = tuple(one for one in state.errands.bereft if one.stay != event.stay)
    bereft = (*others, event)[-MOST_BEREFT:]
    state = replace(state, errands=replace(state.errands, bereft=bereft))
    return state, (_notice(event, event.room),) if state.ready else ()


def told(state: State) -> tuple[Decision, ...]:
    """Return the notices for an account that is there."""
    return tuple(_notice(one, one.room) for one in state.errands.bereft if one.room is not None)


def _notice(one: ConsentsLost, room: RoomId) -> Do:
    return Do(name=_name(one), deed=SendUpdate(text=CONSENTS_NOTICE), room=room, message=None)


def done(state: State, event: DeedDone) -> Step:
    """Only what is on record is told no more: a house that is killed before that tells it the next time."""
    one = _named(state, event.deed)
    if one is None:
        return deeds.heard(state, event)
    if event.failed in LATER:
        return state, again(state, event.deed)
    others = tuple(other for other in state.errands.bereft if other is not one)
    return replace(state, errands=replace(state.errands, bereft=others)), _recorded(one)


def again(state: State, name: DeedId) -> tuple[Decision, ...]:
    """An account that comes back tells what is owed; one that is there and had no time is asked once more."""
    return (Wake(seconds=AGAIN_SECONDS, message=NoticeDue(deed=name)),) if state.ready else ()


def due(state: State, event: NoticeDue) -> Step:
    """The notice of that name, if it is still to be told."""
    one = _named(state, event.deed)
    if one is None or one.room is None or not state.ready:
        return state, ()
    return state, (_notice(one, one.room),)


def _named(state: State, name: DeedId) -> ConsentsLost | None:
    return next((one for one in state.errands.bereft if _name(one) == name), None)


def _name(one: ConsentsLost) -> DeedId:
    return DeedId(f"lost-{one.stay}")


def _recorded(one: ConsentsLost) -> tuple[Decision, ...]:
    lost_ones = (Consent(stay_id=one.stay, person_id=person, phase="lost") for person in one.people)
    return tuple(Record(receipt=receipt) for receipt in lost_ones)
