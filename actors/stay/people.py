"""Who comes, who goes, and whose voice may be heard: consent opens an ear, and nothing else does."""

from __future__ import annotations

from dataclasses import replace

from actors.stay.decisions import (
    Decision,
    Record,
    Step,
    TellEars,
    TellFloor,
    TellGateway,
    TellRealtime,
    TellVoice,
)
from actors.stay.state import Awaited, Ear, State
from messages.evidence import Consent, Membership
from messages.floor import RosterChange, RosterTold
from messages.gateway import PostText
from messages.ids import CaptureId, PersonId
from messages.lifecycle import Close, Open
from messages.people import Person
from messages.realtime import ForgetPerson
from messages.stay import EarOpened, OpenEar
from messages.voice import CloseMicrophone, OpenMicrophone

_JOINING_NOTICE = "Everybody in this room is heard by me. Opt out and I will not hear you."
_PRESENCE_NOTICE = "Everybody in this room is heard by me, {label} too. Opt out and I will not hear you."
FULL_NOTICE = (
    "I can hear at most {most} people at a time, so I do not hear {label}. "
    "Opt in again when somebody has left or opted out."
)
_MARKS = frozenset("*_~`|<>[]()\\#:/@")


def arrived(state: State, person: Person) -> Step:
    """Somebody came in; under the presence policy his coming is his consent, and he is told so."""
    if Awaited.ROSTER in state.awaited or state.person(person.id) is not None:
        return state, ()
    state = replace(state, people=(*state.people, person))
    membership = Membership(
        stay_id=state.stay_id, person_id=person.id, change="arrived", humans=state.humans()
    )
    told = roster(state, RosterChange.ARRIVED, person)
    if not _heard_by_presence(state, person):
        return state, (Record(receipt=membership), told)
    notice = () if _is_full(state) else chat(state, about(person, _PRESENCE_NOTICE, state))
    state, granted = granted_to(state, person.id)
    return state, (Record(receipt=membership), told, *notice, *granted)


def compared(state: State, people: tuple[Person, ...]) -> Step:
    """The account was away and sees who is here now: whoever came or went meanwhile does so now."""
    present, decisions = {one.id for one in people}, list[Decision]()
    for gone in state.people:
        if gone.id not in present:
            state, told = departed(state, gone.id)
            decisions += told
    for one in people:
        state, told = arrived(state, one)
        decisions += told
    return state, tuple(decisions)


def departed(state: State, person_id: PersonId) -> Step:
    """Somebody went away: his consent goes with him, the conversation does not."""
    person = state.person(person_id)
    if person is None:
        return state, ()
    left = tuple(one for one in state.people if one.id != person_id)
    had_consented = person_id in state.consented
    state, closing = deafened(replace(state, people=left), person_id)
    membership = Membership(
        stay_id=state.stay_id, person_id=person_id, change="departed", humans=state.humans()
    )
    consent = (Record(receipt=consent_receipt(state, person_id, "departed")),) if had_consented else ()
    return state, (
        *closing,
        *consent,
        Record(receipt=membership),
        roster(state, RosterChange.DEPARTED, person),
    )


def granted_to(state: State, person_id: PersonId) -> Step:
    """A person in the room opted in: open his ear (again, if a crash has closed it), if there is one left."""
    person = state.person(person_id)
    if person is None or person.bot or state.is_over() or state.ear(person_id) is not None:
        return state, ()
    # He has said yes, also if there is no ear for him now: what he refused before is over.
    state = replace(state, refused=state.refused - {person_id})
    if _is_full(state):
        refused = Record(receipt=consent_receipt(state, person_id, "refused"))
        return state, (refused, *chat(state, about(person, FULL_NOTICE, state)))
    capture = CaptureId(f"{state.stay_id}-{state.ears_begun + 1}")
    state = replace(
        state,
        consented=state.consented | {person_id},
        ears=(*state.ears, Ear(person=person_id, capture=capture)),
        ears_begun=state.ears_begun + 1,
    )
    opening = () if Awaited.EARS in state.awaited else (open_ear(person, capture),)
    return state, (
        Record(receipt=consent_receipt(state, person_id, "granted")),
        *opening,
        roster(state, RosterChange.CONSENTED, person),
    )


def withdrawn_by(state: State, person_id: PersonId, *, forget: bool) -> Step:
    """A person opted out: deaf to him at once, and the conversation forgets his lines (if he was heard)."""
    had_consented = person_id in state.consented
    state, closing = deafened(replace(state, refused=state.refused | {person_id}), person_id)
    person = state.person(person_id)
    forgotten = TellRealtime(message=ForgetPerson(person=person_id))
    if not had_consented or person is None:
        return state, (*closing, forgotten) if forget else closing
    return state, (
        *closing,
        Record(receipt=consent_receipt(state, person_id, "withdrawn")),
        forgotten,
        roster(state, RosterChange.WITHDREW, person),
    )


def ear_opened(state: State, message: EarOpened) -> Step:
    """A listener is ready: only now may the microphone be opened, and only if it is still wanted."""
    ear = state.ear(message.person)
    if ear is None or ear.capture != message.capture:
        return state, ()
    ready = replace(ear, sink=message.sink)
    state = replace(state, ears=tuple(ready if one is ear else one for one in state.ears))
    # While he is being moved his link is that of the old room; the new one is told of every ear.
    return state, () if state.moving else (TellVoice(message=microphone(ready, message)),)


def microphone(ear: Ear, opened: EarOpened) -> OpenMicrophone:
    """Return the order that opens this ear's microphone."""
    return OpenMicrophone(person=ear.person, capture=ear.capture, sink=opened.sink)


def roster(state: State, change: RosterChange, who: Person) -> Decision:
    """Return the news of who is here for the floor, which tells the conversation."""
    return TellFloor(message=RosterTold(people=state.presences(), change=change, who=who))


def chat(state: State, text: str) -> tuple[Decision, ...]:
    """Return a post for the room's own chat, where that is allowed."""
    return (TellGateway(message=PostText(room=state.room, text=text)),) if state.settings.text_allowed else ()


def granted_by_presence(state: State) -> Step:
    """He came in: under the presence policy everybody here is heard from now on, and told so."""
    heard = [one for one in state.people if _heard_by_presence(state, one)]
    decisions = chat(state, _JOINING_NOTICE) if heard else ()
    for person in heard:
        state, granted = granted_to(state, person.id)
        decisions = (*decisions, *granted)
    return state, decisions


def _heard_by_presence(state: State, person: Person) -> bool:
    return state.settings.consent_policy == "presence" and not person.bot and person.id not in state.refused


def _is_full(state: State) -> bool:
    return len(state.ears) >= state.settings.most_heard


def about(person: Person, notice: str, state: State) -> str:
    """Return a notice with his name in it, of which a chat can make neither a mark nor an address."""
    label = "".join(letter for letter in person.label if letter not in _MARKS).strip()
    return notice.format(label=label or "somebody", most=state.settings.most_heard)


def deafened(state: State, person_id: PersonId) -> Step:
    """Hear this person no longer."""
    ear = state.ear(person_id)
    state = replace(state.without_ear(person_id), consented=state.consented - {person_id})
    if ear is None:
        return state, ()
    return state, (
        TellVoice(message=CloseMicrophone(person=person_id)),
        TellEars(message=Close(name=person_id)),
    )


def open_ear(person: Person, capture: CaptureId) -> TellEars:
    """Return the request for somebody's listener."""
    return TellEars(message=Open(request=OpenEar(person=person, capture=capture)))


def consent_receipt(state: State, person_id: PersonId, phase: str) -> Consent:
    """Return the receipt of what became of somebody's consent."""
    return Consent(stay_id=state.stay_id, person_id=person_id, phase=phase)
