"""Nothing is done that was not written down before: lanes in memory, and the same lines on disk."""

from __future__ import annotations

from dataclasses import replace

from actors.captain.decisions import Journal
from actors.captain.journal import MOST_ENTRIES, Entry, HeardAsked, LaneId
from actors.captain.state import State, Turn
from messages.authority import Surface
from messages.captain import AskAsOperator, AskCaptain, AskInText, Question
from messages.ids import HandoffId, MessageId, RoomId
from messages.people import Person

MOST_LANES = 256
"""What is remembered at once; those that were used least recently are on disk only."""
LONGEST_WORDS = 4_000
"""What a lane keeps of one question or answer."""


def write(state: State, lane: LaneId, entry: Entry) -> State:
    """Add a line to a lane."""
    lanes = dict(state.lanes)
    lanes[lane] = (*lanes.pop(lane, ()), entry)[-MOST_ENTRIES:]
    while len(lanes) > MOST_LANES:
        del lanes[next(iter(lanes))]
    return replace(state, lanes=lanes).do(Journal(lane=lane, entry=entry))


def begun(state: State, turn: Turn) -> State:
    """Write down what a turn begins with."""
    for place, one in enumerate(turn.heard):
        state = heard(state, turn, one.question, into=turn.id if place else None)
    return state


def heard(state: State, turn: Turn, question: Question, into: HandoffId | None = None) -> State:
    """Write down that this was asked: as the beginning of a turn, or `into` one."""
    entry = HeardAsked(
        at=state.wall,
        handoff=question.handoff,
        surface=turn.surface,
        room=room_of(question),
        message=message_of(question),
        people=tuple(person.id for person in people_of(question)),
        label=labels(question),
        text=question.request[:LONGEST_WORDS],
        into=into,
    )
    return write(state, turn.lane, entry)


def history(state: State, lane: LaneId) -> tuple[Entry, ...]:
    """As much of a lane as the mind reads again; what is still to be answered is no history."""
    asked = {one.question.handoff for turn in state.turns for one in turn.heard}
    entries = tuple(entry for entry in state.lanes.get(lane, ()) if entry.handoff not in asked)
    return entries[max(0, len(entries) - state.settings.history_entries) :]


def surface_of(question: Question) -> Surface:
    """How this was asked; of nobody's words nothing comes."""
    if isinstance(question, AskAsOperator):
        return Surface.OPERATOR
    people = len(people_of(question))
    if isinstance(question, AskInText):
        return Surface.TEXT
    return (Surface.MEMBERSHIP, Surface.VOICE)[people] if people < 2 else Surface.MIXED_VOICE


def people_of(question: Question) -> tuple[Person, ...]:
    """Who asks this, each once and in the order of their lines; nobody, for the operator."""
    if isinstance(question, AskAsOperator):
        return ()
    if isinstance(question, AskInText):
        return (question.asker,)
    return tuple({person.id: person for person in question.askers}.values())


def labels(question: Question) -> str:
    """What those who ask call themselves."""
    return ", ".join(person.label for person in people_of(question))


def room_of(question: Question) -> RoomId | None:
    """Where this was asked; None for the operator."""
    return None if isinstance(question, AskAsOperator) else question.room


def message_of(question: Question) -> MessageId | None:
    """The message that asked."""
    return question.message if isinstance(question, AskInText) else None


def lane_of(question: Question) -> LaneId:
    """The lane that this belongs into."""
    if isinstance(question, AskAsOperator):
        return LaneId("operator")
    aloud = isinstance(question, AskCaptain)
    return LaneId(f"{'voice' if aloud else 'text'}-{question.room}")
