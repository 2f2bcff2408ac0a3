"""What was written down outlives him, but for what somebody wants forgotten, and nothing is done twice."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from actors.captain import asking, memory
from actors.captain.decisions import Forget, Keep, Tell, TellGateway
from actors.captain.events import CaptainOpens
from actors.captain.journal import MOST_ENTRIES, Book, Entry, HeardAsked, SaidAnswer, TurnOver
from actors.captain.journalling import MOST_LANES, write
from actors.captain.state import State
from messages.authority import Surface
from messages.captain import ForgetInMind, NotesAsked
from messages.gateway import ForgetAnswered, NotesAnswered, TurnLost
from messages.ids import PersonId


def take(state: State, event: CaptainOpens | ForgetInMind | NotesAsked) -> State:
    """What concerns more than one turn."""
    match event:
        case CaptainOpens():
            return _opened(state, event.book)
        case ForgetInMind():
            return _forget(state, event)
        case NotesAsked():
            return _show(state, event)
        case _:
            assert_never(event)


def _opened(state: State, book: Book) -> State:
    """What was at work when the last life ended is told so, once; nothing of it is done again."""
    lanes = {name: entries[-MOST_ENTRIES:] for name, entries in book.lanes[-MOST_LANES:]}
    state = replace(state, lanes=lanes, notes=book.notes)
    for name, entries in book.lanes:
        for lost in _interrupted(entries):
            over = TurnOver(at=state.wall, handoff=lost.handoff, how="interrupted", prompt=state.prompt)
            state = write(state, name, over)
            if lost.room is not None and lost.surface is not Surface.OPERATOR:
                state = state.do(TellGateway(message=TurnLost(room=lost.room, message=lost.message)))
    return state


def _forget(state: State, event: ForgetInMind) -> State:
    """His notes, his words, what was answered to them, and what is at work for him."""
    deleted = memory.about(state.notes, event.person)
    state = asking.forgotten(state, event.person)
    notes = memory.forgotten(state.notes, event.person)
    lanes = {name: _without(entries, event.person) for name, entries in state.lanes.items()}
    state = replace(state, notes=notes, lanes=lanes).do(Keep(notes=notes), Forget(person=event.person))
    answer = ForgetAnswered(was_heard=event.was_heard, notes=deleted)
    return state.do(Tell(mailbox=event.reply_to, message=answer))


def _show(state: State, event: NotesAsked) -> State:
    """What is noted about him, wherever it was noted."""
    answer = NotesAnswered(notes=memory.about(state.notes, event.person))
    return state.do(Tell(mailbox=event.reply_to, message=answer))


def _interrupted(entries: tuple[Entry, ...]) -> tuple[HeardAsked, ...]:
    over = {entry.handoff for entry in entries if isinstance(entry, TurnOver)}
    began = (entry for entry in entries if isinstance(entry, HeardAsked) and entry.into is None)
    return tuple(entry for entry in began if entry.handoff not in over)


def _without(entries: tuple[Entry, ...], person: PersonId) -> tuple[Entry, ...]:
    his = {
        entry.into or entry.handoff
        for entry in entries
        if isinstance(entry, HeardAsked) and person in entry.people
    }
    return tuple(
        entry
        for entry in entries
        if not (isinstance(entry, HeardAsked) and person in entry.people)
        and not (isinstance(entry, SaidAnswer) and entry.handoff in his)
    )
