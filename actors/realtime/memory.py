"""He remembers thirty lines and what the room was like, and of himself only what was really heard."""

from __future__ import annotations

from dataclasses import replace

from actors.realtime.decisions import Add, Step
from actors.realtime.items import Heard, Observed, Remembered, Said, Seed
from actors.realtime.state import State
from messages.floor import RosterChange
from messages.ids import UtteranceId
from messages.people import Line
from messages.realtime import CostObserved, RoomObserved, SpeechWasHeard

LONGEST_LABEL = 64
_DID = {
    RosterChange.ARRIVED: "came in",
    RosterChange.DEPARTED: "went away",
    RosterChange.CONSENTED: "lets you hear them from now on",
    RosterChange.WITHDREW: "does not let you hear them any more",
}


def remember(state: State, *things: Remembered) -> State:
    """The same with these at the end of the ring, and its oldest lines gone where it was full."""
    settings = state.settings
    ring = (*state.ring, *(_fitting(one, settings.ring_bytes) for one in things))[-settings.ring_lines :]
    while sum(map(_size, ring)) > settings.ring_bytes:
        ring = ring[1:]
    return replace(state, ring=ring)


def hear(state: State, lines: tuple[Line, ...]) -> Step:
    """Remember lines that are new, and put them into the conversation if it is open."""
    known = {one.line.id for one in state.ring if isinstance(one, Heard)}
    new = tuple(Heard(line=line) for line in lines if line.id not in known)
    return remember(state, *new), _added(state, *new)


def observe(state: State, event: RoomObserved, now: float) -> Step:
    """Who is here, and what changed, as a plain observation."""
    state = replace(state, people=event.people, room=event.room or state.room)
    what = _what(event)
    if what is None:
        return state, ()
    humans = sum(1 for presence in event.people if not presence.person.bot)
    return _noted(state, f"{what}. Humans here: {humans}.", now)


def observe_cost(state: State, event: CostObserved, now: float) -> Step:
    """What this stay costs is an observation like any other: nobody waits for an answer to it."""
    text = f"So far this stay has cost about {event.amount:.2f} {event.currency}."
    return _noted(state, text, now)


def _noted(state: State, text: str, now: float) -> Step:
    settings = state.settings
    observations = (*state.observations, (now, text))[-settings.observations :]
    while sum(len(one) for _, one in observations) > settings.observation_characters:
        observations = observations[1:]
    return replace(state, observations=observations), _added(state, Observed(text=text))


def _what(event: RoomObserved) -> str | None:
    if event.change is RosterChange.MOVED:
        return "You were moved to another room, and these are other people"
    if event.change is None or event.who is None:
        return None
    return f"{label(event.who.label)} {_DID[event.change]}"


def recall(state: State, now: float) -> tuple[str, ...]:
    """The observations that are not too old."""
    oldest = now - state.settings.observation_seconds
    return tuple(text for at, text in state.observations if at >= oldest)


def was_heard(state: State, event: SpeechWasHeard) -> Step:
    """What was cut off was never said: remember what the room heard, and that he was interrupted."""
    if event.whole:
        return state, ()
    flight = state.flight
    if flight is not None and flight.utterance == event.utterance:
        return replace(state, flight=replace(flight, heard=event.text)), ()
    corrected = Said(utterance=event.utterance, text=event.text, interrupted=True)
    if not any(_is(one, event.utterance) for one in state.ring):
        return state, ()
    ring = tuple(corrected if _is(one, event.utterance) else one for one in state.ring)
    if not event.text.strip():
        ring = tuple(one for one in ring if one is not corrected)
    return replace(state, ring=ring), _added(state, corrected)


def without_person(state: State, person: str) -> State:
    """The same without any line of this person."""
    ring = tuple(one for one in state.ring if not (isinstance(one, Heard) and one.line.person.id == person))
    return replace(state, ring=ring)


def seed(state: State) -> Seed:
    """What a new conversation must know."""
    return Seed(
        persona=state.settings.persona,
        people=state.people,
        remembered=state.ring,
        open_requests=open_requests(state),
    )


def open_requests(state: State) -> tuple[str, ...]:
    """What the captain is still being asked."""
    return tuple(one.request for one in state.handoffs if one.result is None)


def label(name: str) -> str:
    """A display name on one line, within bounds, in quotation marks that it cannot close."""
    plain = "".join(sign for sign in " ".join(name.split()) if sign.isprintable() and sign != '"')
    return f'"{plain[:LONGEST_LABEL]}"'


def _added(state: State, *items: Heard | Said | Observed) -> tuple[Add, ...]:
    if state.connection is None:
        return ()
    return tuple(Add(connection=state.connection, item=item) for item in items)


def _is(one: Remembered, utterance: UtteranceId) -> bool:
    return isinstance(one, Said) and one.utterance == utterance


def _size(one: Remembered) -> int:
    text = one.line.person.label + one.line.text if isinstance(one, Heard) else one.text
    return len(text.encode(errors="replace"))


def _fitting(one: Remembered, size: int) -> Remembered:
    """The beginning of something too long to be remembered whole: it must not cost him everything else."""
    if _size(one) <= size:
        return one
    if isinstance(one, Said):
        return replace(one, text=_first(one.text, size // 2))
    return replace(one, line=replace(one.line, text=_first(one.line.text, size // 2)))


def _first(text: str, size: int) -> str:
    return text.encode(errors="replace")[:size].decode(errors="ignore")
