"""What was written down outlives him, but for what somebody wants forgotten, and nothing is done twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from actors.captain import asking, memory
from actors.captain.decisions import Forget, Tell, TellGateway
from actors.captain.events import CaptainOpens, PersonForgotten
from actors.captain.journal import MOST_ENTRIES, Book, Entry, HeardAsked, TurnOver
from actors.captain.journalling import MOST_LANES, write
from actors.captain.state import State
from messages.authority import Surface
from messages.captain import AccountOpened, ForgetInMind, LossTold, NotesAsked
from messages.gateway import ForgetAnswered, NotesAnswered, TurnLost
from messages.ids import HandoffId

Concern: TypeAlias = CaptainOpens | AccountOpened | LossTold | ForgetInMind | PersonForgotten | NotesAsked


def take(state: State, event: Concern) -> State:
    """What concerns more than one turn."""
    match event:
        case CaptainOpens():
            return _opened(state, event.book)
        case AccountOpened():
            return _tell_losses(state)
        case LossTold():
            return _told(state, event.handoff)
        case ForgetInMind():
            return _forget(state, event)
        case PersonForgotten():
            return _forgotten(state, event)
        case NotesAsked():
            return _show(state, event)
        case _:
            assert_never(event)


def _opened(state: State, book: Book) -> State:
    """What was at work when the last life ended is to be told; nothing of it is done again."""
    lanes = {name: entries[-MOST_ENTRIES:] for name, entries in book.lanes[-MOST_LANES:]}
    lost = {one.handoff: (name, one) for name, entries in book.lanes for one in _interrupted(entries)}
    state = replace(state, lanes=lanes, notes=book.notes, lost=lost)
    for handoff, (_, one) in lost.items():
        if one.room is None or one.surface is Surface.OPERATOR:
            state = _told(state, handoff)
    return _tell_losses(state)


def _tell_losses(state: State) -> State:
    """Whoever keeps the account may not live yet, or not any more: it is told again until it has answered."""
    for handoff, (_, one) in state.lost.items():
        if one.room is not None:
            lost = TurnLost(handoff=handoff, room=one.room, message=one.message)
            state = state.do(TellGateway(message=lost))
    return state


def _told(state: State, handoff: HandoffId) -> State:
    """Only now is the turn over on disk: a house that is killed before tells it the next time."""
    if handoff not in state.lost:
        return state
    lane, _ = state.lost[handoff]
    rest = {name: lost for name, lost in state.lost.items() if name != handoff}
    over = TurnOver(at=state.wall, handoff=handoff, how="interrupted", prompt=state.prompt)
    return write(replace(state, lost=rest), lane, over)


def _forget(state: State, event: ForgetInMind) -> State:
    """His notes and whoever was told them, his words and what came of them, and what is at work for him."""
    deleted = memory.made_by(state.notes, event.person)
    state = asking.forgotten(state, event.person)
    notes = memory.forgotten(state.notes, event.person)
    lanes = {name: memory.without(entries, event.person, deleted) for name, entries in state.lanes.items()}
    lost = {name: one for name, one in state.lost.items() if event.person not in one[1].people}
    state = replace(state, notes=notes, lanes=lanes, lost=lost)
    return state.do(Forget(asked=event, notes=notes, deleted=deleted))


def _forgotten(state: State, event: PersonForgotten) -> State:
    """He is told so only when it is so on disk, too."""
    answer = ForgetAnswered(was_heard=event.asked.was_heard, notes=event.deleted, remains=not event.whole)
    return state.do(Tell(mailbox=event.asked.reply_to, message=answer))


def _show(state: State, event: NotesAsked) -> State:
    """What is noted about him, wherever it was noted."""
    answer = NotesAnswered(notes=memory.about(state.notes, event.person))
    return state.do(Tell(mailbox=event.reply_to, message=answer))


def _interrupted(entries: tuple[Entry, ...]) -> tuple[HeardAsked, ...]:
    over = {entry.handoff for entry in entries if isinstance(entry, TurnOver)}
    began = (entry for entry in entries if isinstance(entry, HeardAsked) and entry.into is None)
    return tuple(entry for entry in began if entry.handoff not in over)
